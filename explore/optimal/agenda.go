package optimal

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The agenda has the steps that may overtake an event: those on one of its objects. If each of
// several steps could have been done in the state of the others, only the first one is looked at.
//
// Why nothing is lost by that. Take q, w(q) and e as in the argument of the package, and an
// execution with q and w(q). In it let m be the first event after q that is on the side of q
// (depend.Side) and relays, if e comes later or not at all. The past of m has no such event after
// q. So q, w(q), the past of m, and then e in the place of m, is possible, and an execution that
// begins like that is explored after q as well. Events of a side and e are ordered, so in this
// execution no relaying event comes between q and e, and the race is not skipped. For a rendezvous,
// m is the next event of the process that takes part in both.

// enlist fills the agenda. Steps that were done at event kept, or later, are new.
func (r *agenda) enlist(kept int32) {
	r.steps, r.first = r.steps[:0], r.first[:0]
	for obj := range r.naming {
		r.naming[obj], r.fresh[obj], r.mixed[obj] = r.naming[obj][:0], r.fresh[obj][:0], false
	}
	for q := range int32(len(r.x.Procs)) {
		r.first = append(r.first, int32(len(r.steps)))
		for k := range len(r.acts[q]) + 1 {
			r.steps = append(r.steps, search.Act{})
			last := len(r.steps) - 1
			if s := &r.steps[last]; r.describe(s, q, k) {
				r.file(s.Op, int32(last), s.At >= kept)
			} else {
				r.steps = r.steps[:last]
			}
		}
	}
	r.relays()
}

// file enters step k under the objects that its operation names.
func (r *agenda) file(op *trace.Op, k int32, isNew bool) {
	r.fileUnder(op.Obj, k, isNew, buffered(op))
	for _, c := range op.Cases {
		r.fileUnder(c.Obj, k, isNew, false)
	}
}

// buffered reports whether op is a send into a buffer, or a receive from it, outside of a select.
func buffered(op *trace.Op) bool {
	return op.Cap > 0 && (op.Kind == trace.Send || op.Kind == trace.Recv)
}

func (r *agenda) fileUnder(obj, k int32, isNew, buffered bool) {
	if obj < 0 {
		return
	}
	for int(obj) >= len(r.naming) {
		r.naming, r.fresh, r.mixed = append(r.naming, nil), append(r.fresh, nil),
			append(r.mixed, false)
	}
	r.mixed[obj] = r.mixed[obj] || !buffered
	if l := r.naming[obj]; len(l) > 0 && l[len(l)-1] == k {
		return
	}
	r.naming[obj] = append(r.naming[obj], k)
	if isNew {
		r.fresh[obj] = append(r.fresh[obj], k)
	}
}

// candidates returns the steps on an object of event i, and the steps that did event i, in their
// order. settled: of the steps on an object, only new ones.
func (r *agenda) candidates(settled bool) []int32 {
	from := r.naming
	if settled {
		from = r.fresh
	} else if r.a.Obj >= 0 && r.a.Op.Kind != trace.Select && r.a.PartnerOp.Kind != trace.Select {
		return from[r.a.Obj]
	}
	r.list = append(r.list[:0], r.first[r.a.Proc]+int32(r.cur[r.a.Proc]))
	if r.a.Partner >= 0 {
		r.list = append(r.list, r.first[r.a.Partner]+int32(r.cur[r.a.Partner]))
	}
	r.gather(from, r.a.Obj)
	for _, op := range [...]*trace.Op{&r.a.Op, &r.a.PartnerOp} {
		for _, c := range op.Cases {
			r.gather(from, c.Obj)
		}
	}
	slices.Sort(r.list)
	r.list = slices.Compact(r.list)
	return r.list
}

func (r *agenda) gather(from [][]int32, obj int32) {
	if obj >= 0 && int(obj) < len(from) {
		r.list = append(r.list, from[obj]...)
	}
}

// A race that has been looked at in the execution before need not be looked at again if nothing has
// changed. Then v is the same, and the alternative that covered v, or the branch made of v, is
// there. Both events and all of v must be among the events that the two executions have in common.
// So each event i has a bound behind the last event that does not happen after it, which is the
// last one of any v. The steps after the common events are new for i.

// unsettled is the bound of an event whose races have not been looked at, or not in full.
const unsettled = math.MaxInt32

