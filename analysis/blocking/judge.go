package blocking

import (
	"slices"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// stuck lists the processes of a quiet execution that can never go on, whatever unseen code does:
// the criterion of Go's goroutine leak profile, on the machine's heap.
//
// A process is live if it waits for something from outside, or for an object that outside code or a
// live process can reach. A process that waits for a lock is live only if a holder of the lock is.
func stuck(m *machine.Machine, x *trace.Execution) []*machine.Proc {
	if x.End != trace.Quiet || m.Over != "" {
		return nil
	}
	var waiting []*machine.Proc
	for _, p := range m.Procs {
		if !p.Ended && !p.Outsider {
			waiting = append(waiting, p)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	reach := m.Reach()
	for {
		i := slices.IndexFunc(waiting, func(p *machine.Proc) bool {
			return live(m, reach, p, waiting)
		})
		if i < 0 {
			return waiting
		}
		waiting[i].Reaches(reach)
		waiting = slices.Delete(waiting, i, i+1)
	}
}

// live reports whether p may go on, if all processes outside of waiting may.
func live(m *machine.Machine, reach *heap.Reach, p *machine.Proc, waiting []*machine.Proc) bool {
	op := p.Operation()
	if p.Waits || op.Kind == trace.Select && len(op.Cases) == 0 {
		return true // or it is meant to wait for ever
	}
	if op.Obj >= 0 {
		if owed, ok := m.Owed[m.Objects()[op.Obj].Path]; ok {
			return !slices.ContainsFunc(waiting, func(q *machine.Proc) bool {
				return q.At == owed.At
			})
		}
	}
	switch op.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.WWait, trace.Once:
		return !held(m.Objects()[op.Obj], waiting)
	case trace.Select:
		return slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
			return c.Obj >= 0 &&
				outside(m.Objects()[c.Obj], reach)
		})
	}
	return op.Obj >= 0 && outside(m.Objects()[op.Obj], reach)
}

// held reports whether a lock stays locked: a holder has ended, or waits, or a waiting writer keeps
// readers out.
func held(o *heap.Object, waiting []*machine.Proc) bool {
	if o.Wanders {
		return false
	}
	return slices.ContainsFunc(o.Holders, func(h heap.Hold) bool {
		return h.Proc.Ended || slices.ContainsFunc(waiting, func(p *machine.Proc) bool {
			return &p.Process == h.Proc
		})
	})
}

// outside reports whether somebody else may act on an object.
func outside(o *heap.Object, reach *heap.Reach) bool {
	return o.Foreign || o.Ticks || reach.Has(o)
}
