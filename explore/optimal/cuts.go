package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// cuts has those events of an execution that can do without its event i.
type cuts struct {
	agenda
	spent *effort  // what cuts cost
	rest  []uint64 // those after i that do not happen after it // notdep(e, E)
	have  bool     // rest is computed
	cut   depend.Cut
	// the last event of the execution, while alternatives that may come in its place are looked for
	crash  *trace.Event
	after  []uint64      // the events after each one, see depend.Order.After; empty: not made yet
	row    [1]uint64     // scratch: a row of it, if that is one word
	counts search.Counts // of the groups of x
}

// uncut forgets the cuts of the execution before. order is that of x without observers.
func (r *cuts) uncut(order *depend.Order) {
	r.after, r.counts.Known = r.after[:0], nil
	r.cut = depend.Cut{Order: order, X: r.x, In: search.Sized(r.cut.In, r.n)}
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

// has reports whether event k comes before event i, or is in the cut.
func (r *cuts) has(k int32) bool { return k < r.i || search.HasBit(r.cut.In, k) }

// isEnd returns a test of sleepers: whether the sleeper is e, has ended an execution, and is the
// same after the cut.
func (r *cuts) isEnd(e *trace.Event) func(z *sleeper) bool {
	return func(z *sleeper) bool {
		return z.Final && z.Event.Alt == e.Alt && r.commutes(func(k int32) bool {
			return !search.Dependent(&r.x.Events[k], e)
		})
	}
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

// commutes reports whether f holds for all events of the cut.
func (r *cuts) commutes(f func(k int32) bool) (ok bool) {
	ok = true
	depend.Each(r.cut.In, func(k int32) bool {
		ok = f(k)
		return ok
	})
	return ok
}
