package discipline

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// leftBehind reports p if a function starts it over channels of its own, and returns: nobody can
// send to p then, or close one of its channels. A program that ends takes its goroutines with it,
// and so does a test.
func (c *rule) leftBehind(p *process) {
	r := c.endless(p)
	if r == nil || len(p.starts) != 1 || !isGo(p.starts[0]) || c.inTest(p.starts[0].Pos()) {
		return
	}
	start := p.starts[0]
	m := c.onlyOwn(p, start)
	if m == nil || !mayReturn(start) || c.onceOnly(start.Parent()) {
		return
	}
	fn := name(start.Parent())
	c.report(r.pos, m.Pos(), "made here", "%s stays for ever when %s returns: only %s sends to %s, made at %s, and nobody closes it",
		name(p.root), fn, fn, c.nameOf(r), c.at(m.Pos()))
}

// mayReturn reports whether the function goes on from i to its end.
func mayReturn(i ssa.Instruction) bool {
	return search(i.Block(), indexOf(i)+1, func(i ssa.Instruction) answer {
		if _, ok := i.(*ssa.Return); ok {
			return found
		}
		return onward
	}) != nil
}

// onceOnly reports whether fn is part of an init function, or may be run by the main goroutine
// only.
func (c *code) onceOnly(fn *ssa.Function) bool {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	if isInit(outer) {
		return true
	}
	return c.pass.Pkg.Name() == "main" && !slices.ContainsFunc(c.procs, func(q *process) bool { return q.runs[fn] })
}

// onlyOwn returns the make of one of the channels for which p waits in its loop, if the function
// that starts it by start has made all of them for it alone; or nil.
func (c *code) onlyOwn(p *process, start ssa.Instruction) *ssa.MakeChan {
	var one *ssa.MakeChan
	for _, o := range c.ops {
		if o.in() != p.root || !cyclic(o.at) || o.alone && o.kind != receives {
			continue
		}
		if sel, ok := o.at.(*ssa.Select); ok && !sel.Blocking || o.kind != receives {
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
func (c *code) ownChannel(p *process, o *op, start ssa.Instruction) *ssa.MakeChan {
	l := c.origin(p, c.locateIn(p, o.ch), start)
	m, ok := l.root.(*ssa.MakeChan)
	if !ok || l.last != nil || m.Parent() != start.Parent() || !c.confined(m, maxTask) {
		return nil
	}
	ch := c.flow.of(m)
	if ch.open || len(ch.ops[closes]) > 0 || len(ch.ops[sends]) == 0 {
		return nil
	}
	if slices.ContainsFunc(ch.ops[sends], func(s *op) bool { return s.in() != m.Parent() }) {
		return nil
	}
	return m
}

// confined reports whether v, a channel, is used in operations only, by its function and by those
// of the package that get it: nothing keeps it.
func (c *code) confined(v ssa.Value, depth int) bool {
	return depth > 0 && !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool { return !c.confines(ref, v, depth) })
}

func (c *code) confines(ref ssa.Instruction, v ssa.Value, depth int) bool {
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
func (c *code) callConfines(call *ssa.CallCommon, v ssa.Value, depth int) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return true
	}
	fn := c.static(call)
	for i, a := range call.Args {
		if a == v && (fn == nil || !c.confined(fn.Params[i], depth-1)) {
			return false
		}
	}
	return call.Value != v
}

// confinedIn is confined for what is in a variable, which function literals may have captured.
func (c *code) confinedIn(variable ssa.Value, depth int) bool {
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
