package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// An alternative that overtakes an event comes after all events that do not happen after that
// event. If it depends on some of these, it may also come before some of them.

// solo tries e, an alternative of step s without a partner; with several, at all places among the
// events on which e depends.
func (r *races) solo(s *search.Act, e trace.Event, several bool) {
	r.prev, r.at = s.Prev, s.At
	r.notAfter()
	own := s.At
	if !r.beside(own) {
		own = -1
	}
	if !several {
		r.open = r.open[:0]
		if own >= 0 {
			r.open = append(r.open, own)
		}
		r.cutOff(r.open)
		if r.begun(s) {
			r.foresee(&e, false)
		}
		return
	}
	r.places(s, &e, own)
}

// places tries e, an alternative of step s, after each set of events on its objects that contains
// all that happens before its events.
func (r *races) places(s *search.Act, e *trace.Event, own int32) {
	if e.Kind == trace.Recv {
		r.open = r.open[:0]
		if own >= 0 {
			r.open = append(r.open, own)
		}
		r.cutOff(r.open)
		if r.cut.Starved(e) {
			return
		}
	}
	list := r.movable(s, e, own)
	if b := r.balance(e, list, own); b != nil {
		n := 0
		b.Found = func(left []int32) bool {
			if n++; n > search.MostPlaces {
				r.d.coarse = true
				return false
			}
			r.place(s, *e, own, left, list)
			return !r.d.Over
		}
		b.Each()
		return
	}
	n := 0
	if !r.eachLeft(list, nil, func([]int32) bool { n++; return n <= search.MostPlaces }) {
		r.d.coarse = true // too many sets: leave out the last events only
		for m := range len(list) + 1 {
			r.place(s, *e, own, list[m:], list)
		}
		return
	}
	r.eachLeft(list, nil, func(left []int32) bool {
		r.place(s, *e, own, left, list)
		return !r.d.Over
	})
}

// movable lists the events on the objects of e, an alternative of step s, that may come before e or
// after it: all but those that e needs, those that need event own, and those that are like e.
func (r *races) movable(s *search.Act, e *trace.Event, own int32) (list []int32) {
	before := r.precursors(s)
	depend.Each(r.rest, func(k int32) bool {
		f := &r.x.Events[k]
		about := r.about(e, f)
		needs := func(o int32) bool { return k == o || r.needs(k, o) }
		needed := slices.ContainsFunc(before, needs) || needs(s.Elder)
		if about && k != own && !needed && !(own >= 0 && r.needs(own, k)) &&
			!r.alike(f, e.Kind, e.Obj) {
			list = append(list, k)
		}
		return true
	})
	return list
}

// about reports whether the order of e and f may make a difference. A default depends on few events
// on its channels. If another one, f, is left out, place looks no further, unless an event that f
// needs is left out, and f with it. If e is no default, its effect is not known yet, and each event
// on its object counts.
func (r *cuts) about(e, f *trace.Event) bool {
	if e.Kind != trace.Default {
		return depend.Touches(f, e.Obj)
	}
	for _, c := range e.Op.Cases {
		if c.Obj >= 0 && depend.Touches(f, c.Obj) {
			return search.Dependent(e, f)
		}
	}
	return false
}

// balance returns the lister of the sets of events, from list, after which e is possible. It is nil
// if e is no Wait of a matched group.
func (r *cuts) balance(e *trace.Event, list []int32, own int32) *search.Balance {
	if e.Kind != trace.WgWait {
		return nil
	}
	pairs, ok := r.counts.Pairs(r.x, e.Obj)
	if !ok || slices.ContainsFunc(pairs, func(p depend.Pair) bool {
		return p.Done >= 0 && !r.needs(p.Add, p.Done)
	}) {
		return nil
	}
	out := func(k int32) bool {
		return k >= r.i && !(k < r.n && search.HasBit(r.rest, k)) ||
			own >= 0 && (k == own || r.needs(own, k))
	}
	return &search.Balance{List: list, Pairs: pairs, Needs: r.needs, Out: out}
}

// eachLeft calls f for each set of events of list that can be left out, together with left, until f
// returns false. An event that happens after one of a set is in the set, too.
func (r *cuts) eachLeft(list, left []int32, f func(left []int32) bool) bool {
	if len(list) == 0 {
		return f(left)
	}
	k, more := list[0], list[1:]
	ok := r.eachLeft(more, append(left, k), f)
	for _, o := range left {
		if r.needs(o, k) {
			return ok
		}
	}
	return ok && r.eachLeft(more, left, f)
}

// place tries e before the events without, and after the others of list.
func (r *races) place(s *search.Act, e trace.Event, own int32, without, list []int32) {
	cut := without
	if own >= 0 {
		cut = append(append([]int32(nil), without...), own)
	}
	r.cutOff(cut)
	if !r.begun(s) {
		return
	}
	direct := !slices.ContainsFunc(r.precursors(s), func(k int32) bool { return k >= r.i }) &&
		s.Elder < r.i && len(without) == len(list)
	if !r.possible(&e, direct) {
		return
	}
	// If e commutes with an event that is left out and could be done now, an equivalent sequence
	// has e right after that event. It is another set of the list: one of the two is enough.
	for _, k := range without {
		if !search.Dependent(&e, &r.x.Events[k]) && r.minimal(k) {
			return
		}
	}
	r.foresee(&e, direct)
}

func (r *races) possible(e *trace.Event, direct bool) bool {
	v := r.cut.Foresee(e)
	if v == depend.Perhaps && direct {
		return r.enabled(e.Alt)
	}
	return v != depend.Never
}

// enabled reports whether a was possible before event i.
func (r *races) enabled(a trace.Alt) bool {
	n := r.d.stack[r.i]
	if slices.Contains(n.alts, a) {
		return true
	}
	return n.alts == nil
}
