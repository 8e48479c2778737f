package depend

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// MaxEvents is the number of events of an execution for which an Order knows happens-before. It
// bounds the memory of an Order to some 20 MB.
const MaxEvents = 1 << 14

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
// For each event it keeps a bit per earlier event, which is cheaper than a clock per process as
// long as executions are short, and bounded by MaxEvents when they are not. It has many methods, as
// searches ask in many ways what comes before what; all are answered from the same rows.
type Order struct {
	objects []object
	last    []int32 // the last event of each process, -1 if none
	steps   []step  // of each event
	rows    []uint64
	pushed  []push       // what the events added to lanes, for Rewind
	paths   []string     // of each process, as of their hashes
	hashes  []uint64     // of the paths
	found   []int32      // scratch
	barrier int32        // the last one plus 1, 0 if there is none
	leaves  []leave      // in the order of the events
	unseen  []uint64     // events that nobody sees, a bit for each; empty: all count as seen
	joint   []int32      // by event: what it has to do with joint receives; empty: all are alone
	spans   []span       // the joint receives
	serves  bool         // some event has had a task
	sends   []int32      // scratch
	before  []int32      // scratch
	joints  joints       // scratch
	replay  stream.State // scratch

	meeting  []int32   // by event: the joint meeting that it is a part of, or alone; empty: all are
	meetings []Meeting // the joint meetings
}

// step is what an Order keeps of one event.
type step struct {
	row      int32    // where its row begins in rows
	lastPred int32    // the last event that happens directly before it, -1 if none
	pushed   int32    // len(pushed) before it
	procs    [2]int32 // Proc and Partner, -1 if none
	before   [2]int32 // what was the last event of each
	hash     uint64   // the same in all equivalent executions
	barrier  int32    // what was the last one plus 1
	sum      uint64   // of the hashes up to and including this one
}

type push struct {
	obj  int32
	lane uint8
}

// Len returns the number of events.
func (o *Order) Len() int { return len(o.steps) }

// Hash is the same for equivalent executions, and, collisions aside, different for others.
func (o *Order) Hash() uint64 {
	if len(o.steps) == 0 {
		return 0
	}
	return o.steps[len(o.steps)-1].sum
}

// Before reports whether event i happens before event k, for i < k < MaxEvents. i may be -1.
func (o *Order) Before(i, k int32) bool {
	return i >= 0 && k >= 0 && i < k && o.rows[o.steps[k].row+i>>6]&(1<<(i&63)) != 0
}

// After appends to dst, for each event in turn, a row of bits: the events that happen after it. It
// looks at the first MaxEvents events only.
func (o *Order) After(dst []uint64) []uint64 {
	width := (min(len(o.steps), MaxEvents) + 63) >> 6
	dst = append(dst, make([]uint64, width<<6*width)...)
	var block [64]uint64
	for i := range width {
		for k := i; k < width; k++ {
			o.block(&block, i, k)
			transpose(&block)
			for r, b := range block {
				dst[(i<<6+r)*width+k] = b
			}
		}
	}
	return dst
}

// Following is one row of After: the events that happen after event i, a bit for each. It is for an
// order of at most 64 events, if few rows are needed.
func (o *Order) Following(i int32) (set uint64) {
	for k := i + 1; int(k) < len(o.steps); k++ {
		set |= o.rows[o.steps[k].row] >> (i & 63) & 1 << (k & 63)
	}
	return set
}

// block fills b with word i of the rows from 64 * k on.
func (o *Order) block(b *[64]uint64, i, k int) {
	for r := range b {
		b[r] = 0
		if n := k<<6 + r; n < min(len(o.steps), MaxEvents) && i < (n+63)>>6 {
			b[r] = o.rows[int(o.steps[n].row)+i]
		}
	}
}

// transpose exchanges bit c of word r and bit r of word c, for all r and c.
func transpose(b *[64]uint64) {
	for j, m := 32, uint64(1<<32-1); j != 0; j, m = j>>1, m^m<<(j>>1) {
		for k := 0; k < 64; k = (k | j + 1) &^ j {
			t := (b[k]>>j ^ b[k|j]) & m
			b[k] ^= t << j
			b[k|j] ^= t
		}
	}
}

