package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// races is the search for the races of one execution.
type races struct {
	d *Search
	x *trace.Execution
}

// find looks for the races of all new events, and adds the processes that reverse them to the
// backtrack sets. // Alg. 1, l. 5-9
func (r races) find() {
	d, x := r.d, r.x
	d.Context.Follow(x, d.kept)
	d.order.Sweep(x, func(q int32, op *trace.Op) {
		d.Context.Declares(q, op, d.order.Len())
		if !d.TooLate() {
			r.reverse(q, op)
		}
	})
	d.partial = d.partial || depend.Exceeds(x)
	if n := len(x.Events); search.Final(x) && n > 0 && n <= depend.MaxEvents {
		r.reverseEnd(int32(len(x.Events) - 1))
	}
}

// reverse handles the races of the known events with op, which process q does next. It leaves out
// the races of an event that ended the execution, and of operations that can only follow that
// event.
func (r races) reverse(q int32, op *trace.Op) {
	d, x := r.d, r.x
	prev, k := d.order.Previous(x, q), int32(d.order.Len())
	if search.Final(x) && int(k) == len(x.Events) {
		k--
	}
	if prev >= k {
		return
	}
	d.conflicts = d.order.Conflicts(x, q, op, d.conflicts[:0])
	d.conflicts = slices.DeleteFunc(d.conflicts,
		func(c depend.Conflict) bool { return c.Event >= k })
	chained := true // each conflict so far happens before the one after it in the execution
	for j, c := range d.conflicts {
		if j > 0 {
			chained = chained && d.order.Before(c.Event, d.conflicts[j-1].Event)
		}
		if !c.Race || j > 0 && chained && r.mediate(c.Event, d.conflicts[j-1], prev, q, op) {
			continue
		}
		alone := prev < c.Event && d.stack[c.Event].enabled.Has(q) &&
			(chained || r.beforeAll(c.Event, d.conflicts[:j]))
		race{r, c.Event, k, q, alone}.reverse()
	}
}

// mediate reports whether the race of event i with op need not be considered: op was possible
// directly after i, and event k, which comes in between, is in a race with op as well. Then in some
// execution op comes before k, and the race will be found there. This argument holds only if k and
// op are dependent in any case: on one side of a buffered channel. The len of a channel is on no
// side: a send that panics is independent of it.
func (r races) mediate(i int32, k depend.Conflict, prev, q int32, op *trace.Op) bool {
	if of := r.d.of; of != nil && of.eager {
		return false
	}
	e := &r.x.Events[k.Event]
	buffered := op.Cap > 0 && (op.Kind == trace.Send || op.Kind == trace.Recv)
	oneSide := buffered && e.Obj == op.Obj && depend.Side(e) != depend.NoSide &&
		depend.OnSide(e, op)
	return oneSide && k.Race && prev < i && r.d.stack[i+1].enabled.Has(q)
}

// beforeAll reports whether event i happens before each of list.
func (r races) beforeAll(i int32, list []depend.Conflict) bool {
	return !slices.ContainsFunc(list, func(c depend.Conflict) bool {
		return !r.d.order.Before(i, c.Event)
	})
}

// reverseEnd handles the last event k of an execution that ended with it.
func (r races) reverseEnd(k int32) {
	r.d.addAllAt(k)
	for i := range k {
		if r.x.Events[i].Kind == trace.Log && !r.d.order.Before(i, k) {
			race{r, i, k + 1, r.x.Events[k].Proc, false}.reverse()
		}
	}
}

// race is one race: process q, whose operation is event k or comes after all events, is to move
// before event i. Of the events between i and k, those that do not happen after i come before q:
// they are v.
type race struct {
	races
	i, k, q int32
	initial bool // q itself is an initial of v
}

// reverse ensures that some execution is explored in which q moves before event i.
func (r race) reverse() {
	n := r.d.stack[r.i]
	switch {
	case r.unmade():
		r.d.addAllAt(r.i)
	case !r.d.sleepSets:
		r.addFirsts(n)
	case r.initial && n.ends(r.q):
		r.d.addAllAt(r.i)
	case r.initial && n.backtrack.Has(r.q), r.covered(n):
	case r.initial:
		r.add(r.q)
	default:
		if e := r.first(); e != nil {
			r.add(n.lighter(e.Alt))
		}
	}
}

// unmade reports whether event k is a send of q that panics because event i, a close, came first.
// The send that panics commutes with operations that conflict with the same send before the close
// (a receive that makes room for it, a len). So these may come after the send that panics, and not
// be in v.
func (r race) unmade() bool {
	if int(r.k) >= len(r.x.Events) || r.x.Events[r.i].Kind != trace.Close {
		return false
	}
	e := &r.x.Events[r.k]
	return e.Kind == trace.Send && e.Closed && e.Proc == r.q
}

// initials yields the events of I(v): no event from i on happens before them.
func (r race) initials(yield func(*trace.Event) bool) {
	for j := r.i + 1; j < r.k; j++ {
		if r.d.order.LastPredecessor(j) < r.i && !yield(&r.x.Events[j]) {
			return
		}
	}
}

// covered reports whether an event of I(v) is to be explored at n, the station of event i.
func (r race) covered(n *station) bool {
	for e := range r.initials {
		if n.wants(e.Alt) {
			return true
		}
	}
	return false
}

// first returns an event of I(v), the last one of q if there is one; nil if v is empty.
func (r race) first() (first *trace.Event) {
	for e := range r.initials {
		if first == nil || e.Involves(r.q) {
			first = e
		}
	}
	return first
}

// add adds process p at station i.
func (r race) add(p int32) {
	if n := r.d.stack[r.i]; n.node {
		r.d.of.ask(r.demand(p))
	} else {
		n.add(p)
	}
}

// addFirsts adds every process that may move first, q included, at n, the station of event i. It is
// for use without sleep sets: see the package.
func (r race) addFirsts(n *station) {
	if n.enabled.Has(r.q) {
		n.add(r.q)
	}
	if r.initial {
		return
	}
	for e := range r.initials {
		if !n.wants(e.Alt) {
			n.add(n.lighter(e.Alt))
		}
	}
}
