package depend

import (
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Exceeds reports whether x is too long for an Order to know all events that might have come in
// another order. If one process does everything, and never has a choice, no event might.
func Exceeds(x *trace.Execution) bool {
	if len(x.Events) <= MaxEvents {
		return false
	}
	p := x.Events[0].Proc
	for k := range x.Events {
		if e := &x.Events[k]; e.Proc != p || e.Partner >= 0 || e.Op.Kind == trace.Select ||
			e.Kind.Hidden() {
			return true
		}
	}
	for q := range x.Procs {
		if r := &x.Procs[q]; int32(q) != p && !r.Ended && r.Pending.Kind != trace.None {
			return true
		}
	}
	return false
}

// Order is the happens-before order of one execution, built event by event. Executions that share a
// prefix share the work: see Rewind. The zero value is the order of the empty execution.
//
// Its parts answer what searches ask, each from its own data. Order adds an event: it finds the
// event's direct predecessors, in the program of each process and in the lanes of the objects.
type Order struct {
	closure       // what happens before what
	lanes         // the events by what they have done to which object
	rested        // the events that ended a rest
	unseen        // the events that nobody sees
	jointReceives // their sends have no order
	jointMeetings // their members have no order

	labels  labels
	last    []int32    // the last event of each process, -1 if none
	barrier int32      // the number of the last barrier plus 1, 0 if there is none
	serves  bool       // some event has had a task
	added   []addition // by event, for Rewind

	found  []int32      // scratch: the predecessors of the event that is added
	joints joints       // scratch
	replay stream.State // scratch
}

// addition is what an Order knew before an event was added.
type addition struct {
	procs   [2]int32 // Proc and Partner of the event, -1 if none
	before  [2]int32 // the last event of each
	barrier int32    // Order.barrier
	pushed  int32    // the length of lanes.pushed
}

// Previous returns the last known event that precedes the next event of process q in the program:
// its own, or the one after which it was spawned, or -1. A barrier does not count: an operation is
// declared before a barrier that comes in between, and it may have been possible there.
func (o *Order) Previous(x *trace.Execution, q int32) int32 {
	if int(q) < len(o.last) && o.last[q] >= 0 {
		return o.last[q]
	}
	return x.Procs[q].Born - 1
}

// barrierBefore returns the last barrier before event k, -1 if there is none.
func (o *Order) barrierBefore(k int32) int32 {
	if int(k) >= len(o.added) {
		return o.barrier - 1
	}
	return o.added[k].barrier - 1
}
