package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// races has what the search for the races of one execution needs. It has many methods: each kind of
// event is reversed in a way of its own, and all of them need the order, the stations and the tree
// at once.
type races struct {
	d *Search
	// happens-before: the one in which what nobody sees commutes, if that is wanted
	hb   *depend.Order
	x    *trace.Execution
	n    int32     // events that are looked at
	last int32     // events after which there can be others
	acts [][]int32 // the events of each process
	cur  []int     // how many of them come before event i
	agenda
	i    int32 // the event that is to be overtaken
	a    *trace.Event
	rest []uint64 // those after i that do not happen after it // notdep(e, E)
	have bool     // rest is computed
	cut  depend.Cut
	// the last event of the execution, if what comes before it instead is looked for
	crash   *trace.Event
	after   []uint64  // the events after each one, see depend.Order.After; empty: not made yet
	row     [1]uint64 // scratch: a row of it, if that is one word
	open    []int32   // scratch
	scratch []uint64
	left    []uint64
	// that is being put into a tree
	sequence insertion
	turns    []*turn       // by event; nil: not made yet
	dict     *dictionary   // nil: not made yet
	prev     int32         // the event before the one that is foreseen, of its process
	at       int32         // the event that the step which is foreseen has come to, n if none
	counts   search.Counts // of the groups of x
	// by event: it is in a race with what follows the meeting where the execution was cut off
	beyond []bool
	sight
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
			r.others(func(a trace.Alt) bool { return x.Events[r.i].Kind.Late() })
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
		r.cur[r.a.Proc]++
		if r.a.Partner >= 0 {
			r.cur[r.a.Partner]++
		}
	}
}

// begin prepares the search in x, whose events up to kept are those of the execution before.
func (r *races) begin(d *Search, x *trace.Execution, kept int32) {
	r.d, r.x, r.n = d, x, int32(min(len(x.Events), depend.MaxEvents))
	r.hb, r.direct, r.after = &d.order, nil, r.after[:0]
	d.partial = d.partial || depend.Exceeds(x)
	r.counts.Known = nil
	r.dict, r.turns = nil, r.turns[:min(len(r.turns), int(min(kept, r.n)))]
	for len(r.turns) < int(r.n) {
		r.turns = append(r.turns, nil)
	}
	r.last = r.n
	if search.Final(x) && int(r.n) == len(x.Events) {
		r.last--
	}
	d.ended = d.ended || search.Final(x)
	for len(r.acts) < len(x.Procs) {
		r.acts, r.cur = append(r.acts, nil), append(r.cur, 0)
	}
	for p := range r.acts {
		r.acts[p], r.cur[p] = r.acts[p][:0], 0
	}
	for k := range r.n {
		e := &x.Events[k]
		r.acts[e.Proc] = append(r.acts[e.Proc], k)
		if e.Partner >= 0 {
			r.acts[e.Partner] = append(r.acts[e.Partner], k)
		}
	}
	r.enlist(kept)
	r.cut = depend.Cut{Order: &d.order, X: x, In: search.Sized(r.cut.In, r.n)}
}

// onward returns the events of process p from i on.
func (r *races) onward(p int32) []int32 {
	if int(p) >= len(r.acts) {
		return nil
	}
	return r.acts[p][r.cur[p]:]
}

// act returns step k of process q.
func (r *races) act(q int32, k int) (s search.Act, ok bool) {
	ok = r.describe(&s, q, k)
	return s, ok
}

// describe makes s step k of process q, and reports whether there is one.
func (r *races) describe(s *search.Act, q int32, k int) bool {
	p, done := &r.x.Procs[q], r.acts[q]
	s.Proc, s.Index = q, int32(k)
	if k > 0 {
		s.Prev, s.Elder = done[k-1], -1
	} else {
		s.Prev, s.Elder = p.Born-1, p.After-1
	}
	if k < len(done) {
		s.At = done[k]
		s.Op = search.OpOf(&r.x.Events[s.At], q)
		return true
	}
	s.At, s.Op = r.n, &p.Pending
	return !p.Ended && p.Pending.Kind != trace.None && len(r.x.Events) == int(r.n)
}

// declared returns what process p has declared when it has done those of its events that v no
// longer has.
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

// beside reports whether event k comes after event i, and does not happen after it.
func (r *races) beside(k int32) bool { return k < r.last && k > r.i && !r.needs(r.i, k) }

