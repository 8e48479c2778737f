package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Add adds the next event of x, number Len.
func (o *Order) Add(x *trace.Execution) { o.add(x, nil, false) }

// AddAfter is Add for an event that need not come after all events of its process. In the order of
// the program it comes after the events before only. Its objects add predecessors as ever.
func (o *Order) AddAfter(x *trace.Execution, before []int32) { o.add(x, before, true) }

// add is Add, or AddAfter if the events before are given.
func (o *Order) add(x *trace.Execution, before []int32, given bool) {
	k := int32(o.Len())
	u := addition{procs: [2]int32{-1, -1}, barrier: o.barrier, pushed: int32(len(o.pushed))}
	if k >= MaxEvents {
		o.added = append(o.added, u)
		o.addLast(o.labels.of(x, &x.Events[k]))
		return
	}
	e := &x.Events[k]
	o.found = o.found[:0]
	u.procs = [2]int32{e.Proc, e.Partner}
	u.before[0] = o.advance(x, e.Proc, k)
	if e.Partner >= 0 {
		u.before[1] = o.advance(x, e.Partner, k)
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
		o.behindTasks(x, k, e.Proc, u.before[0])
		o.behindTasks(x, k, e.Partner, u.before[1])
	}
	o.objectPredecessors(x.Events, k)
	if IsBarrier(e) {
		o.everything(k)
		o.barrier = k + 1
	}
	o.added = append(o.added, u)
	o.found = dedupe(o.found)
	o.closure.add(o.found, o.labels.of(x, e))
	o.push(e, k)
}

// Rewind forgets all events from n on. The remaining ones must be the first events of the next
// execution given to Add.
func (o *Order) Rewind(n int) {
	for k := len(o.added) - 1; k >= n; k-- {
		u := &o.added[k]
		o.pull(int(u.pushed))
		o.barrier = u.barrier
		for i, q := range u.procs {
			if q >= 0 {
				o.last[q] = u.before[i]
			}
		}
	}
	o.added = o.added[:min(n, len(o.added))]
	o.closure.rewind(n)
	o.rested.rewind(int32(n))
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
		o.found = o.precursors(x, q, k, p, o.found)
	} else if p >= 0 {
		o.found = append(o.found, p)
	}
	if o.barrier > 0 {
		o.found = append(o.found, o.barrier-1)
	}
	if p := x.Procs[q].After - 1; p >= 0 && o.last[q] < 0 {
		o.found = append(o.found, p)
	}
	if p := x.Procs[q].Elders.Of(k); p >= 0 {
		o.found = append(o.found, p)
	}
	before, o.last[q] = o.last[q], k
	return before
}

func (o *Order) objectPredecessors(events []trace.Event, k int32) {
	e, known := &events[k], past{&o.closure, -1}
	if len(o.found) > 0 {
		known.last = o.found[0]
	}
	if e.Kind == trace.Default {
		for _, c := range e.Op.Cases {
			if c.Obj >= 0 {
				o.found = o.object(c.Obj).predecessors(events, e, missed(c), known, o.found)
				o.found = o.left(c, o.barrier, o.found)
			}
		}
		return
	}
	if e.Obj >= 0 {
		from := len(o.found)
		o.found = o.object(e.Obj).predecessors(events, e, o.effect(e, k), known, o.found)
		if o.Joins() {
			o.found = o.join(events, k, o.found, from, o.objects[e.Obj][laneOf[sent]])
		}
	}
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
	o.unseen.find(&s)
	o.forgetJoints()
	if o.forgetMeetings(); equal > Apart {
		o.joints.find(&o.jointReceives, x, least)
	}
	if equal > Buffered {
		o.jointMeetings.find(x)
	}
	for range x.Events {
		o.Add(x)
	}
	return s.narrow
}
