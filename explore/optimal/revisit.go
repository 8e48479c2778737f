package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in optimal: see package revisit, and package tasks for why nothing is lost; events take
// the place of deliveries.

// meets reports whether all that follows n, a new station of state s, has been explored. If not, n
// may have a visit. Branches of n that sleep are dropped.
func (d *Search) meets(n *station, s *trace.State) bool {
	c := &d.Context
	if c.Look == nil {
		return false
	}
	n.tree = slices.DeleteFunc(n.tree, func(w *wake) bool {
		a, ok := d.names.Alt(w.Event.Label)
		return ok && contains(n.sleep, a)
	})
	switch {
	case n.held:
		c.Obscure(revisit.Everywhere)
		return false
	case !revisit.Resting(s):
		return false
	}
	var sleep []revisit.Asleep
	for _, z := range n.sleep {
		sleep = append(sleep, revisit.Asleep{Alt: z.Event.Alt, Final: z.Final})
	}
	return c.Meets(&revisit.Visit{At: len(d.stack), Sleep: sleep}, s)
}

// findBeyond finds the events that are in races with events after the visit at which the execution
// was cut off.
func (r *races) findBeyond() {
	r.beyond = append(r.beyond[:0], make([]bool, r.n)...)
	r.d.Context.Beyond(r.x, &r.d.order, func(i, _ int32) { r.beyond[i] = true })
}

// raceBeyond puts into the tree of station i the first event that does not happen after event i; if
// there is none, all alternatives.
func (r *races) raceBeyond() {
	n := r.d.stack[r.i]
	first := int32(-1)
	for k := r.i + 1; k < r.n; k++ {
		switch {
		case r.d.order.LastPredecessor(k) >= r.i:
		case r.d.explores(n, r.x.Events[k].Alt):
			return
		case first < 0:
			first = k
		}
	}
	if first >= 0 {
		n.plant(r.d, r.turn(first, n.known))
		return
	}
	r.d.coarse = r.d.coarse || n.alts == nil
	for _, a := range n.alts {
		if !r.d.explores(n, a) {
			e := r.event(a)
			n.plant(r.d, r.d.newTurn(&e))
		}
	}
}

// explores reports whether a has been explored at n, will be, or sleeps.
func (d *Search) explores(n *station, a trace.Alt) bool {
	l := d.names.Label(a)
	return n.taken == a || contains(n.sleep, a) || contains(n.done, a) ||
		slices.ContainsFunc(n.tree, func(w *wake) bool { return w.Event.Label == l })
}

// plant puts an event into the tree of n, alone.
func (n *station) plant(d *Search, t *turn) {
	d.added += nodeSize
	n.tree.Add(t).Stands = true
}

// begins reports whether z, which covers the cut and e, is a part of them. With contexts, a
// sleeping z covers them only then.
func (r *races) begins(z *sleeper, e *trace.Event) bool {
	p, q := z.Event.Proc, z.Event.Partner
	return !r.d.Context.Strict() || r.firstOf(p) >= 0 || r.firstOf(q) >= 0 || e.Involves(p) ||
		q >= 0 && e.Involves(q)
}
