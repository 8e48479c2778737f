package nostop

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// leftBehind reports p if a function starts it over channels of its own, and returns: nobody can
// send to p then, or close one of its channels. A program that ends takes its goroutines with it,
// and so does a test.
func (c check) leftBehind(p *discipline.Process) {
	r := c.endless(p)
	if r == nil || len(p.Starts) != 1 || !kernel.IsGo(p.Starts[0]) || c.InTest(p.Starts[0].Pos()) {
		return
	}
	start := p.Starts[0]
	m := c.onlyOwn(p, start)
	if m == nil || !mayReturn(start) || c.onceOnly(start.Parent()) {
		return
	}
	fn := discipline.Name(start.Parent())
	c.Report(r.Pos, m.Pos(), "made here",
		"%s stays for ever when %s returns: only %s sends to %s, made at %s, and nobody closes it",
		discipline.Name(p.Root), fn, fn, c.NameOf(r), c.At(m.Pos()))
}

// mayReturn reports whether the function goes on from i to its end.
func mayReturn(i ssa.Instruction) bool {
	return kernel.Search(i.Block(), kernel.IndexOf(i)+1, func(i ssa.Instruction) kernel.Answer {
		if _, ok := i.(*ssa.Return); ok {
			return kernel.Found
		}
		return kernel.Onward
	}) != nil
}

// onceOnly reports whether fn is part of an init function, or may be run by the main goroutine
// only.
func (c check) onceOnly(fn *ssa.Function) bool {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	if isInit(outer) {
		return true
	}
	return c.Pass.Pkg.Name() == "main" &&
		!slices.ContainsFunc(c.Procs, func(q *discipline.Process) bool { return q.Runs[fn] })
}

// onlyOwn returns the make of one of the channels for which p waits in its loop, if the function
// that starts p by start has made all of these channels for p alone; or nil.
func (c check) onlyOwn(p *discipline.Process, start ssa.Instruction) *ssa.MakeChan {
	var one *ssa.MakeChan
	for _, o := range c.Ops {
		if o.In() != p.Root || !kernel.Cyclic(o.At) || o.Alone && o.Kind != discipline.Receive {
			continue
		}
		if sel, ok := o.At.(*ssa.Select); ok && !sel.Blocking || o.Kind != discipline.Receive {
			return nil
		}
		if one = c.ownChannel(p, o, start); one == nil {
			return nil
		}
	}
	return one
}

// ownChannel returns the make of o's channel if the function that starts p by start has made it,
// alone sends to it, and keeps it nowhere, and nobody closes it; or nil.
func (c check) ownChannel(p *discipline.Process, o *discipline.Op,
	start ssa.Instruction) *ssa.MakeChan {
	l := c.Origin(p, c.LocateIn(p, o.Ch), start)
	m, ok := l.Root.(*ssa.MakeChan)
	if !ok || l.Last != nil || m.Parent() != start.Parent() || !c.confined(m, discipline.MaxTask) {
		return nil
	}
	ch := c.Flow.Of(m)
	if ch.Open || len(ch.Ops[discipline.Close]) > 0 || len(ch.Ops[discipline.Send]) == 0 {
		return nil
	}
	if slices.ContainsFunc(ch.Ops[discipline.Send],
		func(s *discipline.Op) bool { return s.In() != m.Parent() }) {
		return nil
	}
	return m
}

// confined reports whether v, a channel, is used in operations only, by its function and by those
// of the package that get it: nothing keeps it.
func (c check) confined(v ssa.Value, depth int) bool {
	return depth > 0 && !slices.ContainsFunc(*v.Referrers(),
		func(ref ssa.Instruction) bool { return !c.confines(ref, v, depth) })
}

func (c check) confines(ref ssa.Instruction, v ssa.Value, depth int) bool {
	switch x := ref.(type) {
	case *ssa.UnOp, *ssa.Select, *ssa.DebugRef:
		return true
	case *ssa.Send:
		return x.X != v
	case *ssa.ChangeType:
		return c.confined(x, depth-1)
	case *ssa.Store:
		_, variable := x.Addr.(*ssa.Alloc)
		return variable && c.confinedIn(x.Addr, depth-1)
	case ssa.CallInstruction:
		return c.callConfines(x.Common(), v, depth)
	}
	return false
}

// callConfines reports whether a call keeps its argument v nowhere.
func (c check) callConfines(call *ssa.CallCommon, v ssa.Value, depth int) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return true
	}
	fn := c.Static(call)
	for i, a := range call.Args {
		if a == v && (fn == nil || !c.confined(fn.Params[i], depth-1)) {
			return false
		}
	}
	return call.Value != v
}

// confinedIn is confined for what is in a variable, which function literals may have captured.
func (c check) confinedIn(variable ssa.Value, depth int) bool {
	return depth > 0 && !slices.ContainsFunc(*variable.Referrers(), func(ref ssa.Instruction) bool {
		switch x := ref.(type) {
		case *ssa.Store:
			return x.Addr != variable
		case *ssa.UnOp:
			return x.Op != token.MUL || !c.confined(x, depth-1)
		case *ssa.MakeClosure:
			inner := x.Fn.(*ssa.Function)
			k := slices.Index(x.Bindings, variable)
			return k >= len(inner.FreeVars) || !c.confinedIn(inner.FreeVars[k], depth-1)
		case *ssa.DebugRef:
			return false
		}
		return true
	})
}
