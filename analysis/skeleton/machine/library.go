package machine

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// native does what a function of a library does.
type native func(m *Machine, p *Proc, c *call)

// library has the functions that the machine knows.
var library map[string]native

func init() {
	library = map[string]native{
		"(*sync.Mutex).Lock":        lock(trace.Lock, trace.Mutex),
		"(*sync.Mutex).Unlock":      lock(trace.Unlock, trace.Mutex),
		"(*sync.Mutex).TryLock":     lock(trace.TryLock, trace.Mutex),
		"(*sync.RWMutex).Lock":      lock(trace.WLock, trace.RWMutex),
		"(*sync.RWMutex).Unlock":    lock(trace.WUnlock, trace.RWMutex),
		"(*sync.RWMutex).TryLock":   lock(trace.WTryLock, trace.RWMutex),
		"(*sync.RWMutex).RLock":     lock(trace.RLock, trace.RWMutex),
		"(*sync.RWMutex).RUnlock":   lock(trace.RUnlock, trace.RWMutex),
		"(*sync.RWMutex).TryRLock":  lock(trace.RTryLock, trace.RWMutex),
		"(*sync.RWMutex).RLocker":   readLocker,
		"(*sync.WaitGroup).Add":     groupAdd,
		"(*sync.WaitGroup).Done":    func(m *Machine, p *Proc, c *call) { m.groupAdd(p, c, -1) },
		"(*sync.WaitGroup).Wait":    groupWait,
		"(*sync.WaitGroup).Go":      groupGo,
		"(*sync.Once).Do":           onceDo,
		"sync.NewCond":              newCond,
		"(*sync.Cond).Wait":         condWait,
		"(*sync.Cond).Signal":       condWake(trace.CondSignal),
		"(*sync.Cond).Broadcast":    condWake(trace.CondBroadcast),
		"time.After":                timeAfter,
		"time.Tick":                 timeTick,
		"time.NewTimer":             newTimer,
		"time.NewTicker":            newTicker,
		"time.AfterFunc":            afterFunc,
		"time.Sleep":                func(*Machine, *Proc, *call) {},
		"(*time.Timer).Stop":        stopTimer,
		"(*time.Timer).Reset":       resetTimer,
		"(*time.Ticker).Stop":       stopTimer,
		"(*time.Ticker).Reset":      func(*Machine, *Proc, *call) {},
		"runtime.Gosched":           func(*Machine, *Proc, *call) {},
		"context.Background":        background,
		"context.TODO":              background,
		"context.WithCancel":        withCancel(false),
		"context.WithCancelCause":   withCancel(false),
		"context.WithTimeout":       withCancel(true),
		"context.WithDeadline":      withCancel(true),
		"context.WithTimeoutCause":  withCancel(true),
		"context.WithDeadlineCause": withCancel(true),
		"context.WithValue":         withValue,
		"context.WithoutCancel":     background,
		"(*testing.common).Context": background,
		"(*testing.T).Parallel": func(m *Machine, _ *Proc, _ *call) {
			m.unfinished("a subtest goes on later")
		},
	}
}

const (
	endsProcess = 1 + iota
	endsProgram
)

// endings are functions that do not return.
var endings = map[string]int{
	"runtime.Goexit": endsProcess,
	"os.Exit":        endsProgram, "log.Fatal": endsProgram, "log.Fatalf": endsProgram,
	"log.Fatalln":             endsProgram,
	"(*testing.common).Fatal": endsProcess, "(*testing.common).Fatalf": endsProcess,
	"(*testing.common).FailNow": endsProcess, "(*testing.common).Skip": endsProcess,
	"(*testing.common).Skipf": endsProcess, "(*testing.common).SkipNow": endsProcess,
	"(*log.Logger).Fatal": endsProgram, "(*log.Logger).Fatalf": endsProgram,
	"log.Panic": endsProgram, "log.Panicf": endsProgram,
}

// alwaysError are functions that return an error, always.
var alwaysError = map[string]bool{"errors.New": true, "fmt.Errorf": true}

// callingBack are packages whose functions call function arguments before they return, and keep
// nothing.
var callingBack = []string{"sort.", "slices.", "strings.", "bytes.", "maps.",
	"path/filepath.Walk", "io/fs.Walk", "go/ast.Inspect"}

func callsBack(full string) bool {
	for _, prefix := range callingBack {
		if strings.HasPrefix(full, prefix) {
			return true
		}
	}
	return full == "(*testing.T).Run" || full == "(*testing.B).Run" || full == "(*sync.Map).Range"
}

