package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Relays. Some objects have sides: the sends into a buffer, the receives from it, all that holds a
// mutex, the changes of an atomic variable, the log. Events of one side are in a total order, as
// each depends on all others. In a state where one of them was done, any declared operation of that
// side could have been done instead. So of the races of an event with such operations, the one with
// the next operation is enough: the others are next in other executions.

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

// Relays reports whether, in the state where e was done, each declared operation on e's side (see
// OnSide) could have been done. e must be on a side. An Unlock is on a side, but is possible where
// no Lock is.
func Relays(e *trace.Event) bool {
	return e.Kind != trace.Unlock && e.Kind != trace.WUnlock && e.Kind != trace.WWait
}

// OnSide reports whether op, a declared operation on the object of e, depends on all events of e's
// side, and is possible in each state where an event of that side that relays is. e must be on a
// side.
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
