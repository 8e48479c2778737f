package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Meetings. On an unbuffered channel a send and its receive are one event of two processes.

// Meeting is a joint meeting: a run of plain receives of one process from one unbuffered channel, as a joint receive is, each of
// which meets a plain send.
type Meeting struct {
	Members  []int32 // the events, in their order; one at least
	Receiver int32   // the process
	Open     bool    // what the receiver has declared after the last one goes on with it, if another value of the kind is sent
	ended    bool    // the receiver has started a process after the last one, or the execution ended with what it took next
	before   []int32 // what the receiver did last before the first one, as of when that is added to the order
}

// MeetingOf returns the joint meeting that event k is a part of, nil if there is none.
func (o *Order) MeetingOf(k int32) *Meeting {
	if k < 0 || int(k) >= len(o.meeting) || o.meeting[k] == alone {
		return nil
	}
	return &o.meetings[o.meeting[k]]
}

// Meets reports whether there is a joint meeting.
func (o *Order) Meets() bool { return len(o.meetings) > 0 }

// JoinsAny reports whether there are joint receives, or joint meetings of more than one.
func (o *Order) JoinsAny() bool { return o.Joins() || slices.ContainsFunc(o.meetings, isJoint) }

func isJoint(m Meeting) bool { return len(m.Members) > 1 }

// CountJoints adds to counts, by group, how many joint receives and joint meetings of x, whose order o is, there are.
func (o *Order) CountJoints(x *trace.Execution, counts map[int32]int) {
	for _, s := range o.spans {
		counts[s.group]++
	}
	for _, m := range o.meetings {
		if isJoint(m) {
			group, _ := trace.GroupOf(x.Events[m.Members[0]].PartnerOp.N)
			counts[group]++
		}
	}
}

// forgetMeetings makes no event a part of a joint meeting.
func (o *Order) forgetMeetings() { o.meeting, o.meetings = o.meeting[:0], o.meetings[:0] }

// GoesOn reports whether next, which the receiver of the meeting e has declared after that, goes on with the joint meeting that e is
// a part of, if it meets a value that Fits.
func GoesOn(e *trace.Event, next *trace.Op) bool {
	if !IsPlainMeeting(e) || next.Kind != trace.Recv || next.Obj != e.Obj {
		return false
	}
	group, touched := trace.GroupOf(next.N)
	before, _ := trace.GroupOf(e.PartnerOp.N)
	return !touched && group == before && (group != trace.NoGroup || e.Op.N != trace.NoValue)
}

// Fits reports whether op, a plain send, sends what the receiver of the meeting e takes in the same way as what e sends.
func Fits(e *trace.Event, op *trace.Op) bool {
	group, _ := trace.GroupOf(e.PartnerOp.N)
	return op.Kind == trace.Send && op.Obj == e.Obj && (group != trace.NoGroup || op.N == e.Op.N && op.N != trace.NoValue)
}

// IsPlainMeeting reports whether e is the meeting of a plain send and a plain receive.
func IsPlainMeeting(e *trace.Event) bool {
	return e.Partner >= 0 && e.Op.Kind == trace.Send && e.PartnerOp.Kind == trace.Recv
}

// meet finds the joint meetings of x, and enters them in o.
func (o *Order) meet(x *trace.Execution) {
	at := make([]int32, len(x.Procs)) // by process: the joint meeting that it receives in, or alone
	for q := range at {
		at[q] = alone
	}
	starts := starters(x)
	for k := range x.Events {
		e := &x.Events[k]
		o.meeting = append(o.meeting, alone)
		at[e.Proc] = alone
		if e.Partner < 0 {
			continue
		}
		if q := e.Partner; IsPlainMeeting(e) {
			at[q] = o.welcome(x, at[q], int32(k))
			o.meetings[at[q]].ended = starts[start{int32(k), q}]
		} else {
			at[q] = alone
		}
	}
	o.leaveOpen(x)
}

// start is an event after which a process started another one.
type start struct{ event, proc int32 }

func starters(x *trace.Execution) map[start]bool {
	starts := map[start]bool{}
	for q := range x.Procs {
		if p := &x.Procs[q]; p.Born > 0 {
			starts[start{p.Born - 1, p.Parent}] = true
		}
	}
	return starts
}

