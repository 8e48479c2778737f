package std

import (
	"errors"
	"fmt"
	"go/ast"
	"strings"
)

// notNil panics for a nil receiver, as the body behind the hook would.
const notNil = "_ = *$r; "

// syncHooks lead a controlled process from the methods of package sync to their models.
var syncHooks = []hook{
	does("Mutex", "Lock", "gate.MutexLock(unsafe.Pointer($r))"),
	gives("Mutex", "TryLock", "gate.MutexTryLock(unsafe.Pointer($r))"),
	does("Mutex", "Unlock", "gate.MutexUnlock(unsafe.Pointer($r))"),
	does("RWMutex", "Lock", "gate.RWMutexLock(unsafe.Pointer($r))"),
	gives("RWMutex", "TryLock", "gate.RWMutexTryLock(unsafe.Pointer($r))"),
	does("RWMutex", "Unlock", "gate.RWMutexUnlock(unsafe.Pointer($r))"),
	does("RWMutex", "RLock", "gate.RWMutexRLock(unsafe.Pointer($r))"),
	gives("RWMutex", "TryRLock", "gate.RWMutexTryRLock(unsafe.Pointer($r))"),
	does("RWMutex", "RUnlock", "gate.RWMutexRUnlock(unsafe.Pointer($r))"),
	group("Add", isHere, "gate.WaitGroupAdd(unsafe.Pointer($r), $1)"),
	waits(group("Wait", isHere, "gate.WaitGroupWait(unsafe.Pointer($r))")),
	optional(group("Go", isTimed, "gate.WaitGroupGo(unsafe.Pointer($r), $1)")), // since Go 1.25
	waits(does("Cond", "Wait",
		"$r.checker.check(); n := gate.CondEnter(unsafe.Pointer($r)); $r.L.Unlock(); "+
			"gate.CondWait(unsafe.Pointer($r), n); $r.L.Lock()")),
	does("Cond", "Signal", "$r.checker.check(); gate.CondSignal(unsafe.Pointer($r))"),
	does("Cond", "Broadcast", "$r.checker.check(); gate.CondBroadcast(unsafe.Pointer($r))"),
	byCaller("Pool", "Get", "if v, done := rehearseGet($r, sys.GetCallerPC()); done { return v }"),
	byCaller("Pool", "Put", "if rehearsePut($r, $1, sys.GetCallerPC()) { return }"),
	byCaller("Map", "Range", "if rehearseRange($r, $1, sys.GetCallerPC()) { return }"),
	byCaller("Map", "Clear", "rehearseClear($r, sys.GetCallerPC())"),
	mapHook("Load", "Never"),
	mapHook("Store", "Always"),
	mapHook("LoadOrStore", "Absent"),
	mapHook("LoadAndDelete", "There"),
	mapHook("Delete", "There"),
	mapHook("Swap", "Always"),
	mapHook("CompareAndSwap", "There"),
	mapHook("CompareAndDelete", "There"),
}

// byCaller is the hook of a method that library code calls for itself, too: its own calls are not
// the program's.
func byCaller(recv, name, code string) hook {
	return hook{recv: recv, name: name, code: isHere + "{ " + notNil + code + " }",
		imports: []string{"internal/runtime/sys"}}
}

// mapHook makes a scheduling point of a method of Map that is about a key, whose body then does the
// operation.
func mapHook(name, changes string) hook {
	return byCaller("Map", name, "rehearseKey($r, $1, rehearse"+changes+", sys.GetCallerPC())")
}

// noteCaller tells the model who calls, in case that it meets the object for the first time.
const noteCaller = "gate.Caller = sys.GetCallerPC(); "

func does(recv, name, call string) hook {
	return hook{recv: recv, name: name,
		code:    isHere + "{ " + notNil + noteCaller + call + "; return }",
		imports: []string{"unsafe", "internal/runtime/sys"}}
}

func gives(recv, name, call string) hook {
	return hook{recv: recv, name: name,
		code: isHere + "{ " + notNil + noteCaller + "return " + call +
			" }", imports: []string{"unsafe", "internal/runtime/sys"}}
}

// group is does for methods of WaitGroup. Goroutines of trusted code, which are not under control,
// may share one with a process.
func group(name, when, call string) hook {
	h := does("WaitGroup", name, call)
	h.code = strings.Replace(h.code, isHere, when+"&& !gate.Native() ", 1)
	return h
}

// waits is for a method that waits, also before the first execution.
func waits(h hook) hook { h.code += "; gate.Await()"; return h }

func optional(h hook) hook { h.optional = true; return h }

