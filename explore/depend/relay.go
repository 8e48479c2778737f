package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Relays. Events of one side of an object (the sends into a buffer, the receives from it, all that
// holds a mutex, the changes of an atomic variable, the log) have one order: each depends on all
// others. Where one of them was done, any declared operation of that side could have been done
// instead. So of the races of an event with such operations, the one with the operation that comes
// next is enough: the others are next in other executions.

// NoSide is the side of an event that is on none.
const NoSide = -1

// Side returns 0 or 1: the side of its object that e is on.
func Side(e *trace.Event) int {
	switch effectOf(e) {
	case sent:
		if e.Cap > 0 {
			return 0
		}
	case received:
		if e.Cap > 0 {
			return 1
		}
	case locked, wrote, changed, logged, put, took:
		return 0
	}
	return NoSide
}

// Relays reports whether, where e was done, which is on a side, each declared operation that is on
// that side (see OnSide) could have been done. An Unlock is on a side, and is possible where no
// Lock is.
func Relays(e *trace.Event) bool {
	return e.Kind != trace.Unlock && e.Kind != trace.WUnlock && e.Kind != trace.WWait
}

// OnSide reports whether op, a declared operation on the object of e, which is on a side, is
// possible where an event of that side that relays is, and depends on all events of that side.
func OnSide(e *trace.Event, op *trace.Op) bool {
	if op.Kind == trace.Send || op.Kind == trace.Recv {
		return e.Kind == op.Kind
	}
	return oneSided[op.Kind]
}

// oneSided are the kinds of operations on objects that have one side.
var oneSided = [trace.NumKinds]bool{
	trace.Lock: true, trace.TryLock: true, trace.WLock: true, trace.WTryLock: true,
	trace.RLock:    true,
	trace.RTryLock: true,
	trace.Log:      true, trace.AtomicLoad: true, trace.AtomicStore: true, trace.AtomicUpdate: true,
	trace.PoolPut: true, trace.PoolGet: true,
}
