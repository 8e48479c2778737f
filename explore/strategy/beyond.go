package strategy

import (
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in dpor: see context.go.

// meets reports whether all that follows n, a new node of state s, has been explored. If not, n may
// have a meeting.
func (d *DPOR) meets(n *node, s *trace.State) bool {
	c := &d.context
	switch {
	case c.look == nil:
		return false
	case n.held:
		c.obscure(everywhere)
		return false
	case !resting(s):
		return false
	}
	var sleep []asleep
	for _, z := range n.sleep {
		sleep = append(sleep, asleep{alt: z.event.Alt, final: z.final, task: z.task != nil, apart: z.task != nil && z.task.apart})
	}
	met := c.meets(&meeting{at: len(d.stack), sleep: sleep}, s)
	if met {
		d.refine.meets(s)
	}
	return met
}

// resting reports whether the process that moved last is between two tasks, or has ended.
func resting(s *trace.State) bool {
	if s.Last < 0 {
		return false
	}
	op := s.Procs[s.Last]
	return op == nil || op.Kind == trace.Recv || op.Kind == trace.Select
}

// findContext adds to the backtrack sets what is asked for by the races of x, if that has been cut
// off at a meeting, with what follows there.
func (d *DPOR) findContext(x *trace.Execution) {
	d.context.beyond(x, &d.order, func(i, q int32) { d.raceBeyond(x, i, q) })
}

// raceBeyond is race, where the second event is one of process q, or of one that comes from it, at
// some time after x.
func (d *DPOR) raceBeyond(x *trace.Execution, i, q int32) {
	n, k := d.stack[i], int32(d.order.Len())
	if d.covered(n, x, i, k) {
		return
	}
	if e := d.firstOf(x, i, k, q); e != nil {
		n.add(n.lighter(e.Alt))
		return
	}
	n.addAll()
}

// meets counts the last two tasks of the process that moved last: their order has led to a state
// that has been explored.
func (r *refiner) meets(s *trace.State) {
	if r.tasks == nil {
		return
	}
	var last []handlers.Ref // of the latest task, then of the one before
	for k := len(s.Events) - 1; k >= 0 && len(last) < 2; k-- {
		if e := &s.Events[k]; e.Proc == s.Last && e.Takes.Number > 0 {
			if t, ok := r.tasks.DeliveryBy(&e.Op, e.Alt); ok {
				last = append(last, t.Handlers[0])
			}
		}
	}
	if len(last) == 2 && last[0].Actor == last[1].Actor {
		r.matrix.Add(handlers.Why{First: last[1], Second: last[0], Fact: "context"})
		r.met++
	}
}

// Contexts implements what a report asks for.
func (d *DPOR) Contexts() Contexts {
	return Contexts{d.context.cuts, d.refine.met, d.context.looked, d.context.unknown}
}
