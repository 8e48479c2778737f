// Package depend says which steps of an execution commute. If a strategy leaves an order out, it
// does so because of this package.
//
// Vocabulary: an effect is what an event did to one object, finer than its Kind (a receive that
// found the channel closed is not the effect of one that took a value). Two adjacent events are
// dependent when doing them in the other order gives another state, another result of one of them,
// or is not possible. The transitive closure of dependence along an execution is its happens-before
// order. Two executions with the same order are equivalent: one trace. An event interferes with
// order, and two executions with the same order are equivalent: one trace. An event interferes with
// a declared operation when the operation, done first, might have changed what the event did or was
// able to do. Interference is the wider relation: it also covers cases that a select did not take,
// and exchanged partners of a rendezvous.
//
// A mailbox is a channel under a delivery model other than Go's (trace.Mailbox). Its sends commute;
// a receive depends on the send of the message that it took and, where messages of one sender stay
// in order, on the receive of the one before. But a receive interferes with every send that might
// have come before it, for it might have taken that message.
//
// Guarantees: every pair of effects that the tables of table.go do not name is dependent if it has
// an object in common.
//
// A third relation is for complete executions: events whose order nobody sees commute, too
// (Order.Observe), and so do sends of equal values that are received together (joint.go,
// meeting.go).
//
// LIMITS: RLock and RUnlock of different processes count as independent. Let one process release a
// read lock that another one took, and let nothing else order the two operations: then the other
// order is not tried.
package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Dependent reports whether event a and the later event b of one execution are dependent, and why.
func Dependent(a, b *trace.Event) (bool, string) {
	switch {
	case b.Involves(a.Proc), a.Partner >= 0 && b.Involves(a.Partner):
		return true, "one process does both"
	case servedBy(a, b), servedBy(b, a):
		return true, "the server does one after the other"
	case IsBarrier(a), IsBarrier(b):
		return true, "one waits until nothing else is possible"
	case a.Kind == trace.Default:
		return misses(a, b)
	case b.Kind == trace.Default:
		return misses(b, a)
	case a.Obj != b.Obj || a.Obj < 0:
		return false, ""
	}
	ea, eb := effectOf(a), effectOf(b)
	if ea+eb == sent+received && ea != eb && !sameSlot(a, b, ea) {
		return false, ""
	}
	if (ea == posted || ea == picked) && (eb == posted || eb == picked) && !sameMail(a, b) {
		return false, ""
	}
	if slotted(ea, eb) && ofSections(ea) && trace.Commute(did(a), did(b)) {
		return false, ""
	}
	if ea+eb == notified+awoken && ea != eb && (ea == awoken || !woke(a, b)) {
		return false, ""
	}
	if keyed[ea] && apart(ea, eb, a.Op.Key(), b.Op.Key()) {
		return false, ""
	}
	if oneDirection(ea, eb) && !sameSegment(a, b) {
		return false, ""
	}
	w := why[ea][eb]
	return w != "", w
}

// IsBarrier reports whether e is a firing, or the end of a synctest.Wait, that waits until nothing
// else is possible. All events done before it happen before it, and all events done after it happen
// after it.
func IsBarrier(e *trace.Event) bool { return e.Kind.Late() && e.OK }

// Exhausts reports whether b, which was possible in the state before a, would panic right after a.
// This is so if both take from one WaitGroup counter that suffices for one alone, but not for both.
// Otherwise two calls of Done are independent.
func Exhausts(a, b *trace.Event) bool {
	return a.Kind == trace.WgAdd && b.Kind == trace.WgAdd && a.Obj == b.Obj &&
		a.Counter()+b.Op.Delta() < 0
}

// sameSlot reports whether a, a send if ea is sent, else a receive, and the later b, the opposite,
// use one place of the buffer one right after the other.
func sameSlot(a, b *trace.Event, ea effect) bool {
	if ea == sent {
		return b.Seq == a.Seq
	}
	return b.Seq == a.Seq+a.Cap
}

// misses is Dependent when d is a select that took default.
func misses(d, e *trace.Event) (bool, string) {
	if e.Kind == trace.Default {
		return false, ""
	}
	for _, c := range d.Op.Cases {
		if c.Obj >= 0 && c.Obj == e.Obj {
			if w := why[missed(c)][effectOf(e)]; w != "" {
				return true, w
			}
		}
		if e.Rested && e.Op.Awaits(c) || e.PartnerRested && e.PartnerOp.Awaits(c) {
			return true, arrived
		}
	}
	return false, ""
}
