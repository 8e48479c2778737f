package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// prepare evaluates who is called, and with what.
func (m *Machine) prepare(f *frame, i *skeleton.Instr) *call {
	c := &call{in: i, dst: i.Dst, pos: i.Pos}
	for _, a := range i.Args {
		c.args = append(c.args, m.get(f, a))
	}
	if i.Callee.Static == nil && i.Callee.Builtin == "" {
		c.fn, c.args = c.args[0], c.args[1:]
	}
	return c
}

// call makes a call. One that is deferred belongs to a frame that unwinds.
func (m *Machine) call(p *Proc, c *call, deferred bool) {
	callee := c.in.Callee
	switch {
	case callee.Builtin != "":
		m.builtin(p, c)
	case callee.Static != nil:
		m.static(p, c, callee.Static, nil, deferred)
	case callee.Method != nil:
		m.method(p, c, deferred)
	default:
		m.dynamic(p, c, c.fn, deferred)
	}
}

// dynamic calls a function value.
func (m *Machine) dynamic(p *Proc, c *call, fn Value, deferred bool) {
	switch fn := m.resolve(fn).(type) {
	case *Closure:
		if fn.Native != nil {
			fn.Native(m, p, c)
			return
		}
		m.static(p, c, fn.Fn, fn.Free, deferred)
	case Nil:
		m.fault(p, c.in)
	default:
		m.unknownCall(p, c, "what "+describe(fn)+" returns")
	}
}

// method calls a method of an interface.
func (m *Machine) method(p *Proc, c *call, deferred bool) {
	method := c.in.Callee.Method
	switch v := c.fn.(type) {
	case Iface:
		if l, ok := v.V.(ReadLocker); ok {
			m.lockOperation(p, c, l.Of, map[string]trace.Kind{"Lock": trace.RLock,
				"Unlock": trace.RUnlock}[method.Name()], trace.RWMutex)
			return
		}
		if ctx, ok := v.V.(*Context); ok {
			m.contextMethod(p, c, ctx, method.Name())
			return
		}
		fn := m.prog.Method(v.T, method)
		if fn == nil {
			m.unknownCall(p, c, "what "+method.Name()+" returns")
			return
		}
		c.args = append([]Value{v.V}, c.args...)
		m.static(p, c, fn, nil, deferred)
	case *Context:
		m.contextMethod(p, c, v, method.Name())
	case *Sym:
		m.answers[v.Name+" == nil"] = false
		switch {
		case isContext(method):
			m.contextMethod(p, c, m.foreignContext(p, v), method.Name())
		case method.Pkg() != nil && method.Pkg().Path() == "sync":
			if v.mutex == nil {
				v.mutex = &Cell{Type: types.Typ[types.Int], name: v.Name + ".mutex", pos: v.Pos}
			}
			m.lockOperation(p, c, v.mutex, map[string]trace.Kind{"Lock": trace.Lock,
				"Unlock": trace.Unlock}[method.Name()], trace.Mutex)
		default:
			m.unknownCall(p, c, fmt.Sprintf("what %s returns", method.Name()))
		}
	case Nil:
		m.fault(p, c.in)
	default:
		m.unknownCall(p, c, "what "+method.Name()+" returns")
	}
}

func isContext(method *types.Func) bool {
	return method.Pkg() != nil && method.Pkg().Path() == "context"
}

// static calls a function that is known.
func (m *Machine) static(p *Proc, c *call, fn *ssa.Function, free []Value, deferred bool) {
	full := m.prog.FullName(fn)
	if native, ok := library[full]; ok {
		native(m, p, c)
		return
	}
	if kind, ok := atomicKind(full); ok {
		m.atomic(p, c, kind)
		return
	}
	body := m.prog.Func(fn)
	switch {
	case body == nil:
		m.outside(p, c, fn, full)
		return
	case !m.prog.Matters(fn):
		m.result(p, c, fn.Signature, "what "+fn.Name()+" returns")
		return
	}
	f := m.push(p, body, c.args, free, c.dst, c.pos)
	f.deferred = deferred
}

// outside calls a function whose code is not seen.
func (m *Machine) outside(p *Proc, c *call, fn *ssa.Function, full string) {
	reason := "what " + fn.Name() + " returns"
	if fn.Signature.Recv() == nil && strings.HasPrefix(fn.Name(), "New") {
		reason = "the result of " + fn.Name()
	}
	if m.ends(p, full) {
		return
	}
	if callsBack(full) {
		m.callBack(p, c, fn.Signature, reason)
		return
	}
	if !keepsNothing(fn) {
		m.shareArgs(c)
	}
	m.result(p, c, fn.Signature, reason)
	m.callMethods(p, c, full)
	if alwaysError[full] {
		m.isSet(p.top().regs[max(c.dst, 0)])
	}
}

