package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Relays. Events of one side of an object (the sends into a buffer, the receives from it, all that holds a mutex, the changes
// of an atomic variable, the log) have one order: each depends on all others. Where one of them was done, any
// declared operation of that side could have been done instead. So of the races of an event with such operations, the one
// with the operation that comes next is enough: the others are next in other executions.

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

// Relays reports whether, where e was done, each declared operation that is on e's side (see OnSide) could have been done. An
// Unlock is on a side, and is possible where no Lock is.
func Relays(e *trace.Event) bool {
	switch e.Kind {
	case trace.Unlock, trace.WUnlock, trace.WWait:
		return false
	}
	return Side(e) != NoSide
}

// OnSide reports whether op, a declared operation on the object of e, is possible where an event of e's side that relays is,
// and depends on all events of that side.
func OnSide(e *trace.Event, op *trace.Op) bool {
	if Side(e) == NoSide {
		return false
	}
	switch op.Kind {
	case trace.Send:
		return e.Kind == trace.Send
	case trace.Recv:
		return e.Kind == trace.Recv
	case trace.Lock, trace.TryLock, trace.WLock, trace.WTryLock, trace.RLock, trace.RTryLock, trace.Log,
		trace.AtomicLoad, trace.AtomicStore, trace.AtomicUpdate, trace.PoolPut, trace.PoolGet:
		return true
	}
	return false
}
