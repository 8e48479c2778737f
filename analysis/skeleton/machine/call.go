package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// call is a call that is about to be made. Its methods make it; functions of libraries, such as
// those of package sync, have one as their argument.
type call struct {
	site
	fn  heap.Value // who is called, if that is a value
	f   *frame     // that gets the result; nil: nobody does
	dst int
}

// site is where a call is made, and with what. Its methods need neither who is called nor who gets
// the result.
type site struct {
	p    *Proc
	h    *heap.Heap
	in   *skeleton.Instr
	args []heap.Value
	pos  token.Pos
}

// prepare evaluates who is called, and with what.
func (f *frame) prepare(i *skeleton.Instr) *call {
	c := &call{site: site{p: f.p, h: f.h, in: i, pos: i.Pos}, f: f, dst: i.Dst}
	for _, a := range i.Args {
		c.args = append(c.args, f.get(a))
	}
	if i.Callee.Static == nil && i.Callee.Builtin == "" {
		c.fn, c.args = c.args[0], c.args[1:]
	}
	return c
}

// set sets the result.
func (c *call) set(v heap.Value) {
	if c.f != nil {
		c.f.set(c.dst, v)
	}
}

// make makes the call. One that is deferred belongs to a frame that unwinds.
func (c *call) make(deferred bool) {
	callee := c.in.Callee
	switch {
	case callee.Builtin != "":
		c.builtin()
	case callee.Static != nil:
		c.static(callee.Static, nil, deferred)
	case callee.Method != nil:
		c.method(deferred)
	default:
		c.dynamic(c.fn, deferred)
	}
}

// dynamic calls a function value.
func (c *call) dynamic(fn heap.Value, deferred bool) {
	switch fn := c.h.Resolve(fn).(type) {
	case *heap.Closure:
		if fn.Ends != nil {
			c.p.end(fn.Ends, c.pos)
			return
		}
		if fn.Once != nil {
			c.callOnce(fn)
			return
		}
		c.static(fn.Fn, fn.Free, deferred)
	case heap.Nil:
		c.p.fault(c.in)
	default:
		c.mayPanic(heap.Describe(fn), func() {
			c.unknownCall("what " + heap.Describe(fn) + " returns")
		})
	}
}

// mayPanic lets the search decide whether a function value that is not known panics, if the process
// recovers that and has a lock then; otherwise it calls goOn.
func (c *call) mayPanic(who string, goOn func()) {
	p := c.p
	if c.f == nil || p.panicking != nil || !recovers(p) || !holds(p) {
		goOn()
		return
	}
	d := &Decision{Name: p.nameDecision(c.pos), Pos: c.pos, Text: []string{"", who + " panics"},
		Empty: -1}
	p.declare(trace.Op{Kind: trace.Draw, Obj: -1, N: 2}, c.pos, func(_ *trace.Event, which int,
		_ heap.Value, _ bool) {
		if which == 1 {
			p.panics(p.failure("panic", c.pos))
			return
		}
		goOn()
	})
	p.decision = d
}

// recovers reports whether a call of p under way has deferred a function that recovers.
func recovers(p *Proc) bool {
	return slices.ContainsFunc(p.stack, func(f *frame) bool {
		return slices.ContainsFunc(f.defers, func(d *call) bool {
			fn := d.in.Callee.Static
			if closure, ok := d.fn.(*heap.Closure); ok {
				fn = closure.Fn
			}
			return skeleton.Recovers(fn)
		})
	})
}

// holds reports whether p has a lock.
func holds(p *Proc) bool {
	return slices.ContainsFunc(p.m.Objects(), func(o *heap.Object) bool {
		return o.Class != trace.OnceGuard && slices.ContainsFunc(o.Holders,
			func(h heap.Hold) bool { return h.Proc == &p.Process })
	})
}

// method calls a method of an interface.
func (c *call) method(deferred bool) {
	method := c.in.Callee.Method
	switch v := c.fn.(type) {
	case heap.Iface:
		if l, ok := v.V.(heap.ReadLocker); ok {
			c.lockOperation(l.Of, readerKinds[method.Name()], trace.RWMutex)
			return
		}
		if ctx, ok := v.V.(*heap.Context); ok {
			c.contextMethod(ctx, method.Name())
			return
		}
		fn := c.p.m.prog.Method(v.T, method)
		if fn == nil {
			c.unknownCall("what " + method.Name() + " returns")
			return
		}
		c.args = append([]heap.Value{v.V}, c.args...)
		c.static(fn, nil, deferred)
	case *heap.Context:
		c.contextMethod(v, method.Name())
	case *heap.Sym:
		c.h.IsSet(v)
		switch {
		case isContext(method):
			c.contextMethod(c.foreignContext(v), method.Name())
		case skeleton.IsLocker(method):
			c.lockOperation(v.Mutex(), lockerKinds[method.Name()], trace.Mutex)
		default:
			c.unknownCall(fmt.Sprintf("what %s returns", method.Name()))
		}
	case heap.Nil:
		c.p.fault(c.in)
	default:
		c.unknownCall("what " + method.Name() + " returns")
	}
}