// keeping are functions of the standard library that keep what they are given, or hand it on.
var keeping = []string{"os/signal.", "net/http.", "(*net/http.", "runtime.SetFinalizer",
	"runtime.AddCleanup",
	"context.AfterFunc", "(*sync.Map).", "(*sync.Pool).", "(*sync/atomic.Value).",
	"(*sync/atomic.Pointer).",
	"(*container/", "container/", "expvar.", "(*testing.common).Cleanup", "bufio.New",
	"io.TeeReader", "io.MultiWriter",
	"iter.", "net/rpc.", "(*net/rpc.", "reflect.", "(reflect.", "testing.", "flag.", "sync.Once",
	"unique.", "weak.",
	"database/sql.", "(*database/sql.", "os/exec.", "(*os/exec."}

// keepsNothing reports whether an outside function keeps no argument: most of the standard library
// does not.
func keepsNothing(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	full := fn.RelString(nil)
	for _, prefix := range keeping {
		if strings.HasPrefix(full, prefix) {
			return false
		}
	}
	path := ""
	if fn.Pkg != nil {
		path = fn.Pkg.Pkg.Path()
	} else if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	first, _, _ := strings.Cut(path, "/")
	return path != "" && path != "main" && path != "command-line-arguments" &&
		!strings.Contains(first, ".") && standard[first]
}

// standard are the first elements of paths of the standard library, except for what keeps much.
var standard = map[string]bool{"archive": true, "bufio": true, "bytes": true, "cmp": true,
	"compress": true, "context": true,
	"crypto": true, "encoding": true, "errors": true, "fmt": true, "go": true, "hash": true,
	"html": true, "image": true,
	"io": true, "log": true, "maps": true, "math": true, "mime": true, "net": true, "os": true,
	"path": true, "regexp": true,
	"runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true, "sync": true,
	"syscall": true,
	"testing": true, "text": true, "time": true, "unicode": true, "unsafe": true}

// harmless are methods of interfaces that keep nothing, whoever has them.
var harmless = map[string]bool{"Error": true, "String": true, "Read": true, "Write": true,
	"Close": true, "Len": true,
	"Less": true, "Swap": true, "Err": true, "Name": true, "Debug": true, "Info": true,
	"Warn":   true,
	"Debugf": true,
	"Infof":  true, "Warnf": true, "Errorf": true, "Printf": true, "Println": true, "Log": true,
	"Logf": true, "Helper": true}

// atomicKind says what a function of sync/atomic does.
func atomicKind(full string) (trace.Kind, bool) {
	rest, ok := strings.CutPrefix(full, "sync/atomic.")
	if !ok {
		if rest, ok = strings.CutPrefix(full, "(*sync/atomic."); !ok {
			return 0, false
		}
		kind, method, _ := strings.Cut(rest, ").")
		if kind == "Value" || strings.HasPrefix(kind, "Pointer") {
			return 0, false
		}
		rest = method
	}
	for _, k := range []struct {
		prefix string
		kind   trace.Kind
	}{{"Load", trace.AtomicLoad}, {"Store", trace.AtomicStore}, {"Add", trace.AtomicUpdate},
		{"CompareAndSwap", trace.AtomicUpdate}, {"Swap", trace.AtomicUpdate}} {
		if strings.HasPrefix(rest, k.prefix) {
			return k.kind, !strings.Contains(rest, "Pointer")
		}
	}
	return 0, false
}

// target returns the variable that a method's receiver points to. If it is nil, p panics.
func (m *Machine) target(p *Proc, c *call, n int) *Cell {
	cell := m.pointee(c.args[n], types.Typ[types.Int])
	if cell == nil {
		m.fault(p, c.in)
	}
	return cell
}

func lock(kind trace.Kind, class trace.Class) native {
	return func(m *Machine, p *Proc, c *call) {
		if cell := m.target(p, c, 0); cell != nil {
			m.lockOperation(p, c, cell, kind, class)
		}
	}
}

// lockOperation declares an operation of a lock.
func (m *Machine) lockOperation(p *Proc, c *call, cell *Cell, kind trace.Kind, class trace.Class) {
	if kind == trace.None {
		m.unknownCall(p, c, "a result")
		return
	}
	o := m.synced(cell, class, p)
	var f *frame
	if len(p.stack) > 0 {
		f = p.top()
	}
	if (o.Foreign || o.Wanders) && m.unbalanced(o, kind) {
		m.unfinished("a lock is unlocked that somebody else has locked")
		return
	}
	m.declare(p, trace.Op{Kind: kind, Obj: o.ID}, c.pos, func(ev *trace.Event, _ int, _ Value,
		_ bool) {
		if f != nil {
			f.set(c.dst, ev.OK)
		}
	})
}