// methods are what functions of the standard library call of their arguments: the names of methods,
// by argument.
var methods = map[string][]string{"io.ReadFull": {"Read"}, "io.ReadAll": {"Read"},
	"io.ReadAtLeast": {"Read"}, "io.Copy": {"Write", "Read"}, "io.CopyN": {"Write", "Read"},
	"io.CopyBuffer": {"Write", "Read"}, "io.WriteString": {"Write"}, "fmt.Fprint": {"Write"},
	"fmt.Fprintf": {"Write"}, "fmt.Fprintln": {"Write"}, "binary.Read": {"Read"},
	"binary.Write": {"Write"}}

// printing are packages that call no methods but String, Error and the like.
var printing = []string{"fmt.", "log.", "(*log.", "errors.", "time.", "os.", "(*testing.",
	"strings.", "strconv.", "(*os.", "runtime.", "sync."}

// callMethods makes p call the methods of its arguments that an outside function calls, once. If it
// is not known which, others than p may call them at any time.
func (m *Machine) callMethods(p *Proc, c *call, full string) {
	for i, a := range c.args {
		v, ok := a.(Iface)
		if !ok || types.IsInterface(v.T) || !m.prog.Acts(v.T) {
			continue
		}
		names, known := methods[full]
		known = known || slices.ContainsFunc(printing,
			func(prefix string) bool { return strings.HasPrefix(full, prefix) })
		switch {
		case !known:
			m.share(v.V)
		case i < len(names):
			m.callMethod(p, v, names[i], c.pos)
		}
	}
}

// callMethod calls a method with unknown arguments, if its code is known.
func (m *Machine) callMethod(p *Proc, on Iface, name string, pos token.Pos) {
	fn := m.prog.Named(on.T, name)
	body := m.prog.Func(fn)
	if body == nil || !m.prog.Matters(fn) {
		return
	}
	args := []Value{on.V}
	for _, v := range fn.Params[1:] {
		args = append(args, m.fresh(v.Type(), v.Name(), v.Pos()))
	}
	m.push(p, body, args, nil, -1, pos).done = func(Value) {}
}

// ends ends p, or the program, if a function of that name does.
func (m *Machine) ends(p *Proc, full string) bool {
	switch endings[full] {
	case endsProcess:
		p.exiting = true
		m.panics(p, &Failure{Proc: p, Text: "Goexit"})
	case endsProgram:
		m.unfinished("the program ends")
	default:
		return false
	}
	return true
}

// isSet notes that an unknown value is not nil.
func (m *Machine) isSet(v Value) {
	if s, ok := v.(*Sym); ok {
		m.answers[s.Name+" == nil"] = false
	}
}

// shareArgs shares what a call is given.
func (m *Machine) shareArgs(c *call) {
	for _, v := range c.args {
		m.share(v)
	}
	if v, ok := c.fn.(Iface); ok {
		m.share(v.V)
	}
}

// unknownCall calls what is not known at all.
func (m *Machine) unknownCall(p *Proc, c *call, reason string) {
	if method := c.in.Callee.Method; method == nil || !harmless[method.Name()] {
		m.shareArgs(c)
	}
	m.result(p, c, c.in.Callee.Sig, reason)
}

// result makes the results of a call unknown.
func (m *Machine) result(p *Proc, c *call, sig *types.Signature, reason string) {
	if c.dst < 0 || len(p.stack) == 0 {
		return
	}
	switch r := sig.Results(); r.Len() {
	case 0:
	case 1:
		p.top().set(c.dst, m.fresh(r.At(0).Type(), reason, c.pos))
	default:
		p.top().set(c.dst, m.fresh(r, reason, c.pos))
	}
}

// callBack calls a function that calls its function argument, once or not at all, and then returns.
func (m *Machine) callBack(p *Proc, c *call, sig *types.Signature, reason string) {
	m.result(p, c, sig, reason)
	for _, a := range c.args {
		if fn, ok := a.(*Closure); ok && fn.Native == nil {
			m.run1(p, fn, c.pos, nil)
		}
	}
}

// run1 calls a closure with unknown arguments; done is called with the result.
func (m *Machine) run1(p *Proc, fn *Closure, pos token.Pos, done func(result Value)) {
	body := m.prog.Func(fn.Fn)
	if body == nil {
		return
	}
	args := make([]Value, body.Params)
	for i, v := range fn.Fn.Params {
		args[i] = m.fresh(v.Type(), v.Name(), v.Pos())
	}
	f := m.push(p, body, args, fn.Free, -1, pos)
	if f.done = done; done == nil {
		f.done = func(Value) {}
	}
}

