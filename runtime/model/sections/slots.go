package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Condition C11 of semaphores.go: what a process does between taking a slot and giving it back.

// pairs reports whether u, from its use number from on, only takes slots by operations of a kind,
// and gives each back soon (C1).
func (g *semaphore) pairs(x *trace.Execution, u *user, from int, kind trace.Kind) bool {
	for i := from; i < len(u.uses); i += 2 {
		switch {
		case u.uses[i].kind != kind:
			return false
		case i+1 == len(u.uses):
			// An execution that is cut off may not have come to the give. In another one, a
			// process that has done no step since the take holds no slot.
			return x.End == trace.Cut ||
				x.End != trace.Quiet && g.lends != trace.None && g.steps(x, &u.uses[i], nil) == nil
		case u.uses[i+1].kind == kind || !g.soon(x, &u.uses[i], &u.uses[i+1]):
			return false
		}
	}
	return true
}

// soon reports whether the process of u, which takes a slot, gives it back soon by v (C11).
func (g *semaphore) soon(x *trace.Execution, u, v *use) bool {
	quiet := 0
	if g.Counted {
		quiet = 1 // u
	}
	if v.hidden != u.hidden || v.quiet != u.quiet+quiet {
		return false
	}
	steps := g.steps(x, u, v)
	if len(steps) == 0 {
		return true
	}
	k := int(steps[0])
	e := &x.Events[k]
	switch {
	case v.causes != u.causes || e.Proc != u.proc || e.Partner >= 0:
		return false
	case len(steps) == 1:
		return e.Kind == trace.Log || e.Kind == trace.WgAdd || e.Kind == trace.AtomicLoad ||
			e.Kind == trace.AtomicStore || e.Kind == trace.AtomicUpdate ||
			e.Kind == trace.Send && !e.Closed && hasRoom(x, e)
	}
	return len(steps) == 2 && isWhole(x, k) && onlyWhole(x, e.Obj)
}

// hasRoom reports whether the channel of e, a send, has room for all that is sent into it.
func hasRoom(x *trace.Execution, e *trace.Event) bool {
	n := int32(0)
	for k := range x.Events {
		if f := &x.Events[k]; f.Obj == e.Obj && f.Kind == trace.Send {
			n++
		}
	}
	for q := range x.Procs {
		p := &x.Procs[q]
		sends := p.Pending.Obj == e.Obj || slices.ContainsFunc(p.Pending.Cases,
			func(o trace.Case) bool { return o.Obj == e.Obj })
		if !p.Ended && sends {
			n++
		}
	}
	return e.Cap > 0 && n <= e.Cap
}

// steps lists the events of the process of u between u and v, or the end if v is nil.
func (g *semaphore) steps(x *trace.Execution, u, v *use) (list []int32) {
	end := int32(len(x.Events))
	if v != nil {
		end = min(end, v.at)
	}
	for k := u.at; k < end; k++ {
		e := &x.Events[k]
		q, serves := e.Server()
		if e.Obj != g.ID && (e.Proc == u.proc || e.Partner == u.proc || serves && q == u.proc) {
			list = append(list, k)
		}
	}
	return list
}

// isWhole reports whether event k begins a section that the next event ends.
func isWhole(x *trace.Execution, k int) bool {
	e := &x.Events[k]
	if e.Op.Sectioned() == 0 || !begins(e.Kind) || e.Kind == trace.WLock && !e.OK ||
		k+1 == len(x.Events) {
		return false
	}
	next := &x.Events[k+1]
	return next.Proc == e.Proc && next.Obj == e.Obj && ends(next.Kind, e.Kind == trace.RLock)
}

// onlyWhole reports whether a mutex is locked for nothing but such sections, up to one in which the
// execution may have been cut off.
func onlyWhole(x *trace.Execution, obj int32) bool {
	for k := 0; k < len(x.Events); k++ {
		switch {
		case x.Events[k].Obj != obj || k+1 == len(x.Events) && x.End == trace.Cut:
		case !isWhole(x, k):
			return false
		default:
			k++
		}
	}
	return true
}