func hookSync(goroot string, out map[string][]byte) error {
	p, err := load(goroot, "sync", "func ")
	if err != nil {
		return err
	}
	once, err := p.onceHook()
	if err != nil {
		return err
	}
	err = errors.Join(
		p.apply(append(syncHooks[:len(syncHooks):len(syncHooks)], once)),
		p.checkWords(),
		p.addShare("Pool"),
		p.addShare("Map"),
		p.checkDone(),
		p.keepOnceFuncs(),
		p.nativePoolLock())
	if err != nil {
		return err
	}
	p.write(out)
	return nil
}

// onceHook returns the hook of Once.Do. A Once that had run before the execution is left alone.
func (p *pkg) onceHook() (hook, error) {
	var undone string
	switch typ := p.fieldType("Once", "done"); typ {
	case "atomic.Bool":
		undone = "!$r.done.Load()"
	case "atomic.Uint32":
		undone = "$r.done.Load() == 0"
	default:
		return hook{}, fmt.Errorf("sync.Once.done has the type %q", typ)
	}
	used := "gate.OnceUsed(unsafe.Pointer($r))"
	return hook{recv: "Once", name: "Do", imports: []string{"unsafe", "internal/runtime/sys"},
		code: "if gate.Here() && (" + undone + " || " + used +
			") { rehearseOnce($r, $1, sys.GetCallerPC()); return }"}, nil
}

// addShare adds a word to a type whose copies share their content: the model keeps the content
// there.
func (p *pkg) addShare(typ string) error {
	if _, f := p.structType(typ); f != nil {
		f.use("unsafe")
	}
	return p.addField(typ, "rehearse unsafe.Pointer")
}

// checkWords makes sure that the words are there in which models keep the states of objects.
func (p *pkg) checkWords() error {
	for _, want := range []struct{ typ, field, is string }{
		{"Mutex", "mu", "isync.Mutex"},
		{"RWMutex", "w", "Mutex"},
		{"RWMutex", "readerCount", "atomic.Int32"},
		{"RWMutex", "readerWait", "atomic.Int32"},
		{"WaitGroup", "state", "atomic.Uint64"},
		{"Once", "m", "Mutex"},
		{"Cond", "notify", "notifyList"},
	} {
		if is := p.fieldType(want.typ, want.field); is != want.is {
			return fmt.Errorf("sync.%s.%s has the type %q, not %s", want.typ, want.field, is,
				want.is)
		}
	}
	return nil
}

// checkDone makes sure that WaitGroup.Done needs no hook of its own, because it calls Add.
func (p *pkg) checkDone() error {
	fn, _ := p.method("WaitGroup", "Done")
	if fn == nil || len(fn.Body.List) != 1 || !isCall(fn.Body.List[0], "Add") {
		return errors.New("sync.WaitGroup.Done does something else than to call Add")
	}
	return nil
}

func isCall(s ast.Stmt, method string) bool {
	expr, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	_, ok = selects(expr.X, method)
	return ok
}

// selects matches a call x.name(...) and returns x.
func selects(e ast.Expr, name string) (ast.Expr, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return nil, false
	}
	return sel.X, true
}

// keepOnceFuncs lets the functions that OnceFunc, OnceValue and OnceValues return run once in every
// execution: they must neither forget their argument nor remember that an earlier execution's run
// did not panic.
func (p *pkg) keepOnceFuncs() error {
	forgets, runs := 0, 0
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if assign, ok := n.(*ast.AssignStmt); ok && f.text(assign) == "d.f = nil" {
				f.replace(assign.Pos(), assign.End(), "if !gate.Here() { d.f = nil }")
				f.use(gateDir)
				forgets++
			}
			if body := onceBody(f, n); body != nil {
				f.insert(body.Lbrace+1, " d.valid = false;")
				runs++
			}
			return true
		})
	}
	if forgets != 3 || runs != 3 {
		return fmt.Errorf("sync.OnceFunc, OnceValue and OnceValues are not as expected (%d, %d)",
			forgets,
			runs)
	}
	return nil
}

// onceBody returns the body of f in d.once.Do(f), or nil if n is something else.
func onceBody(f *file, n ast.Node) *ast.BlockStmt {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || f.text(call.Fun) != "d.once.Do" {
		return nil
	}
	lit, ok := call.Args[0].(*ast.FuncLit)
	if !ok {
		return nil
	}
	return lit.Body
}

// nativePoolLock keeps Pool's lock out of the model: when a Pool takes it depends on the garbage
// collector.
func (p *pkg) nativePoolLock() error {
	if p.fieldType("Mutex", "mu") == "" {
		return errors.New("sync.Mutex has no field mu")
	}
	found := 0
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && f.text(sel.X) == "allPoolsMu" {
				f.insert(sel.X.End(), ".mu")
				found++
			}
			return true
		})
	}
	if found != 2 {
		return fmt.Errorf("sync.Pool uses allPoolsMu %d times, not twice", found)
	}
	return nil
}