func isContext(method *types.Func) bool {
	return method.Pkg() != nil && method.Pkg().Path() == "context"
}

// static calls a function that is known.
func (c *call) static(fn *ssa.Function, free []heap.Value, deferred bool) {
	full := c.p.m.prog.FullName(fn)
	if native, ok := library[full]; ok {
		native(c)
		return
	}
	if kind, ok := atomicKind(full); ok {
		c.atomic(kind)
		return
	}
	body := c.p.m.prog.Func(fn)
	switch {
	case !c.p.m.prog.Matters(fn):
		c.result(fn.Signature, "what "+fn.Name()+" returns")
		return
	case body == nil:
		c.outside(fn, full)
		return
	}
	f := c.p.push(body, c.args, free, c.dst, c.pos)
	f.deferred = deferred
}

// shareArgs shares what a call is given. The call may also write what others were given before.
func (c *call) shareArgs() {
	gap(c.p)
	for _, v := range c.args {
		c.h.Share(v)
	}
	if v, ok := c.fn.(heap.Iface); ok {
		c.h.Share(v.V)
	}
}

// writeArgs makes what a call may write through its arguments unknown.
func (c *site) writeArgs() {
	for _, v := range c.args {
		heap.Writes(c.h, v)
	}
}

// unknownCall calls what is not known at all.
func (c *call) unknownCall(reason string) {
	if body := c.loopBody(); body != nil {
		c.iterate(body, 0)
		return
	}
	method := c.in.Callee.Method
	switch {
	case method == nil || !harmless[method.Name()]:
		c.shareArgs()
	case method.Name() == "Read":
		c.writeArgs()
	}
	c.result(c.in.Callee.Sig, reason)
}

// result makes the results of a call unknown.
func (c *call) result(sig *types.Signature, reason string) {
	if c.dst < 0 || c.f == nil {
		return
	}
	switch r := sig.Results(); r.Len() {
	case 0:
	case 1:
		c.set(c.h.Fresh(r.At(0).Type(), reason, c.pos))
	default:
		c.set(c.h.Fresh(r, reason, c.pos))
	}
}

// start starts a goroutine.
func (c *call) start() {
	c.p, c.f = c.p.m.spawn(c.p, c.callName(), c.pos), nil
	c.make(false)
	c.p.advance()
}

// callName names who is called.
func (c *call) callName() string {
	fn := c.in.Callee.Static
	if closure, ok := c.fn.(*heap.Closure); ok && closure.Fn != nil {
		fn = closure.Fn
	}
	if v, ok := c.fn.(heap.Iface); ok && c.in.Callee.Method != nil {
		fn = c.p.m.prog.Method(v.T, c.in.Callee.Method)
	}
	if fn == nil {
		return "a goroutine"
	}
	if body := c.p.m.prog.Func(fn); body != nil {
		return body.Name
	}
	return skeleton.Name(fn)
}

// builtin calls a builtin function.
func (c *call) builtin() {
	switch c.in.Callee.Builtin {
	case "close":
		c.p.close(c.h.Channel(c.args[0]), c.pos)
	case "len", "cap":
		c.set(c.h.Length(c.args[0], c.in.Callee.Builtin == "cap", c.pos))
	case "append":
		if len(c.args) > 1 {
			c.set(c.h.Append(c.args[0], c.args[1], c.in.Type, c.pos))
		}
	case "recover":
		c.set(c.p.recover())
	case "delete":
		c.p.polled = nil
		heap.Delete(c.args[0], c.args[1])
	case "copy":
		c.p.polled = nil
		c.set(heap.Copy(c.h, c.args[0], c.args[1], c.pos))
	case "clear":
		c.p.polled = nil
		heap.Clear(c.h, c.args[0])
	case "ssa:wrapnilchk":
		c.set(c.args[0])
	case "print", "println":
	default:
		if c.dst >= 0 {
			c.set(c.h.Fresh(c.in.Type, "what is computed here", c.pos))
		}
	}
}

// recover recovers a panic of p, if its frame was deferred by one that unwinds, and returns it.
func (p *Proc) recover() heap.Value {
	n := len(p.stack)
	if n < 2 || p.panicking == nil || p.exiting || p.recovered || !p.stack[n-1].deferred ||
		!p.stack[n-2].unwinding {
		return heap.Nil{}
	}
	p.recovered = true
	v := p.m.heap.Fresh(types.NewInterfaceType(nil, nil), "a panic", p.panicking.Pos)
	p.m.heap.IsSet(v)
	return v
}

// close closes a channel.
func (p *Proc) close(o *heap.Object, pos token.Pos) {
	switch {
	case o == nil:
		p.panics(p.failure("close of nil channel", pos))
	case o.Foreign && !o.Timed:
		p.note(trace.Close, o, pos)
	default:
		p.declare(trace.Op{Kind: trace.Close, Obj: o.ID, Cap: o.Cap}, pos, nil)
	}
}
