package discipline

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// foreignAccess returns an access to the state that w is a write to, on a goroutine other than p's,
// with nothing that puts the two in order, and words for where that is.
func (c *code) foreignAccess(p *process, w access) (*access, string) {
	for _, a := range c.sameState(w) {
		switch {
		case !p.runs[a.at.Parent()] && c.byCaller(p, a):
			return &a, ", on its caller's goroutine"
		case !p.runs[a.at.Parent()] && c.afterSend(p, w, a):
			return &a, ", just after it has sent a message"
		case a.at != w.at && c.byOther(p, w, a):
			return &a, ", on another goroutine"
		}
	}
	return nil, ""
}

// sameState returns the accesses to the state of w.
func (c *code) sameState(w access) []access {
	if w.variable != nil {
		return c.variableAccesses(w.variable)
	}
	return slices.DeleteFunc(slices.Clone(c.accesses(c.fieldOwner(w))), func(a access) bool { return a.field != w.field })
}

// byCaller reports whether a is in what other packages call when they like, an exported method or a
// function that an exported function returns, before anything that may wait for p. Whoever starts p
// is not among them.
func (c *code) byCaller(p *process, a access) bool {
	fn := a.at.Parent()
	if c.starts(fn, p) || c.waitsBefore(a.at) {
		return false
	}
	if a.variable != nil {
		return c.returned(fn)
	}
	q, ok := a.at.(*ssa.FieldAddr).X.(*ssa.Parameter)
	return ok && paramIndex(q) == 0 && c.public(fn)
}

// returned reports whether fn is a function literal that an exported function returns.
func (c *code) returned(fn *ssa.Function) bool {
	if fn.Parent() == nil || !c.exported(fn.Parent()) || c.pass.Pkg.Name() == "main" {
		return false
	}
	found := false
	eachOf(fn.Parent(), func(i ssa.Instruction) {
		if r, ok := i.(*ssa.Return); ok {
			found = found || slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
				m, ok := v.(*ssa.MakeClosure)
				return ok && m.Fn == fn
			})
		}
	})
	return found
}

// starts reports whether fn comes to start p.
func (c *code) starts(fn *ssa.Function, p *process) bool {
	in := c.reach(fn)
	return slices.ContainsFunc(p.starts, func(g ssa.Instruction) bool { return in[g.Parent()] })
}

// waitsBefore reports whether something on the way to i in its function may have waited for another
// process.
func (c *code) waitsBefore(i ssa.Instruction) bool {
	found := false
	eachOf(i.Parent(), func(w ssa.Instruction) {
		found = found || w != i && c.waits(w) && reaches(w, i, nil)
	})
	return found
}

// afterSend reports whether a follows a send of its function to a mailbox of p's, with nothing in
// between that waits, and p comes from the receive of each message to w.
func (c *code) afterSend(p *process, w, a access) bool {
	return slices.ContainsFunc(c.ops, func(s *op) bool {
		if s.kind != sends || !s.alone || s.in() != a.at.Parent() || !c.oneObject(s, a) {
			return false
		}
		ch := c.flow.of(s.ch)
		return !ch.open && len(ch.ops[receives]) == 1 && c.comesTo(p, ch.ops[receives][0], w) &&
			reaches(s.at, a.at, func(i ssa.Instruction) bool { return c.waits(i) && !isClose(i) })
	})
}

func isClose(i ssa.Instruction) bool {
	call, ok := i.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "close"
}

// oneObject reports whether the mailbox of s and the state of a belong together: they are fields of
// one object, or local to one function.
func (c *code) oneObject(s *op, a access) bool {
	at := c.locate(s.ch)
	if a.variable == nil {
		state := c.locate(a.at.(ssa.Value))
		return at.last != nil && at.root == state.root && owner(at) == owner(state)
	}
	m, ok := at.root.(*ssa.MakeChan)
	return ok && at.last == nil && m.Parent() == a.variable.Parent()
}

// owner returns the fields by which the struct is found of which l is a field.
func owner(l locus) string { return l.fields[:strings.LastIndexByte(l.fields, '.')] }

// comesTo reports whether p, each time it has received by r, comes to w, which is in the same
// function, before it receives again or ends.
func (c *code) comesTo(p *process, r *op, w access) bool {
	b, i := after(r)
	if b == nil || r.in() != p.root || w.at.Parent() != p.root || !reaches(r.at, w.at, nil) {
		return false
	}
	return searchEdges(b, i, func(i ssa.Instruction) answer {
		_, returns := i.(*ssa.Return)
		switch {
		case i == w.at:
			return blocked
		case returns || len(c.byInstr[i]) > 0:
			return found
		}
		return onward
	}, func(b *ssa.BasicBlock, k int) bool {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && k == 1 && isOk(branch.Cond, r) // the mailbox has been closed
	}) == nil
}

