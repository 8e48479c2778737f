package dpor

import (
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in dpor: see package revisit.

// meets reports whether all that follows n, a new station of state s, has been explored. If not, n
// may have a visit.
func (d *Search) meets(n *station, s *trace.State) bool {
	c := &d.Context
	switch {
	case c.Look == nil:
		return false
	case n.held.Any():
		c.Obscure(revisit.Everywhere)
		return false
	case !revisit.Resting(s):
		return false
	}
	var sleep []revisit.Asleep
	for _, z := range n.sleep {
		sleep = append(sleep, revisit.Asleep{Alt: z.Event.Alt, Final: z.Final, Task: z.task != nil,
			Apart: z.task != nil && z.task.apart})
	}
	met := c.Meets(&revisit.Visit{At: len(d.stack), Sleep: sleep}, s)
	if met {
		d.refine.meets(s)
	}
	return met
}

// findContext adds processes to the backtrack sets if the execution has been cut off at a visit:
// those that reverse races with later operations.
func (r races) findContext() { r.d.Context.Beyond(r.x, &r.d.order, r.beyond) }

// beyond reverses the race of event i with an event at some time after the execution, of process q
// or of a process that descends from q.
func (r races) beyond(i, q int32) {
	n, last := r.d.stack[i], race{races: r, i: i, k: int32(r.d.order.Len()), q: q}
	if last.covered(n) {
		return
	}
	if e := last.first(); e != nil {
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
