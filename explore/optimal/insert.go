package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// begin prepares the search in x, which shares its first kept events with the execution before.
func (r *races) begin(d *Search, x *trace.Execution, kept int32) {
	r.d, r.spent = d, &d.effort
	r.observed, r.least = d.Observed, d.least
	r.hb, r.direct = &d.order, nil
	r.read(x)
	d.partial = d.partial || depend.Exceeds(x)
	d.ended = d.ended || search.Final(x)
	r.dict, r.turns = nil, r.turns[:min(len(r.turns), int(min(kept, r.n)))]
	for len(r.turns) < int(r.n) {
		r.turns = append(r.turns, nil)
	}
	r.enlist(kept)
	r.uncut(&d.order)
}

// foresee adds the cut and e to the tree of station i, if e is possible. direct says that e depends
// on nothing in the cut.
func (r *races) foresee(e *trace.Event, direct bool) {
	v := r.cut.Foresee(e)
	if v == depend.Perhaps && direct && r.d.stack[r.i].alts != nil && r.enabled(e.Alt) {
		v = depend.Sure
	}
	if v != depend.Never && (search.Dependent(r.a, e) && !r.meets(e) || r.exhausted(e)) {
		r.insert(e, v == depend.Perhaps, r.cut.Ends(e))
	}
}

// exhausted reports whether e is an alternative of the step that has brought a WaitGroup's counter
// below zero. The calls that take from the counter commute, but their order decides which one does
// that.
func (r *races) exhausted(e *trace.Event) bool {
	return e.Kind == trace.WgAdd && r.overdrew(r.at)
}

// insert adds the cut and e to the tree of station i, unless an explored alternative covers them.
func (r *races) insert(e *trace.Event, loose, final bool) {
	// With observers, e may see the order within the cut, so each order that e tells apart is
	// inserted by itself.
	if r.direct != nil {
		var list []int32
		depend.Each(r.cut.In, func(k int32) bool { list = append(list, k); return true })
		observing{r}.insertOrders(list, e, loose, final)
		return
	}
	n := r.d.stack[r.i]
	// An event that has ended an execution from here, and that commutes with the cut, ends v, too.
	final = final || r.d.ended && (slices.ContainsFunc(n.sleep, r.isEnd(e)) ||
		slices.ContainsFunc(n.done, r.isEnd(e)))
	// Below a weak initial of v that has been explored, here or above, v has been explored. But a
	// line of the log is no weak initial of a sequence that ends with a crash: whether the line
	// comes first shows.
	for i, list := range [...][]*sleeper{n.sleep, n.done} {
		for _, z := range list {
			if !(final && z.Event.Kind == trace.Log) && r.covers(z, e) &&
				(i > 0 || r.begins(z, e)) {
				return
			}
		}
	}
	// Nobody has seen yet that z did not come first; if v does not see it either, v is below z.
	if slices.ContainsFunc(n.doze, r.coveredBy) {
		return
	}
	// Insertion takes events out of v, and has to know which: in is a copy, all is not changed.
	r.left = append(r.left[:0], r.cut.In...)
	v := &r.sequence
	*v = insertion{d: r.d, x: r.x, from: r.i, in: r.left, all: r.cut.In, last: *e, loose: loose,
		final: final, aliens: v.aliens[:0]}
	v.key = r.Key(e.Proc, r.prev)
	wakeup.Insert(&n.tree, v)
}

// covers reports whether z is a weak initial of the cut and e.
func (r *races) covers(z *sleeper, e *trace.Event) bool {
	if covered, ok := r.meetingCovers(z, e); ok {
		return covered
	}
	p, q := z.Event.Proc, z.Event.Partner
	k := max(r.firstOf(p), r.firstOf(q))
	switch {
	case k >= 0:
		return r.x.Events[k].Alt == z.Event.Alt && r.unordered(k)
	case e.Involves(p), q >= 0 && e.Involves(q):
		before := func(k int32) bool {
			f := &r.x.Events[k]
			return search.Dependent(f, e) && !r.unseen(e, k) || z.Final && f.Kind == trace.Log
		}
		return e.Alt == z.Event.Alt && r.commutes(func(k int32) bool { return !before(k) })
	}
	if z.Final || r.averts(&z.Event) {
		return false // nothing has come after it
	}
	sleeps := func(f *trace.Event) bool { woken, _ := z.WokenBy(f); return !woken }
	return (sleeps(e) || r.d.Observed && r.unseen(&z.Event, r.n-1)) &&
		r.commutes(func(k int32) bool { return sleeps(&r.x.Events[k]) || r.unseen(&z.Event, k) })
}