// LastPredecessor returns the last event that happens before event k, or -1.
func (o *Order) LastPredecessor(k int32) int32 { return o.steps[k].lastPred }

// Immediate appends the immediate predecessors of event k, the last one first: events that happen
// before k, and before no other event that does.
func (o *Order) Immediate(dst []int32, k int32) []int32 {
	if k >= MaxEvents {
		return append(dst, k-1)
	}
	left := slices.Clone(o.rows[o.steps[k].row : int(o.steps[k].row)+int(k+63)>>6])
	for w := len(left) - 1; w >= 0; w-- {
		for left[w] != 0 {
			p := int32(w<<6 + 63 - bits.LeadingZeros64(left[w]))
			dst = append(dst, p)
			left[w] &^= 1 << (p & 63)
			for i, b := range o.rows[o.steps[p].row : int(o.steps[p].row)+int(p+63)>>6] {
				left[i] &^= b
			}
		}
	}
	return dst
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

func grow(s []uint64, n int) []uint64 {
	for range n {
		s = append(s, 0)
	}
	return s
}

// alone and within say how an event belongs to joint receives. Numbers from 0 on say of which joint
// receive it is a part: as one of the sends, or as the last receive.
const (
	alone  int32 = -1
	within int32 = -2
)

// span is a joint receive: the numbers (Event.Seq) of its first and last value.
type span struct {
	first, last int32
	group       int32 // of its receives; NoGroup: they take equal values
}

// run is a joint receive, of one process, that may go on.
type run struct {
	open  bool
	event int32 // the last receive
	span  int32 // alone: there has been only one receive so far
	// the group of all receives; NoGroup: they take equal values; of a single receive, its own
	// group
	group int32
}

// joints is the search for joint receives in one execution; its memory is reused.
type joints struct {
	x       *trace.Execution
	o       *Order
	looker  []int32   // by channel: the process that looks at it, nobody, or several
	sends   [][]int32 // by channel: the sends that put a value into it
	runs    []run     // by process
	started []bool    // by event: a process was started after it
}

// joints.looker has these beside processes.
const (
	nobody  int32 = -1
	several int32 = -2 // more than one
)

// Meeting is a joint meeting.
type Meeting struct {
	Members  []int32 // the events, in their order; one at least
	Receiver int32   // the process
	// the operation that the receiver has declared after the last one goes on with it, if it meets
	// another value of the kind
	Open bool
	// the receiver has started a process after the last one, or its next receive ended the
	// execution
	ended bool
	// the last events of the receiver before the first one, taken when that is added to the order
	before []int32
}

// leave is an event in which a process goes on that has rested at a channel.
type leave struct {
	event int32
	at    trace.Case // what it waited for there
}

// Joins reports whether there is a joint receive.
func (o *Order) Joins() bool { return len(o.spans) > 0 }

// Row returns the events that happen before event k, a bit for each.
func (o *Order) Row(k int32) []uint64 { return o.rows[o.steps[k].row : o.steps[k].row+(k+63)>>6] }

// CountBefore returns how many events happen before event k.
func (o *Order) CountBefore(k int32) (n int) {
	for _, word := range o.Row(k) {
		n += bits.OnesCount64(word)
	}
	return n
}

// Past identifies event k and all that happens before it. It is the same in all executions with
// these events.
func (o *Order) Past(k int32) uint64 { return o.steps[k].hash }

// barrierBefore returns the last barrier before event k, -1 if there is none.
func (o *Order) barrierBefore(k int32) int32 {
	if int(k) >= len(o.steps) {
		return o.barrier - 1
	}
	return o.steps[k].barrier - 1
}

// entry is an event in a lane: its index, and in the lowest bit whether all earlier entries of the
// lane happen before it.
type entry int32

func (e entry) event() int32 { return int32(e >> 1) }

func (e entry) covers() bool { return e&1 != 0 }

// lane holds the events with one effect on one object, in the order of the execution.
type lane []entry

// object holds the lanes of one object, by laneOf. An object has effects of one family only (a
// channel's, a mutex's), so families share the numbers.
type object [numLanes]lane

func (o *Order) object(obj int32) *object {
	for len(o.objects) <= int(obj) {
		o.objects = append(o.objects, object{})
	}
	return &o.objects[obj]
}

const (
	numLanes    = 16
	unknownLane = numLanes - 1
)
