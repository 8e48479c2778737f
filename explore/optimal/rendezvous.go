package optimal

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint meetings: meetings with one receiver commute as long as it takes them one right after the
// other and only adds the values up, or takes equal values; see package depend. They need no
// observers: as soon as a meeting has come, the next operation of its receiver is known, and so
// whether another meeting would be of the same joint meeting. But the events of one process, the
// receiver, are in no order.
//
//	paper                           here
//	e, e' are dependent             in the state of the cut: unless the receiver takes both (cuts.meets)
//	E1 of E = E1.e.E2, p's next e   what a process must have done before: reading.precursors
//	Sleep: e commutes with p        sleeper.sleepsBeside: the receiver's next operation tells
//	p in WI(v)                      v has p, and nothing of v happens before it; or v's receiver would take p as well (reading.joins)
//
// Members of a joint meeting that do not happen after event i belong to notdep(i), the events that
// can do without it, although their receiver is that of i. In the sequence that is inserted, each
// of them takes the receive that comes next there (reading.reseat), even if that is another one in
// the program.
//
// Why nothing is lost. The argument of the package needs of the relation that w(q) and e are found
// as a race in the execution with q and w(q). Here w(q) is the part of w that commutes with q, and
// e is the first event of w after it that does not. Let q be a meeting with receiver p, and let w
// not begin with q. If p takes q in w in the run in which p is, q is an initial of w. If not, let e
// be the last meeting of this run in w, or the event that ends the run: with q first, p has one
// receive less ahead. If e is a meeting, it takes the last receive. In the execution with q and
// w(q), q and all other members have been taken, p's run is over, and e's sender waits. There,
// notdep(q) has all members of the run except q and those that happen after q, none of which is in
// w(q). It leaves one receive: e is tried. If e is no meeting, w has taken the whole run, without
// q, and p's next operation is e: then w has a member that is not in w(q) before e. q is put to
// sleep, and sleeps on beside other meetings, because the two orders lead to one state, which is
// what commuting in a state means.
//
// A race with a meeting is not left to the next meeting (see agenda), as the two may commute.
//
// Deviations. The operation of a process after a foreseen event is known only if it follows from
// the execution (reading.seated). Otherwise a sequence that is covered may be inserted, and is cut
// off in the end. That happens if several processes receive from one channel, and with sends in a
// select. No class is run twice.

// meets reports whether e, a meeting that is possible in the cut, commutes with event i: both are
// of one joint meeting, in which the receiver takes both.
func (r *cuts) meets(e *trace.Event) bool {
	m := r.hb.MeetingOf(r.i)
	if m == nil || m.Receiver != e.Partner || e.Proc == r.a.Proc || !depend.IsPlainMeeting(e) ||
		!depend.Fits(r.a, &e.Op) {
		return false
	}
	left := len(m.Members)
	for _, k := range m.Members {
		if r.has(k) {
			left--
		}
	}
	return m.Open || left > 1
}

// precursors returns the events that must come before step s because of its process, or because of
// the process that has started that one.
func (r *reading) precursors(s *search.Act) []int32 {
	if !r.hb.Meets() {
		return []int32{s.Prev}
	}
	return r.hb.Precursors(r.x, s.Proc, s.At, s.Prev)
}

// isNext reports whether event k can be the next one of process q, given that event o is: k is o,
// or both are of one joint meeting in which q receives.
func (r *reading) isNext(o, k, q int32) bool { return o == k || r.hb.Mates(o, k, q) }

// reseat gives each meeting of events, from event i on, the receive that comes next for its
// receiver. The events are in another order than in the execution.
func (r *reading) reseat(events []trace.Event) {
	if !r.hb.Meets() {
		return
	}
	seats := map[int32]int{}
	for k := int(r.i); k < len(events); k++ {
		e := &events[k]
		if e.Partner < 0 {
			seats[e.Proc]++
			continue
		}
		s, ok := r.seat(e.Partner, seats[e.Partner])
		if ok && depend.IsPlainMeeting(e) && s.Op.Kind == trace.Recv && s.Op.Obj == e.Obj {
			e.PartnerOp = *s.Op
		}
		seats[e.Proc]++
		seats[e.Partner]++
	}
}

// seat returns the n-th step of process q from event i on.
func (r *reading) seat(q int32, n int) (s search.Act, ok bool) {
	if n += r.cur[q]; n > len(r.acts[q]) {
		return s, false
	}
	return r.act(q, n)
}

// seated returns the operation that process q declares when it has done e after those of its events
// that at has; ok is false if it is not known. It is known if q sends in e, as it did in the
// execution. It is also known if q receives in e, and e takes the place of a member of a joint
// meeting that is not the last one.
func (r *reading) seated(q int32, at []int32, e *trace.Event) (op *trace.Op, ok bool) {
	n := r.present(q, at)
	if !r.hb.Meets() || n >= len(r.acts[q]) || !depend.IsPlainMeeting(e) {
		return nil, false
	}
	k := r.acts[q][n]
	m := r.hb.MeetingOf(k)
	switch {
	case m == nil:
		return nil, false
	case q == e.Proc && r.x.Events[k].Proc == q: // who sends does not see who receives
	case q != e.Partner, m.Receiver != q, !depend.Fits(&r.x.Events[k], &e.Op),
		m.Members[len(m.Members)-1] == k && !m.Open:
		return nil, false
	}
	s, ok := r.act(q, n+1)
	return s.Op, ok
}

// present counts the events of process q that at has.
func (r *reading) present(q int32, at []int32) (n int) {
	for _, k := range r.acts[q] {
		if at[k] != 0 {
			n++
		}
	}
	return n
}