// start starts a goroutine.
func (m *Machine) start(p *Proc, c *call) {
	q := m.spawn(p, m.callName(c), c.pos)
	m.enterCall(q, c)
	m.advance(q)
}

// enterCall makes c the first call of q.
func (m *Machine) enterCall(q *Proc, c *call) {
	c.dst = -1
	m.call(q, c, false)
}

// callName names who is called.
func (m *Machine) callName(c *call) string {
	fn := c.in.Callee.Static
	if closure, ok := c.fn.(*Closure); ok && closure.Fn != nil {
		fn = closure.Fn
	}
	if v, ok := c.fn.(Iface); ok && c.in.Callee.Method != nil {
		fn = m.prog.Method(v.T, c.in.Callee.Method)
	}
	if fn == nil {
		return "a goroutine"
	}
	if body := m.prog.Func(fn); body != nil {
		return body.Name
	}
	return skeleton.Name(fn)
}

// builtin calls a builtin function.
func (m *Machine) builtin(p *Proc, c *call) {
	set := func(v Value) {
		if len(p.stack) > 0 {
			p.top().set(c.dst, v)
		}
	}
	switch c.in.Callee.Builtin {
	case "close":
		m.close(p, m.channel(c.args[0]), c.pos, false)
	case "len", "cap":
		set(m.length(c.args[0], c))
	case "append":
		if len(c.args) > 1 {
			set(m.append(c.args[0], c.args[1], c.in.Type, c.pos))
		}
	case "recover":
		m.recover(p, set)
	case "delete":
		m.remove(c.args[0], c.args[1])
	case "copy":
		m.share(c.args[1])
		set(m.fresh(types.Typ[types.Int], "a number of elements", c.pos))
	case "ssa:wrapnilchk":
		set(c.args[0])
	case "print", "println", "clear":
	default:
		if c.dst >= 0 {
			set(m.fresh(c.in.Type, "what is computed here", c.pos))
		}
	}
}

// recover recovers a panic of p, if its frame was deferred by one that unwinds.
func (m *Machine) recover(p *Proc, set func(Value)) {
	n := len(p.stack)
	if n < 2 || p.panicking == nil || p.exiting || p.recovered || !p.stack[n-1].deferred ||
		!p.stack[n-2].unwinding {
		set(Nil{})
		return
	}
	p.recovered = true
	v := m.fresh(types.NewInterfaceType(nil, nil), "a panic", p.panicking.Pos)
	m.isSet(v)
	set(v)
}

func (m *Machine) remove(on, key Value) {
	if on, ok := on.(*Map); ok {
		for k, have := range on.Keys {
			if is, known := equal(have, key); known && is {
				on.Keys = append(on.Keys[:k:k], on.Keys[k+1:]...)
				on.Vals = append(on.Vals[:k:k], on.Vals[k+1:]...)
				return
			} else if !known {
				on.Vague = true
			}
		}
	}
}

// length is len of v, and cap.
func (m *Machine) length(v Value, c *call) Value {
	switch v := m.resolve(v).(type) {
	case Nil:
		return int64(0)
	case string:
		return int64(len(v))
	case SliceOf:
		return v.N
	case *Map:
		if !v.Vague {
			return int64(len(v.Keys))
		}
	case *Object:
		if c.in.Callee.Builtin == "cap" {
			return int64(v.Cap)
		}
		if v.Cap == 0 {
			return int64(0)
		}
	case *Sym:
		n := m.interned(types.Typ[types.Int], "len "+v.Name, "the length of "+v.Reason, v.Pos)
		if s, ok := n.(*Sym); ok {
			m.low[s.Name] = max(m.low[s.Name], 0)
		}
		return n
	}
	n := m.fresh(types.Typ[types.Int], "a length", c.pos)
	m.low[n.(*Sym).Name] = 0
	return n
}

// close closes a channel. With again, it may be closed already.
func (m *Machine) close(p *Proc, o *Object, pos token.Pos, again bool) {
	switch {
	case o == nil:
		m.panics(p, &Failure{Proc: p, Text: "close of nil channel", Pos: pos,
			Event: len(m.x.Events)})
	case o.Foreign && !o.Timed:
		m.note(p, trace.Close, o, pos)
	case again && o.Closed:
	default:
		m.declare(p, trace.Op{Kind: trace.Close, Obj: o.ID, Cap: o.Cap}, pos, nil)
	}
}
