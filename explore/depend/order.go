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

// Rewind forgets all events from n on. The remaining ones must be the first events of the next
// execution given to Add.
func (o *Order) Rewind(n int) {
	for k := len(o.steps) - 1; k >= n; k-- {
		s := &o.steps[k]
		for _, p := range o.pushed[s.pushed:] {
			l := &o.objects[p.obj][p.lane]
			*l = (*l)[:len(*l)-1]
		}
		o.pushed = o.pushed[:s.pushed]
		o.rows = o.rows[:s.row]
		o.barrier = s.barrier
		o.restore(s)
	}
	o.steps = o.steps[:min(n, len(o.steps))]
	o.forgetLeaves(int32(n))
}

// Add adds the next event of x, number Len.
func (o *Order) Add(x *trace.Execution) { o.add(x, nil, false) }

// AddAfter is Add for an event that need not come after all events of its process. In the order of
// the program it comes after the events before only. Its objects add predecessors as ever.
func (o *Order) AddAfter(x *trace.Execution, before []int32) { o.add(x, before, true) }

// add is Add, or AddAfter if the events before are given.
func (o *Order) add(x *trace.Execution, before []int32, given bool) {
	k := int32(len(o.steps))
	if k >= MaxEvents {
		o.addBlindly(x, k)
		return
	}
	e := &x.Events[k]
	o.found = o.found[:0]
	o.steps = append(o.steps, step{})
	s := &o.steps[k]
	s.row, s.lastPred, s.pushed, s.barrier = int32(len(o.rows)), -1, int32(len(o.pushed)), o.barrier
	s.procs[0], s.procs[1] = e.Proc, e.Partner
	s.before[0] = o.advance(x, e.Proc, k)
	if e.Partner >= 0 {
		s.before[1] = o.advance(x, e.Partner, k)
	}
	if given {
		o.found = append(o.found[:0], before...)
		if o.barrier > 0 {
			o.found = append(o.found, o.barrier-1)
		}
	}
	if q, is := e.Server(); is {
		o.behindServer(x, q)
		o.serves = true
	} else if o.serves {
		o.behindTasks(x, k, e.Proc, s.before[0])
		o.behindTasks(x, k, e.Partner, s.before[1])
	}
	o.objectPredecessors(x.Events, k)
	if IsBarrier(e) {
		o.everything(k)
		o.barrier = k + 1
	}
	o.rows = grow(o.rows, int(k+63)>>6)
	o.merge(x, k)
	o.push(e, k)
}

// everything makes the last event of each process but k a predecessor.
func (o *Order) everything(k int32) {
	for _, p := range o.last {
		if p >= 0 && p != k {
			o.found = append(o.found, p)
		}
	}
}

// advance makes k the last event of process q and returns the one before. It adds the predecessors
// of k in q's program to those found.
func (o *Order) advance(x *trace.Execution, q, k int32) (before int32) {
	for len(o.last) <= int(q) {
		o.last = append(o.last, -1)
	}
	if p := o.Previous(x, q); o.Meets() {
		o.precursors(x, q, k, p)
	} else if p >= 0 {
		o.found = append(o.found, p)
	}
	if o.barrier > 0 {
		o.found = append(o.found, o.barrier-1)
	}
	if p := x.Procs[q].After - 1; p >= 0 && o.last[q] < 0 {
		o.found = append(o.found, p)
	}
	before, o.last[q] = o.last[q], k
	return before
}

func (o *Order) objectPredecessors(events []trace.Event, k int32) {
	e, known := &events[k], past{o, -1}
	if len(o.found) > 0 {
		known.last = o.found[0]
	}
	if e.Kind == trace.Default {
		for _, c := range e.Op.Cases {
			if c.Obj >= 0 {
				o.found = o.object(c.Obj).predecessors(events, e, missed(c), known, o.found)
				o.found = o.left(c, o.found)
			}
		}
		return
	}
	if e.Obj >= 0 {
		from := len(o.found)
		o.found = o.object(e.Obj).predecessors(events, e, o.effect(e, k), known, o.found)
		if o.Joins() {
			o.join(events, k, from)
		}
	}
}

func (o *Order) object(obj int32) *object {
	for len(o.objects) <= int(obj) {
		o.objects = append(o.objects, object{})
	}
	return &o.objects[obj]
}

// merge computes event k's row and hash from the predecessors found. Only direct predecessors,
// which happen before no other one, count for the hash: equivalent executions agree on these.
func (o *Order) merge(x *trace.Execution, k int32) {
	o.found = dedupe(o.found)
	s := &o.steps[k]
	row := o.rows[s.row:]
	h := o.label(x, &x.Events[k])
	for i, p := range o.found {
		if i == 0 {
			s.lastPred = p
		}
		if row[p>>6]&(1<<(p&63)) != 0 {
			continue
		}
		row[p>>6] |= 1 << (p & 63)
		q := &o.steps[p]
		for w, b := range o.rows[q.row : q.row+(p+63)>>6] {
			row[w] |= b
		}
		h += mix(q.hash)
	}
	s.hash = mix(h)
	s.sum = mix(s.hash)
	if k > 0 {
		s.sum += o.steps[k-1].sum
	}
}

// addBlindly adds an event beyond MaxEvents: it counts as happening after the one before.
func (o *Order) addBlindly(x *trace.Execution, k int32) {
	p := &o.steps[k-1]
	h := mix(o.label(x, &x.Events[k]) + mix(p.hash))
	o.steps = append(o.steps, step{row: int32(len(o.rows)), lastPred: k - 1,
		pushed: int32(len(o.pushed)), procs: [2]int32{-1, -1}, barrier: o.barrier, hash: h,
		sum: p.sum + mix(h)})
}

// restore undoes advance.
func (o *Order) restore(s *step) {
	for i, q := range s.procs {
		if q >= 0 {
			o.last[q] = s.before[i]
		}
	}
}

func grow(s []uint64, n int) []uint64 {
	for range n {
		s = append(s, 0)
	}
	return s
}

// label identifies an event among those with the same predecessors, across executions.
func (o *Order) label(x *trace.Execution, e *trace.Event) uint64 {
	h := o.pathHash(x, e.Proc) + uint64(e.Kind)<<8 + uint64(uint32(e.Case))<<16
	if e.Partner >= 0 {
		h = mix(h) + o.pathHash(x, e.Partner) + uint64(uint32(e.PartnerCase))
	}
	// no predecessor tells which message it is if the sender takes one of its own
	if m := e.Takes; m.Number > 0 {
		h = mix(h) + o.pathHash(x, m.Sender) + uint64(m.Number)
	}
	return mix(h)
}

// pathHash hashes the stable name of process q.
func (o *Order) pathHash(x *trace.Execution, q int32) uint64 {
	for int(q) >= len(o.paths) {
		o.paths, o.hashes = append(o.paths, ""), append(o.hashes, 0)
	}
	if path := x.Procs[q].Path; o.paths[q] != path {
		h := uint64(14695981039346656037)
		for i := range len(path) {
			h = (h ^ uint64(path[i])) * 1099511628211
		}
		o.paths[q], o.hashes[q] = path, mix(h)
	}
	return o.hashes[q]
}

// mix spreads a number over 64 bits.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo ^ x>>29
}