// bounds computes the bounds of all events.
func (r *agenda) bounds() {
	r.bound = r.bound[:0]
	for i := range r.n {
		r.bound = append(r.bound, i+1)
	}
	open := search.Sized(r.scratch, r.n) // events after which all later ones happen
	for w := range open {
		open[w] = search.Between(w, 0, r.n)
	}
	for k := r.n - 1; k > 0; k-- {
		row := r.hb.Row(k)
		for w := range row {
			for b := open[w] & search.Between(w, 0, k) &^ row[w]; b != 0; b &= b - 1 {
				r.bound[w<<6+bits.TrailingZeros64(b)] = k + 1
			}
			open[w] &= row[w] | ^search.Between(w, 0, k)
		}
	}
	r.scratch = open
}

// own returns the step of process q that is event i, or a part of it.
func (r *agenda) own(q int32) *search.Act { return &r.steps[r.first[q]+int32(r.cur[q])] }

// follower returns the only step that may overtake event i, nil if there can be others. It is the
// next step on the same side of a buffer that is used in no other way. Later steps of that side are
// relayed, and there is no race between the two sides of a buffer.
func (r *agenda) follower() *search.Act {
	k := r.relay[r.i]
	if k >= r.last || r.observed || r.mixed[r.a.Obj] {
		return nil
	}
	p := r.x.Events[k].Proc
	return &r.steps[int(r.first[p])+r.cur[p]+slices.Index(r.onward(p), k)]
}

// worthwhile reports whether step s, which is event i or comes after it, may have an alternative to
// try. That is quicker to find out than whether s may be early.
func (r *agenda) worthwhile(s *search.Act) bool {
	switch op := s.Op; {
	case s.At == r.i:
		return true
	case buffered(op):
		return r.mayHit(s, op)
	default:
		return !r.relayed(s, op)
	}
}

// mayHit reports whether op can be in a race with event i that must be looked at. Step s may do op
// without a partner, on an object of event i.
func (r *agenda) mayHit(s *search.Act, op *trace.Op) bool {
	if op.Kind == trace.WgAdd && r.overdrew(s.At) {
		return true // see exhausted
	}
	return !r.relayed(s, op) && depend.Interferes(r.a, op) && !r.alike(r.a, op.Kind, op.Obj)
}

// relayed reports whether the race of event i with step s need not be looked at. That is so if an
// event m between them depends on i, and op was possible in the state of m. Then an execution is
// explored in which op comes in the place of m, with no such event between i and op.
func (r *agenda) relayed(s *search.Act, op *trace.Op) bool {
	return r.relay[r.i] < min(s.At, r.last) && op.Obj == r.a.Obj && depend.OnSide(r.a, op)
}

// relays finds, for each event, the next event that relays on the same side of the same object.
func (r *agenda) relays() {
	r.next = r.next[:0]
	for range 2 * len(r.naming) {
		r.next = append(r.next, r.n)
	}
	r.relay = append(r.relay[:0], make([]int32, r.n)...)
	for k := r.n - 1; k >= 0; k-- {
		e := &r.x.Events[k]
		r.relay[k] = r.n
		if side := depend.Side(e); side != depend.NoSide && e.Obj >= 0 {
			next := &r.next[2*int(e.Obj)+side]
			r.relay[k] = *next
			if *next < r.n && r.hb.Together(k, *next) {
				r.relay[k] = r.relay[*next] // the first one that depends on k
			}
			if depend.Relays(e) && !r.hb.Unseen(k) {
				*next = k
			}
		}
	}
}

// relayedMeeting is relayed for a rendezvous on obj in which s sends and t receives, and one of
// them has a part in event i. The next event of that process must be a rendezvous on obj as well,
// before the other one moves. It does not hold if t takes several values in a row, in any order.
func (r *reading) relayedMeeting(s, t *search.Act, obj int32) bool {
	if m := r.following(s, t.At); m != nil && m.Obj == obj && m.Partner >= 0 && m.Proc == s.Proc {
		return true
	}
	m := r.following(t, s.At)
	return m != nil && m.Obj == obj && m.Partner == t.Proc && !mayJoin(r.a) && !mayJoin(m)
}

// mayJoin reports whether e may be of a joint meeting.
func mayJoin(e *trace.Event) bool { return depend.GoesOn(e, &e.PartnerOp) }