// startedAt returns the place of event k, after which process q was started, plus 1; 0 if it is not
// there. If k ends a joint meeting, it is the place of its last member.
func (r *reading) startedAt(q, k int32, at []int32) (place int32) {
	m := r.hb.MeetingOf(k)
	if m == nil || r.x.Procs[q].Parent != m.Receiver {
		return at[k]
	}
	for _, j := range m.Members {
		if at[j] == 0 {
			return 0
		}
		place = max(place, at[j])
	}
	return place
}

// joins reports whether e, a meeting, would be of one joint meeting with all that its receiver does
// in left, a bit for each event of the execution. Its sender does nothing of that.
func (r *reading) joins(left []uint64, lastLeft bool, e *trace.Event) bool {
	if e.Partner < 0 || !r.hb.Meets() || !depend.IsPlainMeeting(e) {
		return false
	}
	var m *depend.Meeting
	for _, k := range r.onward(e.Partner) {
		if !search.HasBit(left, k) && !(lastLeft && k == r.n-1) {
			continue
		}
		c := r.hb.MeetingOf(k)
		if c == nil || c.Receiver != e.Partner || m != nil && c != m {
			return false
		}
		m = c
	}
	return m != nil && m.Open && depend.Fits(&r.x.Events[m.Members[0]], &e.Op)
}

// meetingCovers is covers for z that is, or would be, a member of a joint meeting, whichever
// members its receiver takes before z. ok is false if z is not known to be one.
func (r *cuts) meetingCovers(z *sleeper, e *trace.Event) (covered, ok bool) {
	p, q := z.Event.Proc, z.Event.Partner
	if q < 0 || z.Final || !r.hb.Meets() {
		return false, false
	}
	switch k := r.firstOf(p); {
	case k >= 0:
		return r.x.Events[k].Alt == z.Event.Alt && r.unordered(k), r.hb.MeetingOf(k) != nil
	case e.Alt == z.Event.Alt:
		return r.unordered(r.n - 1), r.hb.MeetingOf(r.n-1) != nil
	case e.Involves(p) || !r.joins(r.cut.In, true, &z.Event):
		return false, false
	}
	return r.crash == nil && r.apart(&z.Event, r.cut.In) && besideOrOf(&z.Event, e), true
}

// meetingInitial is Initial for w, by processes p and q, that is, or would be, a member of a joint
// meeting. ok is false if w is not known to be one.
func (v *insertion) meetingInitial(w *turn, p, q int32) (initial, ok bool) {
	hb := v.d.races.hb
	if p < 0 || q < 0 || w.final || w.loose || !hb.Meets() {
		return false, false
	}
	switch k := v.next(p); {
	case k >= 0:
		if hb.MeetingOf(k) == nil {
			return false, false
		}
		return v.takes(w, k), true
	case v.meetsLast(p, w):
		v.gone = true // what they do next is known if it does not depend on the other one
		return true, true
	case !v.gone && v.last.Involves(p) || !v.joins(w, p, q):
		return false, false
	}
	v.moved(p, q)
	return true, true
}

// joins reports whether w commutes with all that is left. The sender p of w does none of that, its
// receiver q some of it.
func (v *insertion) joins(w *turn, p, q int32) bool {
	if v.isAlien(q) || v.isAlien(p) || w.event.PartnerOp.Kind != trace.Recv ||
		isNew(&w.event, v.known()) {
		return false
	}
	r := &v.d.races
	op := r.declared(v, p)
	if op == nil || op.Kind != trace.Send {
		return false
	}
	e := w.event
	e.Proc, e.Partner, e.Op = p, q, *op
	return r.joins(v.in, !v.gone, &e) && r.apart(&e, v.in) && (v.gone || besideOrOf(&e, &v.last))
}

// apart reports whether e, a meeting, commutes with all events of a set in which its receiver has
// no part.
func (r *reading) apart(e *trace.Event, set []uint64) (ok bool) {
	ok = true
	depend.Each(set, func(k int32) bool {
		ok = besideOrOf(e, &r.x.Events[k])
		return ok
	})
	return ok
}

// besideOrOf reports whether e, a meeting, commutes with f, or its receiver has a part in f.
func besideOrOf(e, f *trace.Event) bool { return f.Involves(e.Partner) || !search.Dependent(e, f) }

// sleepsBeside reports whether z, a meeting, goes on sleeping after e, another meeting of its
// receiver. The receiver must take both in one joint meeting, in either order. next is the
// operation that the receiver has declared after e.
func (z *sleeper) sleepsBeside(e *trace.Event, next *trace.Op) bool {
	f := &z.Event
	return e.Partner >= 0 && e.Partner == f.Partner && e.Proc != f.Proc && next != nil &&
		!z.Final &&
		depend.IsPlainMeeting(f) && depend.GoesOn(e, next) && depend.Fits(e, &f.Op)
}

// nextOf returns the operation that the receiver of the last event has declared after it; nil if
// that cannot be of a joint meeting.
func (d *Search) nextOf(s *trace.State, parent *station) *trace.Op {
	e := &s.Events[s.Depth-1]
	if d.joining < depend.Together || e.Partner < 0 || s.Freed || len(s.Procs) > parent.procs {
		return nil // who has started a process is not known
	}
	return s.Procs[e.Partner]
}

// meetsLast reports whether w, by which process p sends, is the last event of those that are left,
// and a meeting before which no other one of them comes.
func (v *insertion) meetsLast(p int32, w *turn) bool {
	r := &v.d.races
	return !v.gone && v.last.Proc == p && v.d.names.Label(v.last.Alt) == w.Label &&
		r.hb.MeetingOf(r.n-1) != nil && v.unordered(r.n-1)
}