// try looks for the alternatives of step s.
func (r *races) try(s *search.Act) {
	own := s.At == r.i
	switch op := s.Op; {
	case op.Kind == trace.Select:
		for i, c := range op.Cases {
			r.communicate(s, int32(i), c.Kind, c.Obj, c.Cap)
		}
		if op.Default && (own && r.a.Kind != trace.Default || !own && r.touchesAny(op)) {
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

func (r *races) touchesAny(op *trace.Op) bool {
	for _, c := range op.Cases {
		if depend.Touches(r.a, c.Obj) {
			return true
		}
	}
	return false
}

// begun reports whether all that must come before step s has been done, before event i or in the
// cut.
func (r *races) begun(s *search.Act) bool {
	if r.hb.Meets() {
		return r.has(s.Elder) &&
			!slices.ContainsFunc(r.precursors(s), func(k int32) bool { return !r.has(k) })
	}
	return r.has(s.Prev) && r.has(s.Elder)
}

func (r *races) has(k int32) bool { return k < r.i || search.HasBit(r.cut.In, k) }

// foresee adds the cut and e to what is to be explored, if that is possible. direct says that e
// depends on nothing in the cut.
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
// below zero. Which of the calls that took from the counter did that is a matter of their order,
// although they commute.
func (r *races) exhausted(e *trace.Event) bool {
	return e.Kind == trace.WgAdd && r.overdrew(r.at)
}

// overdrew reports whether event k has brought a WaitGroup's counter below zero.
func (r *races) overdrew(k int32) bool {
	return k < r.n && r.x.Events[k].Kind == trace.WgAdd && !r.x.Events[k].OK
}

// insert adds the cut and e to what is to be explored at i, unless something that has been explored
// there covers it.
func (r *races) insert(e *trace.Event, loose, final bool) {
	if r.direct != nil {
		var list []int32
		depend.Each(r.cut.In, func(k int32) bool { list = append(list, k); return true })
		r.insertOrders(list, e, loose, final)
		return
	}
	n := r.d.stack[r.i]
	final = final || r.d.ended && (slices.ContainsFunc(n.sleep, r.isEnd(e)) ||
		slices.ContainsFunc(n.done, r.isEnd(e)))
	for i, list := range [...][]*sleeper{n.sleep, n.done} {
		for _, z := range list {
			if !(final && z.Event.Kind == trace.Log) && r.covers(z, e) &&
				(i > 0 || r.begins(z, e)) {
				return
			}
		}
	}
	for _, z := range n.doze {
		if r.coveredBy(z) {
			return
		}
	}
	r.left = append(r.left[:0], r.cut.In...)
	v := &r.sequence
	*v = insertion{d: r.d, x: r.x, from: r.i, in: r.left, all: r.cut.In, last: *e, loose: loose,
		final: final, aliens: v.aliens[:0]}
	v.key = r.Key(e.Proc, r.prev)
	wakeup.Insert(&n.tree, v)
}

// isEnd returns what tells of a sleeper whether it is e, which ended an execution, and is the same
// after the cut.
func (r *races) isEnd(e *trace.Event) func(z *sleeper) bool {
	return func(z *sleeper) bool {
		return z.Final && z.Event.Alt == e.Alt && r.commutes(func(k int32) bool {
			return !search.Dependent(&r.x.Events[k], e)
		})
	}
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
// known to be possible there: that may not come after e, or be another event. What commutes with e
// is then not explored below e with that end.
func (r *races) averts(e *trace.Event) bool {
	if !r.d.ended {
		return false
	}
	n := r.d.stack[r.i]
	averted := func(z *sleeper) bool { return z.Final && search.Dependent(e, &z.Event) }
	return r.crash != nil && search.Dependent(e, r.crash) || slices.ContainsFunc(n.done, averted) ||
		slices.ContainsFunc(n.sleep, averted)
}

// unordered reports whether nothing in the cut happens before event k.
func (r *races) unordered(k int32) bool {
	if !r.d.Observed {
		return r.d.order.LastPredecessor(k) < r.i
	}
	for w, b := range r.d.order.Row(k) {
		if b&r.cut.In[w] != 0 {
			return false
		}
	}
	return true
}

func (r *races) firstOf(p int32) int32 {
	if p < 0 {
		return -1
	}
	if l := r.onward(p); len(l) > 0 && search.HasBit(r.cut.In, l[0]) {
		return l[0]
	}
	return -1
}

// commutes reports whether f holds for all events of the cut.
func (r *races) commutes(f func(k int32) bool) (ok bool) {
	ok = true
	depend.Each(r.cut.In, func(k int32) bool {
		ok = f(k)
		return ok
	})
	return ok
}

// others tries the alternatives of state i that f wants.
func (r *races) others(f func(a trace.Alt) bool) {
	r.d.coarse = r.d.coarse || r.d.stack[r.i].alts == nil
	for _, a := range r.d.stack[r.i].alts {
		if a == r.a.Alt || !f(a) {
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

// event returns the event that alternative a of state i would be, as far as it is known without its
// effect.
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

// ends handles event i of an execution that its last event has ended: all that was possible before
// that one might have come first, and what the log says.
func (r *races) ends(last int32) {
	switch {
	case r.i == last:
		r.others(func(trace.Alt) bool { return true })
	case r.a.Kind == trace.Log && !r.needs(r.i, last):
		e := r.x.Events[last]
		s, _ := r.act(e.Proc, len(r.acts[e.Proc])-1)
		r.prev = s.Prev
		r.notAfter()
		r.cutOff([]int32{last})
		r.insert(&e, false, true)
	}
}
