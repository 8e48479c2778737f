package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// uncut forgets the cuts of the execution before. order is that of x without observers.
func (r *cuts) uncut(order *depend.Order) {
	r.after, r.counts.Known = r.after[:0], nil
	r.cut = depend.Cut{Set: depend.Set{Order: order, In: search.Sized(r.cut.In, r.n)}, X: r.x}
}

// notAfter computes notdep(e, E) for the event i.
func (r *cuts) notAfter() {
	if r.have {
		return
	}
	r.have, r.rest = true, search.Sized(r.rest, r.n)
	for w, b := range r.dependants(r.i) {
		r.rest[w] = search.Between(w, r.i+1, r.last) &^ b
	}
}

// dependants returns the events that need event o, a bit for each. It is valid until the next call.
func (r *cuts) dependants(o int32) []uint64 {
	switch {
	case !r.isLazy(o) && r.n <= 64:
		r.row[0] = r.hb.Following(o)
		return r.row[:]
	case !r.isLazy(o):
		if len(r.after) == 0 {
			r.after = r.hb.After(r.after)
		}
		width := int32(r.n+63) >> 6
		return r.after[o*width : (o+1)*width]
	}
	r.scratch = search.Sized(r.scratch, r.n)
	for k := o + 1; k < r.n; k++ {
		if r.needs(o, k) {
			search.SetBit(r.scratch, k)
		}
	}
	return r.scratch
}

// cutOff makes the cut the events of rest, without the given events and all that happens after
// them.
func (r *cuts) cutOff(without []int32) {
	r.spent.step(r.n)
	r.cut.From, r.cut.In = r.i, append(r.cut.In[:0], r.rest...)
	for _, o := range without { // what needs one that is left out cannot be there either
		for w, b := range r.dependants(o) {
			r.cut.In[w] &^= b
		}
		r.cut.In[o>>6] &^= 1 << (o & 63)
	}
}

// minimal reports whether all that happens before event k is in the cut.
func (r *cuts) minimal(k int32) bool {
	for w, b := range r.hb.Row(k) {
		if b&r.rest[w]&^r.cut.In[w] != 0 {
			return false
		}
	}
	return true
}

// begun reports whether all events that must come before step s are before event i or in the cut.
func (r *cuts) begun(s *search.Act) bool {
	if r.hb.Meets() {
		return r.has(s.Elder) &&
			!slices.ContainsFunc(r.precursors(s), func(k int32) bool { return !r.has(k) })
	}
	return r.has(s.Prev) && r.has(s.Elder)
}

// isEnd returns a test of sleepers: whether the sleeper is e, has ended an execution, and is the
// same after the cut.
func (r *cuts) isEnd(e *trace.Event) func(z *sleeper) bool {
	return func(z *sleeper) bool {
		return z.Final && z.Event.Alt == e.Alt && r.commutes(func(k int32) bool {
			return !search.Dependent(&r.x.Events[k], e)
		})
	}
}

// commutes reports whether f holds for all events of the cut.
func (r *cuts) commutes(f func(k int32) bool) (ok bool) {
	ok = true
	depend.Each(r.cut.In, func(k int32) bool {
		ok = f(k)
		return ok
	})
	return ok
}

// event returns the event of alternative a of state i, without its effect, which is not known.
func (r *races) event(a trace.Alt) trace.Event {
	s, _ := r.act(a.Proc, r.cur[a.Proc])
	r.prev = s.Prev
	e := trace.Event{Alt: a, Op: *s.Op, Kind: s.Op.Kind, Obj: s.Op.Hits(a.Case), Cap: s.Op.Cap,
		OK: !s.Op.Kind.Late()}
	switch {
	case e.Kind == trace.Select && a.Case < 0:
		e.Kind, e.Obj = trace.Default, -1
	case e.Kind == trace.Select:
		c := s.Op.Cases[a.Case]
		e.Kind, e.Obj, e.Cap = c.Kind, c.Obj, c.Cap
	}
	if a.Partner >= 0 {
		t, _ := r.act(a.Partner, r.cur[a.Partner])
		e.PartnerOp = *t.Op
	}
	return e
}

// averts reports whether e, done at station i, stands in the way of a crash or an exit that is
// known to be possible there. After e, that event may be impossible, or be another event. Sequences
// that commute with e and end so are then not explored below e.
func (r *races) averts(e *trace.Event) bool {
	if !r.d.ended {
		return false
	}
	n := r.d.stack[r.i]
	averted := func(z *sleeper) bool { return z.Final && search.Dependent(e, &z.Event) }
	return r.crash != nil && search.Dependent(e, r.crash) || slices.ContainsFunc(n.done, averted) ||
		slices.ContainsFunc(n.sleep, averted)
}

// has reports whether event k comes before event i, or is in the cut.
func (r *cuts) has(k int32) bool { return k < r.i || search.HasBit(r.cut.In, k) }

// firstOf returns the first event of process p from i on, if that is in the cut; else -1.
func (r *cuts) firstOf(p int32) int32 {
	if p < 0 {
		return -1
	}
	if l := r.onward(p); len(l) > 0 && search.HasBit(r.cut.In, l[0]) {
		return l[0]
	}
	return -1
}

// unordered reports whether nothing in the cut happens before event k.
func (r *cuts) unordered(k int32) bool {
	if !r.observed {
		return r.cut.Order.LastPredecessor(k) < r.i
	}
	for w, b := range r.cut.Order.Row(k) {
		if b&r.cut.In[w] != 0 {
			return false
		}
	}
	return true
}