// isOk reports whether v tells whether r has received a message.
func isOk(v ssa.Value, r *op) bool {
	x, ok := v.(*ssa.Extract)
	from, _ := r.at.(ssa.Value)
	return ok && x.Index == 1 && x.Tuple == from
}

// byOther reports whether another process of the package than p, with the same object, comes to a,
// and neither waits for anybody nor wakes anybody.
func (c *code) byOther(p *process, w, a access) bool {
	return slices.ContainsFunc(append(slices.Clip(c.procs), c.timers...), func(q *process) bool {
		return q != p && q.runs[a.at.Parent()] && c.besideEachOther(p, w, q, a) && c.mute(p, q, a)
	})
}

// timed returns the processes that time.AfterFunc starts, and that nobody can stop.
func (c *code) timed() []*process {
	var out []*process
	c.each(func(i ssa.Instruction) {
		v, ok := i.(ssa.Value)
		if !ok {
			return
		}
		call := callOf(v, "time.AfterFunc")
		if call == nil || len(*call.Referrers()) > 0 {
			return
		}
		if m, ok := call.Call.Args[1].(*ssa.MakeClosure); ok {
			if fn := c.target(m); fn != nil {
				out = append(out, &process{fn, []ssa.Instruction{m}, c.reach(fn)})
			}
		}
	})
	return out
}

// target returns the function literal or the method of the package that m is a value of, or nil.
func (c *code) target(m *ssa.MakeClosure) *ssa.Function {
	fn := m.Fn.(*ssa.Function)
	if obj, ok := fn.Object().(*types.Func); ok && c.canon(fn) == nil {
		fn = fn.Prog.FuncValue(obj)
	}
	return c.canon(fn)
}

// besideEachOther reports whether p starts q, or the function that starts p goes on to start q, or
// the other way round, and w and a are to the same variable or object.
func (c *code) besideEachOther(p *process, w access, q *process, a access) bool {
	for _, gq := range q.starts {
		if p.runs[gq.Parent()] && c.stateOf(q, a, gq) == c.stateIn(p, w) {
			return true
		}
		for _, gp := range p.starts {
			if gp.Parent() == gq.Parent() && c.stateOf(q, a, gq) == c.stateOf(p, w, gp) && (reaches(gp, gq, c.waits) || reaches(gq, gp, c.waits)) {
				return true
			}
		}
	}
	return false
}

// stateIn returns the variable, or the field as p has it, that a is an access to.
func (c *code) stateIn(p *process, a access) locus {
	if a.variable != nil {
		return locus{root: a.variable}
	}
	return c.locateIn(p, a.at.(ssa.Value))
}

// stateOf is stateIn for the function that starts p by start.
func (c *code) stateOf(p *process, a access, start ssa.Instruction) locus {
	return c.origin(p, c.stateIn(p, a), start)
}

// mute reports whether q neither waits nor wakes, but for the time that passes and orders to stop,
// on its ways to a. What it does at its end may wake p if that has started it.
func (c *code) mute(p, q *process, a access) bool {
	byP := slices.ContainsFunc(q.starts, func(g ssa.Instruction) bool { return p.runs[g.Parent()] })
	ok := true
	for fn := range q.runs {
		eachOf(fn, func(i ssa.Instruction) {
			switch x := i.(type) {
			case *ssa.RunDefers:
			case *ssa.Defer:
				ok = ok && !(byP && c.callWaits(x.Common()))
			case *ssa.Select:
				ok = ok && c.onTick(q, x, a)
			case *ssa.UnOp:
				ok = ok && !slices.ContainsFunc(c.byInstr[i], func(o *op) bool { return !c.isClock(o.ch) })
			case *ssa.Call:
				ok = ok && (c.static(x.Common()) != nil || !c.waits(i))
			default:
				ok = ok && len(c.byInstr[i]) == 0
			}
		})
	}
	return ok
}

func (c *code) isClock(ch ssa.Value) bool { return c.isTime(ch) && !c.isContext(ch) }

// onTick reports whether sel, of q, waits for time and orders to stop only, and q comes to a by
// time.
func (c *code) onTick(q *process, sel *ssa.Select, a access) bool {
	var ticks []*ssa.BasicBlock
	for _, o := range c.byInstr[sel] {
		switch b, _ := after(o); {
		case o.kind != receives || b == nil:
			return false
		case c.isClock(o.ch):
			ticks = append(ticks, b)
		case !isSignal(o.ch):
			return false
		}
	}
	for _, i := range c.leading(q, a.at) {
		if i.Parent() == sel.Parent() && !slices.ContainsFunc(ticks, func(b *ssa.BasicBlock) bool { return b.Dominates(i.Block()) }) {
			return false
		}
	}
	return sel.Blocking && len(ticks) > 0
}
