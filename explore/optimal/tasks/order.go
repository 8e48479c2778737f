package tasks

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Tasks of one actor that commute have no order here. Otherwise happens-before is that of package
// depend, except for the order of the program. Each process is cut into intervals; one begins with
// each delivery. An interval that begins with the task of a delivery does not come after earlier
// intervals whose tasks commute with this task.

// course is the course of one execution: its stations, and happens-before.
type course struct {
	deliveries.Eager
	judgement
	stack []*station // of the current execution
	// stations before this one have been looked at together with all events before them
	kept      int
	intervals [][]interval // of each process
	mail      deliveries.Mail
	conflicts []depend.Conflict // scratch
	before    []int32           // scratch
}

// interval is a part of the events of a process.
type interval struct {
	first, last int32     // events
	op          *trace.Op // that it begins with
	task        *task     // nil: it begins with no delivery
	fault       bool      // it is not what a plain task is taken for
	ordering    bool      // it sends to a channel that keeps the order, and for which others matter
	sent        int       // events after the first one
}

// mute reports whether the next step of the process, if that is no receive, does not belong to v.
func (v *interval) mute() bool { return v.plain() && v.sent >= v.task.sends }

// plain reports whether it is a task that may commute with others.
func (v *interval) plain() bool { return v.task != nil && v.task.plain }

// read computes happens-before of x, and refuses the program if anything but deliveries is in a
// race.
func (d *course) read(x *trace.Execution) {
	known := 0
	if d.kept > 0 {
		known = d.stack[d.kept-1].depth
	}
	d.Order.Rewind(known)
	d.intervals = slices.Grow(d.intervals[:0], len(x.Procs))[:len(x.Procs)]
	for q := range d.intervals {
		d.intervals[q] = d.intervals[q][:0]
	}
	at := 0
	for k := range x.Events {
		if at < len(d.stack) && d.stack[at].depth == k {
			d.event(x, int32(k), at)
			at++
		} else {
			d.event(x, int32(k), -1)
		}
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; len(x.Events) <= depend.MaxEvents && !p.Ended &&
			p.Pending.Kind != trace.None {
			d.before = d.needs(x, int32(q), nil, d.begins(int32(q), &p.Pending), d.before[:0])
			d.otherRaces(x, int32(q), &p.Pending, d.before)
		}
	}
	d.VetEnd(x)
}

// event takes down event k of x, which was chosen at station at; -1: at none.
func (d *course) event(x *trace.Execution, k int32, at int) {
	e := &x.Events[k]
	begins := at >= 0 || d.begins(e.Proc, &e.Op)
	if int(k) >= d.Order.Len() {
		d.add(x, k, at, begins)
	}
	d.enter(x, e.Proc, k, at, begins)
	if e.Partner >= 0 {
		d.enter(x, e.Partner, k, -1, d.begins(e.Partner, &e.PartnerOp))
	}
}

// begins reports whether an interval of process q begins with op, which takes no message.
func (d *course) begins(q int32, op *trace.Op) bool {
	last := len(d.intervals[q]) - 1
	return intervalBegins(op) || last >= 0 && d.intervals[q][last].mute()
}

// add adds event k to the order.
func (d *course) add(x *trace.Execution, k int32, at int, begins bool) {
	if k >= depend.MaxEvents {
		d.Order.Add(x)
		return
	}
	e := &x.Events[k]
	var t *task
	if at >= 0 {
		t = d.stack[at].task
	}
	d.before = d.needs(x, e.Proc, t, begins, d.before[:0])
	if op := depend.Declared(e); !depend.IsBarrier(e) {
		d.otherRaces(x, e.Proc, &op, d.before)
	}
	if from := len(d.before); e.Partner >= 0 {
		d.before = d.needs(x, e.Partner, nil, d.begins(e.Partner, &e.PartnerOp), d.before)
		d.otherRaces(x, e.Partner, &e.PartnerOp, d.before[from:])
	}
	if depend.IsBarrier(e) {
		for q := range d.intervals {
			for i := range d.intervals[q] {
				d.before = append(d.before, d.intervals[q][i].last)
			}
		}
	}
	d.Order.AddAfter(x, d.before)
	if e.Kind == trace.TimerStop || e.Kind == trace.TimerReset {
		// the firing that it called off might have come first
		d.before = d.needs(x, e.Op.N, nil, d.begins(e.Op.N, &trace.Op{Kind: trace.Fire}),
			d.before[:0])
		d.otherRaces(x, e.Op.N, &trace.Op{Kind: trace.Fire, Obj: e.Obj, Cap: trace.Timers},
			d.before)
	}
}

// needs appends the events of the program after which the next event of process q comes. If that
// event begins an interval, t is the interval's task.
func (d *course) needs(x *trace.Execution, q int32, t *task, begins bool, dst []int32) []int32 {
	list := d.intervals[q]
	if last := len(list) - 1; !begins && last >= 0 {
		return append(dst, list[last].last)
	}
	for i := len(list) - 1; i >= 0; i-- {
		v := &list[i]
		if t == nil || !v.plain() || !d.commute(v.task, t) {
			dst = append(dst, v.last)
		}
		if !v.plain() {
			return dst // which comes after all before it
		}
	}
	if born := x.Procs[q].Born; born > 0 {
		dst = append(dst, born-1)
	}
	return dst
}