// unbalanced reports whether an unlock of a foreign lock would be of what is not locked: the caller
// has locked it.
func (m *Machine) unbalanced(o *Object, kind trace.Kind) bool {
	switch kind {
	case trace.Unlock:
		return !o.Locked
	case trace.WUnlock:
		return !o.Writing
	case trace.RUnlock:
		return o.Readers == 0
	}
	return false
}

func readLocker(m *Machine, p *Proc, c *call) {
	if cell := m.target(p, c, 0); cell != nil && len(p.stack) > 0 {
		p.top().set(c.dst, Iface{types.Typ[types.Int], ReadLocker{cell}})
	}
}

func groupAdd(m *Machine, p *Proc, c *call) {
	m.concreteSigned(p, c.args[1], c, func(n int64) { m.groupAdd(p, c, n) })
}

// concreteSigned is concrete for a number that may be negative if it is known.
func (m *Machine) concreteSigned(p *Proc, v Value, c *call, then func(n int64)) {
	if n, ok := m.resolve(v).(int64); ok {
		then(n)
		return
	}
	m.concrete(p, v, c.pos, then)
}

func (m *Machine) groupAdd(p *Proc, c *call, n int64) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.WaitGroup, p)
	if o.Foreign && n < 0 && o.Count < int(-n) {
		m.note(p, trace.WgAdd, o, c.pos) // the caller has added
		return
	}
	m.declare(p, trace.Op{Kind: trace.WgAdd, Obj: o.ID, N: int32(n), Cap: trace.InOrder}, c.pos,
		nil)
}

func groupWait(m *Machine, p *Proc, c *call) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.WaitGroup, p)
	m.declare(p, trace.Op{Kind: trace.WgWait, Obj: o.ID}, c.pos, nil)
}

func groupGo(m *Machine, p *Proc, c *call) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.WaitGroup, p)
	fn, _ := c.args[1].(*Closure)
	m.declare(p, trace.Op{Kind: trace.WgAdd, Obj: o.ID, N: 1, Cap: trace.InOrder}, c.pos,
		func(*trace.Event, int, Value, bool) {
			m.background(p, fn, c, o, func(q *Proc) {
				m.declare(q, trace.Op{Kind: trace.WgAdd, Obj: o.ID, N: -1, Cap: trace.InOrder},
					c.pos, nil)
			})
		})
}

// background starts a goroutine that calls fn, and then does something to o.
func (m *Machine) background(p *Proc, fn *Closure, c *call, o *Object, after func(q *Proc)) {
	if fn == nil || fn.Native != nil || m.prog.Func(fn.Fn) == nil {
		q := m.spawn(p, "a goroutine", c.pos)
		q.todo = append(q.todo, func() { after(q) })
		m.advance(q)
		return
	}
	body := m.prog.Func(fn.Fn)
	q := m.spawn(p, body.Name, c.pos)
	q.uses = o
	f := m.push(q, body, nil, fn.Free, -1, c.pos)
	f.done = func(Value) { after(q) }
	f.unwound = func() {
		if q.exiting {
			after(q)
		}
	}
	m.advance(q)
}

func onceDo(m *Machine, p *Proc, c *call) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.OnceGuard, p)
	fn := c.args[1]
	m.declare(p, trace.Op{Kind: trace.Once, Obj: o.ID}, c.pos, func(ev *trace.Event, _ int, _ Value,
		_ bool) {
		if !ev.OK {
			return
		}
		finish := func() { m.declare(p, trace.Op{Kind: trace.OnceDone, Obj: o.ID}, c.pos, nil) }
		closure, ok := fn.(*Closure)
		switch {
		case ok && closure.Native != nil:
			closure.Native(m, p, &call{in: c.in, dst: -1, pos: c.pos})
			p.todo = append(p.todo, finish)
		case ok && m.prog.Func(closure.Fn) != nil:
			f := m.push(p, m.prog.Func(closure.Fn), nil, closure.Free, -1, c.pos)
			f.done, f.unwound = func(Value) { finish() }, finish
		default:
			finish()
		}
	})
}

func newCond(m *Machine, p *Proc, c *call) {
	t := c.in.Type
	ptr, ok := t.(*types.Pointer)
	if !ok || len(p.stack) == 0 {
		return
	}
	cell := newCell(ptr.Elem(), c.pos)
	if st, ok := ptr.Elem().Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if st.Field(i).Name() == "L" {
				m.store(cell.kid(i), c.args[0])
			}
		}
	}
	p.top().set(c.dst, cell)
}

// condLocker returns the Locker of a Cond.
func (m *Machine) condLocker(cell *Cell) Value {
	if st, ok := cell.Type.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if st.Field(i).Name() == "L" {
				return m.load(cell.kid(i))
			}
		}
	}
	return nil
}

