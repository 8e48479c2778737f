package isolation

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// foreignAccess returns an access to the state that w writes, on a goroutine other than p's, if
// nothing orders the two, and words for where the access is.
func (c check) foreignAccess(p *discipline.Process, w access) (*access, string) {
	for _, a := range c.sameState(w) {
		switch {
		case !p.Runs[a.at.Parent()] && c.byCaller(p, a):
			return &a, ", on its caller's goroutine"
		case !p.Runs[a.at.Parent()] && c.afterSend(p, w, a):
			return &a, ", just after it has sent a message"
		case a.at != w.at && c.byOther(p, w, a):
			return &a, ", on another goroutine"
		}
	}
	return nil, ""
}

// sameState returns the accesses to the state of w.
func (c check) sameState(w access) []access {
	if w.variable != nil {
		return c.variableAccesses(w.variable)
	}
	return slices.DeleteFunc(slices.Clone(c.accesses(c.fieldOwner(w))),
		func(a access) bool { return a.field != w.field })
}

// byCaller reports whether a is in a function that other packages call when they like, and before
// any operation that may wait for p. Such a function is an exported method, or returned by an
// exported function. A function that starts p is not among them.
func (c check) byCaller(p *discipline.Process, a access) bool {
	fn := a.at.Parent()
	if c.Starts(fn, p) || c.waitsBefore(a.at) {
		return false
	}
	if a.variable != nil {
		return c.returned(fn)
	}
	q, ok := a.at.(*ssa.FieldAddr).X.(*ssa.Parameter)
	return ok && kernel.ParamIndex(q) == 0 && c.Public(fn)
}

// returned reports whether fn is a function literal that an exported function returns.
func (c check) returned(fn *ssa.Function) bool {
	if fn.Parent() == nil || !c.Exported(fn.Parent()) || c.Pass.Pkg.Name() == "main" {
		return false
	}
	for i := range kernel.All(fn.Parent()) {
		r, ok := i.(*ssa.Return)
		if ok && slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
			m, ok := v.(*ssa.MakeClosure)
			return ok && m.Fn == fn
		}) {
			return true
		}
	}
	return false
}

// waitsBefore reports whether something on the way to i in its function may have waited for another
// process.
func (c check) waitsBefore(i ssa.Instruction) bool {
	for w := range kernel.All(i.Parent()) {
		if w != i && c.Waits(w) && kernel.Reaches(w, i, nil) {
			return true
		}
	}
	return false
}

