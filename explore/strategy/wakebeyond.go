package strategy

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in optimal: see context.go, and taskbeyond.go for why nothing is lost; events take the
// place of deliveries.

// meets reports whether all that follows n, a new station of state s, has been explored. If not, n
// may have a meeting. What is to be explored from n, and sleeps, is dropped.
func (d *Optimal) meets(n *station, s *trace.State) bool {
	c := &d.context
	if c.look == nil {
		return false
	}
	n.tree = slices.DeleteFunc(n.tree, func(w *wake) bool {
		a, ok := d.names.alt(w.label)
		return ok && oContains(n.sleep, a)
	})
	switch {
	case n.held:
		c.obscure(everywhere)
		return false
	case !resting(s):
		return false
	}
	var sleep []asleep
	for _, z := range n.sleep {
		sleep = append(sleep, asleep{alt: z.event.Alt, final: z.final})
	}
	return c.meets(&meeting{at: len(d.stack), sleep: sleep}, s)
}

// findBeyond finds the events that are in races with what follows the meeting where the execution
// was cut off.
func (r *races) findBeyond() {
	r.beyond = append(r.beyond[:0], make([]bool, r.n)...)
	r.d.context.beyond(r.x, &r.d.order, func(i, _ int32) { r.beyond[i] = true })
}

// raceBeyond puts into the tree of station i what comes first of all that does not happen after
// event i.
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
func (d *Optimal) explores(n *station, a trace.Alt) bool {
	l := d.names.label(a)
	return n.taken == a || oContains(n.sleep, a) || oContains(n.done, a) || slices.ContainsFunc(n.tree, func(w *wake) bool { return w.label == l })
}

// plant puts an event into the tree of n, alone.
func (n *station) plant(d *Optimal, t *turn) {
	d.added += nodeSize
	n.tree = append(n.tree, &wake{turn: t, stands: true})
}

// begins reports whether z, which covers the cut and e, is a part of them: with contexts it covers
// them only then, if it sleeps.
func (r *races) begins(z *oSleeper, e *trace.Event) bool {
	p, q := z.event.Proc, z.event.Partner
	return !r.d.context.strict() || r.firstOf(p) >= 0 || r.firstOf(q) >= 0 || e.Involves(p) || q >= 0 && e.Involves(q)
}

// Contexts implements what a report asks for.
func (d *Optimal) Contexts() Contexts {
	return Contexts{d.context.cuts, 0, d.context.looked, d.context.unknown}
}
