package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// races is the search for the races of one execution. It stands on tables, each of which uses only
// those before it: reading has the steps of the execution, sight the events that each event needs,
// agenda the steps that may overtake an event, and cuts the events that are left without that
// event.
//
// The other methods stay with one receiver. Each kind of event is reversed in a way of its own, and
// all ways end in insert, which needs the stations, the trees and the cut at once.
type races struct {
	cuts
	d    *Search
	open []int32 // scratch
	left []uint64
	// the one that is being put into a tree
	sequence insertion
	turns    []*turn     // by event; nil: not made yet
	dict     *dictionary // nil: not made yet
	prev     int32       // the event before the one that is foreseen, of its process
	at       int32       // the event that the step which is foreseen has come to, n if none
	// by event: it is in a race with an event after the visit at which the execution was cut off
	beyond []bool
}

// reverseAll looks for the races of x. // Alg. 2, l. 3-8
func (d *Search) reverseAll(x *trace.Execution) {
	r := &d.races
	r.begin(d, x, int32(d.kept))
	r.bounds()
	r.findBeyond()
	if d.work = 0; d.Observed {
		r.hb, r.direct = &d.unseen, make([][]int32, r.n)
		r.relays()
	}
	for r.i = 0; r.i < r.n && !d.Over && !d.TooLate(); r.i++ {
		r.a, r.have = &x.Events[r.i], false
		if depend.IsBarrier(r.a) {
			r.others() // all that is enabled there is late, and nothing orders that
		} else {
			r.overtake(r.settle(int32(d.kept)))
			r.observe()
		}
		if r.last < r.n {
			r.ends(r.last)
		}
		if r.beyond[r.i] {
			r.raceBeyond()
		}
		r.pass(r.i)
	}
}

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

// declared returns the operation that process p has declared when it has done those of its events
// that v no longer has.
func (r *races) declared(v *insertion, p int32) *trace.Op {
	n := r.cur[p]
	for _, k := range r.onward(p) {
		if v.took(k) {
			n++
		}
	}
	if v.d.Observed && v.gone && v.last.Involves(p) {
		n++ // it is the last event of what is looked at as an execution of its own
	}
	s, ok := r.act(p, n)
	if !ok {
		return nil
	}
	return s.Op
}

// try looks for the alternatives of step s.
func (r *races) try(s *search.Act) {
	own := s.At == r.i
	switch op := s.Op; {
	case op.Kind == trace.Select:
		for i, c := range op.Cases {
			r.communicate(s, int32(i), c.Kind, c.Obj, c.Cap)
		}
		if op.Default && (own && r.a.Kind != trace.Default || !own && r.touches(op)) {
			r.solo(s, trace.Event{Alt: trace.Alt{Proc: s.Proc, Case: -1, Partner: -1}, Op: *op,
				Kind: trace.Default, Obj: -1}, true)
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		r.communicate(s, 0, op.Kind, op.Obj, op.Cap)
	case op.Kind.Hidden():
		if own {
			r.hidden(s)
		} else if s.At < r.n && search.Dependent(r.a, &r.x.Events[s.At]) && !r.beside(s.At) {
			r.solo(s, r.x.Events[s.At], false)
		}
	case s.At < r.n && op.Kind.Late() && depend.IsBarrier(&r.x.Events[s.At]):
		// the clock had to move, which it does only when nothing else is possible
	case !own && depend.Touches(r.a, op.Obj) && !r.beside(s.At) && r.mayHit(s, op):
		e := trace.Event{Alt: trace.Alt{Proc: s.Proc, Partner: -1}, Op: *op, Kind: op.Kind,
			Obj: op.Obj,
			Cap: op.Cap, OK: true}
		r.solo(s, e, op.Kind == trace.WgWait || op.Kind.Late())
	}
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
		r.insertOrders(list, e, loose, final)
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
	for _, z := range n.doze {
		if r.coveredBy(z) {
			return
		}
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

// others tries the other alternatives of the state of event i.
func (r *races) others() {
	r.d.coarse = r.d.coarse || r.d.stack[r.i].alts == nil
	for _, a := range r.d.stack[r.i].alts {
		if a == r.a.Alt {
			continue
		}
		e := r.event(a)
		r.have, r.rest = true, search.Sized(r.rest, r.n) // nothing else comes first
		if r.i == r.last {
			r.crash = r.a
		}
		r.cutOff(nil)
		r.cut.Foresee(&e)
		r.insert(&e, false, false)
		r.have, r.crash = false, nil
	}
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

// hidden tries the other values of the hidden choice that is event i.
func (r *races) hidden(s *search.Act) {
	r.d.coarse = r.d.coarse || r.d.stack[r.i].alts == nil
	for _, a := range r.d.stack[r.i].alts {
		if a.Proc == s.Proc && a != r.a.Alt {
			r.solo(s, trace.Event{Alt: a, Op: *s.Op, Kind: s.Op.Kind, Obj: s.Op.Hits(a.Case)},
				false)
		}
	}
}

// ends handles event i of an execution that its last event has ended. Each alternative of the last
// state might have come first, and the last event might have come before a line of the log.
func (r *races) ends(last int32) {
	switch {
	case r.i == last:
		r.others()
	case r.a.Kind == trace.Log && !r.needs(r.i, last):
		e := r.x.Events[last]
		s, _ := r.act(e.Proc, len(r.acts[e.Proc])-1)
		r.prev = s.Prev
		r.notAfter()
		r.cutOff([]int32{last})
		r.insert(&e, false, true)
	}
}
