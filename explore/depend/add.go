package depend

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

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

// Joining says which sends commute because of their values.
type Joining uint8

// Each of these makes more sends commute than the one before.
const (
	Apart    Joining = iota // nothing
	Buffered                // sends that one joint receive takes
	Together                // sends that meet their receives in one joint meeting
)

// Observe makes o the order of the complete execution x. In it unseen events commute and, as far as
// equal says so, sends of equal values that are received together. narrow is the largest capacity,
// above least, of a channel that lacks room for all values that were, or might have been, sent. If
// there is such a channel, the order is of no use.
func (o *Order) Observe(x *trace.Execution, least int32, equal Joining) (narrow int32) {
	o.Rewind(0)
	s := sight{x: x, least: least}
	s.channels()
	o.unseen = s.unseen(o.unseen[:0])
	o.forgetJoints()
	if o.forgetMeetings(); equal > Apart {
		o.joints.find(o, x, least)
	}
	if equal > Buffered {
		o.meet(x)
	}
	for range x.Events {
		o.Add(x)
	}
	return s.narrow
}
