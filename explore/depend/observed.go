package depend

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Observers: S. Aronis, B. Jonsson, M. Lång, K. Sagonas, "Optimal dynamic partial order reduction
// with observers", TACAS 2018. In a complete execution the order of two events may be unseen.
// Examples are two sends whose values are never received, and two writes that are both overwritten
// before anybody reads. Then the events commute.
//
// Deviations. The paper asks of each pair which event observes it. Here a single event is seen or
// unseen, and two unseen events commute:
//   - a send is unseen if its value is never received. Two sends of which one is seen are ordered,
//     for the values are received in the order of the sends;
//   - an atomic store is unseen if the next event on the variable is another store, or if there is
//     none, provided that the variable is sealed (trace.Sealed). If it is not, a plain read, which
//     is no event, may see which store was the last one.
//
// So the relation of a complete execution is a table like that of Dependent, with two more effects
// (lost, overwritten). Unseen events stay unseen when two adjacent ones change places.
//
// A process that finds the channel full also sees a send. So sends are Lazy only if there is room
// for all of them. Sends that were declared and not done count, too: cases of a select, and
// operations of processes that wait.

// Lazy reports whether e has an order among the events of its kind on its object only if an
// observer sees it. least: channels with a capacity up to that have been found too small for all
// that is sent.
func Lazy(x *trace.Execution, e *trace.Event, least int32) bool {
	switch e.Kind {
	case trace.AtomicStore:
		return e.Obj >= 0 && e.Op.IsSealed()
	case trace.Send:
		return effectOf(e) == sent && e.Cap > least && !isStatic(x, e.Obj)
	}
	return false
}

// isStatic reports whether a channel may have values that no event has sent.
func isStatic(x *trace.Execution, obj int32) bool {
	return slices.Contains(x.Static, obj)
}

// unseen is a set of events: those that nobody sees. Before Observe has found them, all count as
// seen.
type unseen struct {
	bits []uint64
}

// Unseen reports whether nobody sees event k, in an order that Observe has made.
func (u *unseen) Unseen(k int32) bool {
	return int(k>>6) < len(u.bits) && u.bits[k>>6]&(1<<(k&63)) != 0
}

// CountUnseen returns how many events nobody sees.
func (u *unseen) CountUnseen() (n int) {
	for _, word := range u.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

// effect is effectOf for event k.
func (u *unseen) effect(e *trace.Event, k int32) effect {
	if !u.Unseen(k) {
		return effectOf(e)
	}
	return choose(e.Kind == trace.Send, lost, overwritten)
}

// find fills the set with the events of the execution of s.
func (u *unseen) find(s *sight) {
	u.bits = grow(u.bits[:0], len(s.x.Events)>>6+1)
	read := map[int32]bool{} // by variable: what comes next reads it
	for k := len(s.x.Events) - 1; k >= 0; k-- {
		e := &s.x.Events[k]
		if Lazy(s.x, e, s.least) && !(e.Kind == trace.Send && e.Seq < s.taken[e.Obj]) &&
			!read[e.Obj] {
			u.bits[k>>6] |= 1 << (k & 63)
		}
		switch e.Kind {
		case trace.AtomicStore:
			read[e.Obj] = false
		case trace.AtomicLoad, trace.AtomicUpdate:
			read[e.Obj] = true
		}
	}
}

// sight is what is known of the objects of an execution.
type sight struct {
	x      *trace.Execution
	least  int32
	narrow int32
	sent   map[int32]int32 // by channel: how many sends there were, or might have been
	taken  map[int32]int32 // by channel: the number of the next value that would be received
}

// channels fills sent, taken and narrow.
func (s *sight) channels() {
	s.sent, s.taken = map[int32]int32{}, map[int32]int32{}
	for k := range s.x.Events {
		e := &s.x.Events[k]
		if s.count(&e.Op); e.Partner >= 0 {
			s.count(&e.PartnerOp)
		}
		if effectOf(e) == received {
			s.taken[e.Obj] = e.Seq + 1
		}
	}
	for q := range s.x.Procs {
		s.count(&s.x.Procs[q].Pending)
	}
}

// count counts the sends that op might have been.
func (s *sight) count(op *trace.Op) {
	if op.Kind == trace.Send {
		s.add(op.Obj, op.Cap)
	}
	for i, c := range op.Cases {
		again := slices.ContainsFunc(op.Cases[:i], func(b trace.Case) bool {
			return b.Kind == c.Kind && b.Obj == c.Obj
		})
		if op.Kind == trace.Select && c.Kind == trace.Send && !again {
			s.add(c.Obj, c.Cap)
		}
	}
}

func (s *sight) add(obj, capacity int32) {
	if s.sent[obj]++; obj >= 0 && s.sent[obj] > capacity && capacity > max(s.least, s.narrow) &&
		!isStatic(s.x, obj) {
		s.narrow = capacity
	}
}
