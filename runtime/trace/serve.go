package trace

// A channel is served if one process, the server, receives from it in a loop, and the search has
// found that out (see runtime/model/sections). The work of the server with one value, up to its
// next receive, is a task. If the server waits in its loop, and the buffer is empty, a send, the
// receive of the value, and the task are one step, an event of the sender alone. Two such events
// commute unless their tasks conflict over some variable: Op.N of the sends says so, as it does of
// sections (see Section).
//
// A task that also does something else is no part of the step: then Op.N is 0, and the send is a
// rendezvous with the server, whether there is room or not.
const (
	Served   = -4 // the capacity of one that has no room
	Serviced = -5 // the capacity of one that has
)

// Serves reports whether a channel with this capacity is served.
func Serves(capacity int32) bool { return capacity == Served || capacity == Serviced }

// Server returns the process that does the task of e; ok is false if e is no send with a task.
func (e *Event) Server() (q int32, ok bool) {
	return e.Seq, Serves(e.Cap) && e.Kind == Send && !e.Closed && e.Partner < 0
}

// Left is Op.N of a Yield with which a server leaves the loop that serves a channel, the object
// Op.Cap: it has received as many values as it was to. Until then the server waits in its loop. No
// plain execution has such a step.
const Left int32 = 2

// Leaves reports whether op leaves the loop that serves a channel.
func (op *Op) Leaves(obj int32) bool { return op.IsLeave() && op.Cap == obj }

// IsLeave reports whether op leaves the loop that serves some channel.
func (op *Op) IsLeave() bool { return op.Kind == Yield && op.N == Left }

// ReceivesIn returns the case of op, a receive or a select, that receives from an object; -1 if
// there is none. A server that leaves its loop has received there before.
func (op *Op) ReceivesIn(obj int32) int32 {
	if op.Kind == Recv && op.Obj == obj || op.Leaves(obj) {
		return 0
	}
	for i, c := range op.Cases {
		if c.Kind == Recv && c.Obj == obj {
			return int32(i)
		}
	}
	return -1
}

// Meets reports whether op, which one process does, is a send into a channel that is served, and
// its task has an order with all others.
func (op *Op) Meets() bool { return Serves(op.Cap) && op.Kind == Send && op.N == 0 }

// Laid reports whether op sends into a channel whose server reaches its loop after all sends. Then
// each receive is an event of the server, and Op.N of the send says what its task does. Two such
// sends have an order only if their tasks conflict.
func (op *Op) Laid() bool { return op.Kind == Send && !Serves(op.Cap) && op.N&Section != 0 }

// Says returns what e's operation says of its task, or of the task that it would have; 0 if it says
// nothing.
func (op *Op) Says() int32 {
	if op.Kind == Send && (Serves(op.Cap) || op.N&Section != 0) {
		return op.N
	}
	return 0
}