// condWait enlists, unlocks, waits and locks again.
func condWait(m *Machine, p *Proc, c *call) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.Cond, p)
	if o.Foreign {
		m.unfinished("it waits for a Cond of others")
		return
	}
	mutex, class, kinds := m.lockerOf(m.condLocker(cell))
	if mutex == nil {
		m.unfinished("the Locker of a Cond is not known")
		return
	}
	l := m.synced(mutex, class, p)
	m.declare(p, trace.Op{Kind: trace.CondEnter, Obj: o.ID}, c.pos, func(*trace.Event, int, Value,
		bool) {
		number := o.Waiters - 1
		p.todo = append(p.todo,
			func() { m.declare(p, trace.Op{Kind: kinds[1], Obj: l.ID}, c.pos, nil) },
			func() {
				m.declare(p, trace.Op{Kind: trace.CondWait, Obj: o.ID, N: number}, c.pos, nil)
			},
			func() { m.declare(p, trace.Op{Kind: kinds[0], Obj: l.ID}, c.pos, nil) })
	})
}

// lockerOf returns the variable that a Locker is, and how to lock and unlock it.
func (m *Machine) lockerOf(v Value) (*Cell, trace.Class, [2]trace.Kind) {
	i, ok := v.(Iface)
	if !ok {
		return nil, "", [2]trace.Kind{}
	}
	if l, ok := i.V.(ReadLocker); ok {
		return l.Of, trace.RWMutex, [2]trace.Kind{trace.RLock, trace.RUnlock}
	}
	cell, ok := i.V.(*Cell)
	if !ok {
		return nil, "", [2]trace.Kind{}
	}
	switch i.T.String() {
	case "*sync.Mutex":
		return cell, trace.Mutex, [2]trace.Kind{trace.Lock, trace.Unlock}
	case "*sync.RWMutex":
		return cell, trace.RWMutex, [2]trace.Kind{trace.WLock, trace.WUnlock}
	}
	return nil, "", [2]trace.Kind{}
}

func condWake(kind trace.Kind) native {
	return func(m *Machine, p *Proc, c *call) {
		if cell := m.target(p, c, 0); cell != nil {
			m.declare(p, trace.Op{Kind: kind, Obj: m.synced(cell, trace.Cond, p).ID}, c.pos, nil)
		}
	}
}

// atomic does an operation of sync/atomic: on the variable itself.
func (m *Machine) atomic(p *Proc, c *call, kind trace.Kind) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	if cell.parts() > 0 { // atomic.Int32 and the like: the number is in it
		if cell.val == nil {
			cell.val = int64(0)
			if c.in.Callee.Sig.Results().Len() > 0 {
				cell.val = zero(c.in.Callee.Sig.Results().At(0).Type())
			}
			if cell.name != "" {
				cell.val = m.fresh(resultType(c), cell.why, c.pos)
			}
		}
	} else {
		m.load(cell)
	}
	o := m.synced(cell, trace.Variable, p)
	var f *frame
	if len(p.stack) > 0 {
		f = p.top()
	}
	name := c.in.Callee.Name
	m.declare(p, trace.Op{Kind: kind, Obj: o.ID}, c.pos, func(ev *trace.Event, _ int, _ Value,
		_ bool) {
		v := m.atomically(cell, name, c, ev)
		if f != nil {
			f.set(c.dst, v)
		}
	})
}

func resultType(c *call) types.Type {
	if r := c.in.Callee.Sig.Results(); r.Len() == 1 {
		return r.At(0).Type()
	}
	return types.Typ[types.Int]
}

// atomically reads and writes, and returns the result.
func (m *Machine) atomically(cell *Cell, full string, c *call, ev *trace.Event) Value {
	old := cell.val
	name := full[strings.LastIndex(full, ".")+1:]
	switch {
	case strings.HasPrefix(name, "Load"):
		return old
	case strings.HasPrefix(name, "Store"):
		cell.val = c.args[1]
		return nil
	case strings.HasPrefix(name, "Swap"):
		cell.val = c.args[1]
		return old
	case strings.HasPrefix(name, "Add"):
		a, ok1 := old.(int64)
		b, ok2 := c.args[1].(int64)
		if ok1 && ok2 {
			cell.val = a + b
		} else {
			cell.val = m.fresh(resultType(c), "a counter", c.pos)
		}
		return cell.val
	}
	is, known := equal(old, c.args[1])
	if !known {
		cell.val = m.fresh(types.Typ[types.Int], "a number", c.pos)
		return m.fresh(types.Typ[types.Bool], "whether the value was changed", c.pos)
	}
	ev.OK = is
	if is {
		cell.val = c.args[2]
	}
	return is
}