// welcome makes event k a part of joint meeting m, or begins another one. It returns which one it is.
func (o *Order) welcome(x *trace.Execution, m, k int32) int32 {
	e := &x.Events[k]
	if m != alone {
		c := &o.meetings[m]
		c.ended = c.ended || int(k) == len(x.Events)-1 && x.End != trace.Quiet && x.End != trace.Steps
		if last := &x.Events[c.Members[len(c.Members)-1]]; !c.ended && GoesOn(last, &e.PartnerOp) && Fits(last, &e.Op) {
			c.Members = append(c.Members, k)
			o.meeting[k] = m
			return m
		}
	}
	o.meetings = append(o.meetings, Meeting{Members: []int32{k}, Receiver: e.Partner})
	o.meeting[k] = int32(len(o.meetings)) - 1
	return o.meeting[k]
}

// leaveOpen finds out which joint meetings go on.
func (o *Order) leaveOpen(x *trace.Execution) {
	next := make([]*trace.Op, len(x.Procs)) // what each process does next
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended {
			next[q] = &p.Pending
		}
	}
	for k := len(x.Events) - 1; k >= 0; k-- {
		e := &x.Events[k]
		if m := o.MeetingOf(int32(k)); m != nil && m.Members[len(m.Members)-1] == int32(k) {
			m.Open = !m.ended && next[e.Partner] != nil && GoesOn(e, next[e.Partner])
		}
		if next[e.Proc] = &e.Op; e.Partner >= 0 {
			next[e.Partner] = &e.PartnerOp
		}
	}
}

// precursors appends to o.found what event k comes after because process q, which takes part in it, did or was started by p:
// where that is one of a joint meeting, all of them, and where k is one, what came before the first.
func (o *Order) precursors(x *trace.Execution, q, k, p int32) {
	if m := o.MeetingOf(k); m != nil && m.Receiver == q {
		if m.Members[0] == k {
			m.before = o.leave(x, q, p, m.before[:0])
		}
		o.found = append(o.found, m.before...)
		return
	}
	o.found = o.leave(x, q, p, o.found)
}

// leave appends p, or all of a joint meeting that p is the last one of, as process q goes on, or is started, when that has ended.
func (o *Order) leave(x *trace.Execution, q, p int32, dst []int32) []int32 {
	m := o.MeetingOf(p)
	switch {
	case p < 0:
		return dst
	case m == nil || m.Receiver != q && (x.Events[p].Involves(q) || x.Procs[q].Parent != m.Receiver):
		return append(dst, p)
	}
	return append(dst, m.Members...)
}

// Precursors returns the events of x that process q must have done, or that it was started after, before what it does at event k,
// p being what it did last before that, or was started after: either may be -1, or beyond the end.
func (o *Order) Precursors(x *trace.Execution, q, k, p int32) []int32 {
	if m := o.MeetingOf(k); m != nil && m.Receiver == q {
		return m.before
	}
	return o.leave(x, q, p, nil)
}

// Mates reports whether events i and k are of one joint meeting, in which process q receives.
func (o *Order) Mates(i, k, q int32) bool {
	m := o.MeetingOf(i)
	return m != nil && m.Receiver == q && slices.Contains(m.Members, k)
}

// Told reports whether a variable that others may touch has been touched by somebody who knows of some of a joint meeting, and not of
// all: a sender, when it has gone on, or who has heard from it. It may know, by way of the receiver, what another sender had done
// before, which it would not if the two had met the receiver in the other order. Then the accesses may be a data race that this
// execution does not show.
func (o *Order) Told(x *trace.Execution) bool {
	if !slices.ContainsFunc(o.meetings, isJoint) {
		return false
	}
	return slices.ContainsFunc(x.Touches, func(t trace.Touch) bool { return o.hasHeard(x, t.Proc, lastOf(x, t)) })
}

// lastOf returns the last event of t's process before t, or the one after which it was started; -1 if there is none.
func lastOf(x *trace.Execution, t trace.Touch) int32 {
	for k := t.After - 1; k >= x.Procs[t.Proc].Born; k-- {
		if x.Events[k].Involves(t.Proc) {
			return k
		}
	}
	return x.Procs[t.Proc].Born - 1
}

// hasHeard reports whether process q knows, after event k, of some of a joint meeting, and not of all.
func (o *Order) hasHeard(x *trace.Execution, q, k int32) bool {
	from := o.leave(x, q, k, nil)
	return slices.ContainsFunc(o.meetings, func(m Meeting) bool {
		known := 0
		for _, j := range m.Members {
			if slices.ContainsFunc(from, func(k int32) bool { return j == k || o.Before(j, k) }) {
				known++
			}
		}
		return known > 0 && known < len(m.Members)
	})
}
