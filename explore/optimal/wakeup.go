package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sequences of events in wakeup trees: see package wakeup. A sequence also counts as there if a
// weak initial of the rest of it wakes the event for which it is inserted (servedBy).

// Empty implements wakeup.Sequence.
func (v *insertion) Empty() bool { return v.gone && v.nothing() }

// Covers implements wakeup.Sequence.
func (v *insertion) Covers(w *wake) bool {
	return len(w.Below) == 0 && !w.Event.open || v.servedBy(w.Event)
}

// nothing reports whether no event of the execution is left.
func (v *insertion) nothing() bool {
	for _, b := range v.in {
		if b != 0 {
			return false
		}
	}
	return true
}

// Chain implements wakeup.Sequence. The events that the last one needs, and the last one, come
// first, so that few branches serve.
func (v *insertion) Chain(at *wakeup.Tree[*turn]) {
	r, first := &v.d.races, len(*at)
	top := at
	add := func(k int32) bool {
		at = v.d.grow(at, r.turn(k, v.known()))
		v.in[k>>6] &^= 1 << (k & 63)
		return true
	}
	depend.Each(v.before(), add)
	if !v.gone {
		last := v.lastTurn()
		at = v.d.grow(at, last)
		if depend.BeginsSection(&v.last) {
			if last.words != nil {
				return // the end of the section has no name yet
			}
			at = v.d.grow(at, v.d.newTurn(depend.EndOfSection(&v.last)))
		}
	}
	if v.d.Context.Look == nil || len(*top) == first {
		depend.Each(v.in, add)
	}
}

// grow adds a branch of one event, and returns what is below it.
func (d *Search) grow(t *wakeup.Tree[*turn], e *turn) *wakeup.Tree[*turn] {
	d.added += nodeSize
	return &t.Add(e).Below
}

// plain reports whether the last event is sure to be possible both before and after the events with
// which it commutes, and to be what it is foreseen to be.
func (v *insertion) plain() bool {
	return !v.final && !v.loose && !v.d.Observed && v.d.races.last == v.d.races.n
}

// before returns the events that are left and come before the last one. If the last one may come
// before the others, these are only the events that it needs.
func (v *insertion) before() []uint64 {
	if v.gone || !v.plain() {
		return v.in
	}
	set := search.Sized(nil, v.d.races.n)
	for k := v.d.races.n - 1; k > v.from; k-- {
		if !search.HasBit(v.in, k) ||
			!search.HasBit(set, k) && !v.bears(k) && !search.Dependent(&v.x.Events[k], &v.last) {
			continue
		}
		search.SetBit(set, k)
		for w, b := range v.d.order.Row(k) {
			set[w] |= b & v.in[w]
		}
	}
	return set
}

// bears reports whether a process of the last event is started after event k, or may begin only
// then.
func (v *insertion) bears(k int32) bool {
	for _, q := range [...]int32{v.last.Proc, v.last.Partner} {
		if q < 0 {
			continue
		}
		if p := &v.x.Procs[q]; p.Born == k+1 || p.After == k+1 || p.Elders.Has(k) {
			return true
		}
	}
	return false
}

// servedBy reports whether the sequence need not be put below w, which covers it, because w wakes
// the event for which it is inserted: see the package. Unknown effects of w must not matter to
// that: whether a CompareAndSwap writes, or whether a channel from before the execution has values.
func (v *insertion) servedBy(w *turn) bool {
	q, e := &v.x.Events[v.from], w.event
	if !v.plain() || w.loose || w.final || slices.Contains(v.x.Static, e.Obj) ||
		slices.Contains(v.x.Static, q.Obj) {
		return false
	}
	for _, e.OK = range [...]bool{false, true} {
		if !search.Dependent(q, &e) {
			return false
		}
	}
	return true
}

// turn returns event k, for a branch of a station that knows the objects with numbers up to known.
func (r *lexicon) turn(k, known int32) *turn {
	t := r.turns[k]
	if t == nil || t.words != nil && t.words != r.dict {
		t = r.d.newTurn(&r.x.Events[k])
		r.turns[k] = t
	}
	if t.words == nil && isNew(&t.event, known) {
		t.words, t.key = r.words(), r.keyOf(k)
	}
	return t
}

func (v *insertion) lastTurn() *turn {
	t := v.d.newTurn(&v.last)
	t.loose, t.final, t.open = v.loose, v.final, v.d.races.crash != nil
	if isNew(&t.event, v.known()) {
		t.words, t.key = v.d.races.words(), v.key
	}
	return t
}

func (d *Search) newTurn(e *trace.Event) *turn {
	d.added += turnSize
	t := &turn{Label: d.names.Label(e.Alt), event: *e}
	t.event.Op.Cases, t.event.PartnerOp.Cases = nil, nil
	if e.Kind == trace.Default {
		t.event.Op.Cases = slices.Clone(e.Op.Cases)
	}
	return t
}

// Initial implements wakeup.Sequence. // WI(v)
func (v *insertion) Initial(w *turn) bool {
	v.d.step(v.d.races.n)
	p, q := v.d.names.Number(w.Proc), v.d.names.Number(w.Partner)
	if initial, ok := v.meetingInitial(w, p, q); ok {
		return initial
	}
	k := max(v.next(p), v.next(q))
	switch {
	case k >= 0:
		return v.takes(w, k)
	case !v.gone && (p >= 0 && v.last.Involves(p) || q >= 0 && v.last.Involves(q)):
		if v.d.names.Label(v.last.Alt) != w.Label || !v.free(&v.last, true) {
			return false
		}
		if w.final && !v.nothing() {
			return false // there is more to come
		}
		v.gone = true
		v.moved(p, q) // what they do next is not known from the execution
		return true
	}
	if w.final || w.loose || !v.commutes(w, p, q) {
		return false // of a loose one, which is no part of the sequence, nothing may come
	}
	v.moved(p, q)
	return true
}

// commutes reports whether w commutes with all that is left, in which its processes p and q have no
// part.
func (v *insertion) commutes(w *turn, p, q int32) bool {
	e := w.event
	e.Takes = v.d.names.Message(w.Takes)
	if !v.translate(&e, p, q) {
		e.Proc = search.Nobody
		if e.Partner >= 0 {
			e.Partner = search.Nobody
		}
		if known := v.known(); isNew(&e, known) {
			return v.d.races.crash == nil && v.apart(w, known)
		}
	}
	depend.Reserve(v.x, &e)
	if v.d.races.averts(&e) {
		return false
	}
	return v.free(&e, false) && !(v.final && e.Kind == trace.Log) && (v.gone || v.besideLast(&e))
}

// translate gives e the numbers of this execution; ok is false if they are not known.
func (v *insertion) translate(e *trace.Event, p, q int32) (ok bool) {
	if p < 0 {
		return false
	}
	e.Proc, e.Partner = p, q
	op := v.d.races.declared(v, p)
	if v.isAlien(p) || op == nil || op.Kind != e.Op.Kind {
		return false
	}
	switch {
	case e.Kind == trace.Default:
		e.Op = *op
	case op.Kind == trace.Select:
		if int(e.Case) >= len(op.Cases) {
			return false
		}
		e.Obj = op.Cases[e.Case].Obj
	default:
		e.Obj = op.Hits(e.Case)
	}
	return true
}