// otherRaces refuses the program if an earlier event is in a race with op, an operation of process
// q. Events that happen before one of before do not count. Allowed are races of two deliveries, and
// of a delivery with the send of a message that might be delivered instead.
func (d *course) otherRaces(x *trace.Execution, q int32, op *trace.Op, before []int32) {
	prev := int32(-1)
	if len(before) == 1 {
		prev = before[0]
	}
	d.conflicts = d.Order.ConflictsAfter(x, prev, q, op, d.conflicts[:0])
	for _, c := range d.conflicts {
		e := &x.Events[c.Event]
		needed := func(k int32) bool { return k == c.Event || d.Order.Before(c.Event, k) }
		switch {
		case !c.Race || slices.ContainsFunc(before, needed):
		case deliveries.IsDelivery(e) &&
			(e.Proc == q && intervalBegins(op) || op.Kind == trace.Send && trace.Mailbox(op.Cap)):
		case e.Involves(q):
			d.blame(q, c.Event) // two tasks that are said to commute
		default:
			d.Refuse(x.Events, int(c.Event), "a %v of %s and a %v of %s may come in either order",
				e.Kind, x.Procs[e.Proc].Name, op.Kind, x.Procs[q].Name)
		}
	}
}

// blame says that the task of process q with event k is not plain, as it was taken to be.
func (d *course) blame(q, k int32) {
	for i := range d.intervals[q] {
		if v := &d.intervals[q][i]; v.first <= k && k <= v.last {
			v.fault = true
		}
	}
}

// enter takes down that process q took part in event k.
func (d *course) enter(x *trace.Execution, q, k int32, at int, begins bool) {
	list := d.intervals[q]
	last := len(list) - 1
	e := &x.Events[k]
	op := &e.Op
	if e.Partner == q {
		op = &e.PartnerOp
	}
	if last >= 0 && !begins {
		v := &list[last]
		v.last = k
		v.sent++
		if v.plain() && !(e.Proc == q && d.sends(v, e, k)) {
			v.fault, v.ordering = true, v.ordering || e.Kind == trace.Send && !trace.Mailbox(e.Cap)
		}
		return
	}
	if last >= 0 {
		d.ends(&list[last], sameOp(list[last].op, op))
	}
	if last > 0 && list[last-1].mute() && list[last].task == nil && sameOp(list[last-1].op, op) &&
		at >= 0 {
		list[last-1].fault = true // what was taken for the end of the loop was none
	}
	v := interval{first: k, last: k, op: op}
	if at >= 0 {
		v.task = d.stack[at].task
	}
	d.intervals[q] = append(list, v)
}

// ends takes down whether the process of v waits after v at the receive at which it waited before.
func (d *course) ends(v *interval, returned bool) {
	if v.plain() {
		v.task.last = !returned && v.task.rounds
		v.fault = v.fault || !returned && !v.task.last ||
			v.task.sends < math.MaxInt && v.sent != v.task.sends
	}
}

// sends reports whether event k is a send that is possible as soon as its task, v, has begun.
func (d *course) sends(v *interval, e *trace.Event, k int32) bool {
	if e.Kind != trace.Send || e.Closed || k >= depend.MaxEvents {
		return false
	}
	return trace.Mailbox(e.Cap) || !slices.ContainsFunc(d.stack, func(n *station) bool {
		c := int32(n.depth)
		return c != v.first && d.Order.Before(c, k) && !d.Order.Before(c, v.first)
	})
}

// sameOp reports whether two receives are at one place, from the same mailboxes.
func sameOp(a, b *trace.Op) bool {
	return a.Kind == b.Kind && a.N == b.N && a.Obj == b.Obj && a.Default == b.Default &&
		slices.Equal(a.Cases, b.Cases)
}

// findFaults looks for tasks of x that are not plain, although they were taken to be: plain tasks
// go from a receive to the same receive, with nothing but sends in between. It reports whether
// there are any; these are distrusted from now on. It first looks for sends to channels that keep
// the order, as the other faults may be due to these. If rests, an execution is cut off only where
// all processes rest.
func (d *course) findFaults(x *trace.Execution, rests bool) (found bool) {
	for q, list := range d.intervals {
		rests := x.End == trace.Quiet || rests && x.End == trace.Cut
		if last := len(list) - 1; last >= 0 &&
			(rests || search.Final(x) && list[last].plain() && list[last].task.rounds) {
			p, v := &x.Procs[q], &list[last]
			d.ends(v, !p.Ended && sameOp(v.op, &p.Pending))
			// it has not come to its end
			v.fault = v.fault || v.plain() && !v.mute() && !p.Ended && !intervalBegins(&p.Pending)
		}
	}
	return d.note(d.ordering, func(v *interval) bool { return v.ordering }) ||
		d.note(d.distrusted, func(v *interval) bool { return v.fault })
}

// note adds the handlers of those plain tasks for which is holds to a set, and reports whether the
// set has grown.
func (d *course) note(set map[handlers.Ref]bool, is func(*interval) bool) (more bool) {
	for _, list := range d.intervals {
		for i := range list {
			if v := &list[i]; v.plain() && is(v) {
				for _, r := range v.task.facts.Handlers {
					more = more || !set[r]
					set[r] = true
				}
			}
		}
	}
	return more
}