// afterSend reports whether a follows a send of its function to a mailbox of p's, with nothing in
// between that waits, and p comes from the receive of each message to w.
func (c check) afterSend(p *discipline.Process, w, a access) bool {
	return slices.ContainsFunc(c.Ops, func(s *discipline.Op) bool {
		if s.Kind != discipline.Send || !s.Alone || s.In() != a.at.Parent() || !c.oneObject(s, a) {
			return false
		}
		ch := c.Flow.Of(s.Ch)
		return !ch.Open && len(ch.Ops[discipline.Receive]) == 1 &&
			c.comesTo(p, ch.Ops[discipline.Receive][0], w) &&
			kernel.Reaches(s.At, a.at, func(i ssa.Instruction) bool {
				return c.Waits(i) && !isClose(i)
			})
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
func (c check) oneObject(s *discipline.Op, a access) bool {
	at := discipline.Locate(s.Ch)
	if a.variable == nil {
		state := discipline.Locate(a.at.(ssa.Value))
		return at.Last != nil && at.Root == state.Root && owner(at) == owner(state)
	}
	m, ok := at.Root.(*ssa.MakeChan)
	return ok && at.Last == nil && m.Parent() == a.variable.Parent()
}

// owner returns the fields by which the struct is found of which l is a field.
func owner(l discipline.Locus) string { return l.Fields[:strings.LastIndexByte(l.Fields, '.')] }

// comesTo reports whether p, each time it has received by r, comes to w, which is in the same
// function, before it receives again or ends.
func (c check) comesTo(p *discipline.Process, r *discipline.Op, w access) bool {
	b, i := discipline.After(r)
	if b == nil || r.In() != p.Root || w.at.Parent() != p.Root || !kernel.Reaches(r.At, w.at, nil) {
		return false
	}
	return kernel.SearchEdges(b, i, func(i ssa.Instruction) kernel.Answer {
		_, returns := i.(*ssa.Return)
		switch {
		case i == w.at:
			return kernel.Blocked
		case returns || len(c.ByInstr[i]) > 0:
			return kernel.Found
		}
		return kernel.Onward
	}, func(b *ssa.BasicBlock, k int) bool {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && k == 1 && isOk(branch.Cond, r) // the mailbox has been closed
	}) == nil
}

// isOk reports whether v tells whether r has received a message.
func isOk(v ssa.Value, r *discipline.Op) bool {
	x, ok := v.(*ssa.Extract)
	from, _ := r.At.(ssa.Value)
	return ok && x.Index == 1 && x.Tuple == from
}

// byOther reports whether another process of the package than p, with the same object, comes to a,
// and neither waits for anybody nor wakes anybody.
func (c check) byOther(p *discipline.Process, w, a access) bool {
	return slices.ContainsFunc(append(slices.Clip(c.Procs), c.Timers...),
		func(q *discipline.Process) bool {
			return q != p && q.Runs[a.at.Parent()] && c.besideEachOther(p, w, q, a) &&
				c.mute(p, q, a)
		})
}

// besideEachOther reports whether p starts q, or the function that starts p goes on to start q, or
// the other way round, and w and a are to the same variable or object.
func (c check) besideEachOther(p *discipline.Process, w access, q *discipline.Process,
	a access) bool {
	for _, gq := range q.Starts {
		if p.Runs[gq.Parent()] && c.stateOf(q, a, gq) == c.stateIn(p, w) {
			return true
		}
		for _, gp := range p.Starts {
			if gp.Parent() == gq.Parent() && c.stateOf(q, a, gq) == c.stateOf(p, w, gp) &&
				(kernel.Reaches(gp, gq, c.Waits) || kernel.Reaches(gq, gp, c.Waits)) {
				return true
			}
		}
	}
	return false
}

// stateIn returns the variable, or the field as p has it, that a is an access to.
func (c check) stateIn(p *discipline.Process, a access) discipline.Locus {
	if a.variable != nil {
		return discipline.Locus{Root: a.variable}
	}
	return c.LocateIn(p, a.at.(ssa.Value))
}

// stateOf is stateIn for the function that starts p by start.
func (c check) stateOf(p *discipline.Process, a access, start ssa.Instruction) discipline.Locus {
	return c.Origin(p, c.stateIn(p, a), start)
}

// mute reports whether q neither waits nor wakes, but for the time that passes and orders to stop,
// on its ways to a. Deferred calls of q count only if p has started q: then they may wake p.
func (c check) mute(p, q *discipline.Process, a access) bool {
	byP := slices.ContainsFunc(q.Starts, func(g ssa.Instruction) bool { return p.Runs[g.Parent()] })
	ok := true
	for fn := range q.Runs {
		for i := range kernel.All(fn) {
			switch x := i.(type) {
			case *ssa.RunDefers:
			case *ssa.Defer:
				ok = ok && !(byP && c.CallWaits(x.Common()))
			case *ssa.Select:
				ok = ok && c.onTick(q, x, a)
			case *ssa.UnOp:
				ok = ok && !slices.ContainsFunc(c.ByInstr[i],
					func(o *discipline.Op) bool { return !discipline.IsClock(o.Ch) })
			case *ssa.Call:
				ok = ok && (c.Static(x.Common()) != nil || !c.Waits(i))
			default:
				ok = ok && len(c.ByInstr[i]) == 0
			}
		}
	}
	return ok
}

// onTick reports whether sel, of q, waits for time and orders to stop only, and q comes to a by
// time.
func (c check) onTick(q *discipline.Process, sel *ssa.Select, a access) bool {
	var ticks []*ssa.BasicBlock
	for _, o := range c.ByInstr[sel] {
		switch b, _ := discipline.After(o); {
		case o.Kind != discipline.Receive || b == nil:
			return false
		case discipline.IsClock(o.Ch):
			ticks = append(ticks, b)
		case !kernel.IsSignal(o.Ch):
			return false
		}
	}
	for _, i := range c.Leading(q, a.at) {
		if i.Parent() == sel.Parent() &&
			!slices.ContainsFunc(ticks, func(b *ssa.BasicBlock) bool {
				return b.Dominates(i.Block())
			}) {
			return false
		}
	}
	return sel.Blocking && len(ticks) > 0
}
