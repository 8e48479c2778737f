package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint meetings are for unbuffered channels what joint receives are for buffered ones. A send into
// an unbuffered channel and the receive of its value are one event of two processes, a meeting.
// Meetings with one receiver have an order, as it does one after the other. But if the receiver
// only adds the values up, or takes equal ones, nobody can tell this order.
//
// Vocabulary: a joint meeting is a run of plain receives of one process from one unbuffered
// channel, each of which meets a plain send. In between the process does nothing that anybody else
// can tell. The receives are of one group (trace.NoGroup), or of none and take values that are
// known to be equal. A single meeting is a joint meeting of one member. A joint meeting is open if
// the receiver has declared one more such receive after the last member. In the order of an
// execution
//   - a member happens after the earlier events of its sender, and after the events of its receiver
//     before the first member;
//   - the sender's next event happens after that member alone;
//   - the receiver's next event, and the processes that it starts, happen after all members.
//
// So only the senders order the members. The sends of one process have the order of its program. If
// a process sends only after it has heard from another sender, which has gone on after its own
// meeting, its send comes later. When a member of a joint meeting comes, it is known whether it
// goes on with the others, unlike for a joint receive. So no member has to wait for later events.
//
// A run ends with any other event of the receiver, with a process that it starts, or with its
// access to a variable that others may touch. It also ends with a receive of another group, or a
// receive of no group whose value is not known to be equal, with a select that sends, and with an
// event that ends the execution. It ends with the first event of a process whose twin may begin
// only then (trace.Proc.After): had two members come in the other order, the twin could have begun
// after the other one, and "after one of several" is no partial order.
//
// Why nobody can tell executions of one such order apart. Let two members a and b be adjacent, of
// different senders. Before both, both senders wait to send: that of b does, as it takes no part in
// a. The receiver has two receives ahead, one right after the other. These are of one group, or
// take equal values. So b can come first, and then a. The state after both is the same: the senders
// have gone on, each with what it knew (a send returns nothing), and the receiver has taken both
// values. If the receives are of one group, package analysis/fanin proves that in between only the
// accumulators of the receiver differ, and that these are the same after both. Unlike for joint
// receives, other processes may look at the channel, receive from it, or close it: after both
// members the same processes wait there, and nobody looks between adjacent events.
//
// The number of receives in the run is not open, either. Which receives belong to it depends only
// on the place in the receiver's program, or on the values, which are equal. If there are more
// senders than receives ahead, some senders are left over, and the choice of these matters. They
// wait for another receiver, for ever (a leak), or meet this one after it has done something else.
// Two meetings commute in a state if the receiver takes both before that; they do not if it has one
// receive ahead. A rule that asks only whether two values can be added up in either order would
// lose executions, with others left over.
//
// Data races. A meeting passes on what each of its processes knows to the other one (a receive from
// an unbuffered channel is synchronized before the completion of the send). So the second sender
// learns, by way of the receiver, of the earlier events of the first one, and not the other way
// round. Accesses of the two that are ordered only by this are in a data race if the members come
// in the other order. If an execution shows that somebody might have used this knowledge, the
// search begins again without joint meetings: see Told. Otherwise, in all executions of the class,
// no process that knows of some members only has touched a variable that others may touch.
//
// LIMITS: as for joint receives; accesses of a sender that are not announced are not seen. Told
// takes each order of two events for one that passes on knowledge, which two sends into one buffer,
// for example, do not. Sends and receives in a select are in no joint meeting, nor are those of a
// channel that has room for some values and not for all. Some senders of such a channel go on
// before the receiver comes. The program can tell which ones, so two sends do not commute even if
// one run takes both values.

// jointMeetings has the joint meetings of an execution. Before Observe has found them, there are
// none.
type jointMeetings struct {
	meeting  []int32   // by event: the joint meeting that it is a part of, or alone; empty: all are
	meetings []Meeting // the joint meetings
}

// Meeting is a joint meeting.
type Meeting struct {
	Members  []int32 // the events, in their order; one at least
	Receiver int32   // the process
	// the operation that the receiver has declared after the last one goes on with it, if it meets
	// another value of the kind
	Open bool
	// a process may begin after the last one, or the next receive of the receiver ended the
	// execution
	ended bool
	// the last events of the receiver before the first one, and the first event of its elder if it
	// begins with this joint meeting; taken when the first one is added to the order
	before []int32
}

// MeetingOf returns the joint meeting of which event k is a part, nil if there is none.
func (ms *jointMeetings) MeetingOf(k int32) *Meeting {
	if k < 0 || int(k) >= len(ms.meeting) || ms.meeting[k] == alone {
		return nil
	}
	return &ms.meetings[ms.meeting[k]]
}

// Meets reports whether there is a joint meeting.
func (ms *jointMeetings) Meets() bool { return len(ms.meetings) > 0 }

func isJoint(m Meeting) bool { return len(m.Members) > 1 }

// forgetMeetings makes no event a part of a joint meeting.
func (ms *jointMeetings) forgetMeetings() {
	ms.meeting, ms.meetings = ms.meeting[:0], ms.meetings[:0]
}

// GoesOn reports whether next goes on with the joint meeting of e, if it meets a value that Fits.
// next is the operation that the receiver of e, a meeting, has declared after e.
func GoesOn(e *trace.Event, next *trace.Op) bool {
	if !IsPlainMeeting(e) || next.Kind != trace.Recv || next.Obj != e.Obj {
		return false
	}
	group, touched := next.Group()
	before, _ := e.PartnerOp.Group()
	return !touched && group == before && (group != trace.NoGroup || e.Op.Value() != trace.NoValue)
}

// Fits reports whether the receiver of meeting e takes the value of op, a plain send, in the same
// way as that of e.
func Fits(e *trace.Event, op *trace.Op) bool {
	group, _ := e.PartnerOp.Group()
	return op.Kind == trace.Send && op.Obj == e.Obj &&
		(group != trace.NoGroup || op.Value() == e.Op.Value() && op.Value() != trace.NoValue)
}

// IsPlainMeeting reports whether e is the meeting of a plain send and a plain receive.
func IsPlainMeeting(e *trace.Event) bool {
	return e.Partner >= 0 && e.Op.Kind == trace.Send && e.PartnerOp.Kind == trace.Recv &&
		!trace.Serves(e.Op.Cap)
}

// find finds the joint meetings of x. Before, there are none.
func (ms *jointMeetings) find(x *trace.Execution) {
	at := make([]int32, len(x.Procs)) // by process: the joint meeting that it receives in, or alone
	for q := range at {
		at[q] = alone
	}
	starts := starters(x)
	for k := range x.Events {
		e := &x.Events[k]
		ms.meeting = append(ms.meeting, alone)
		at[e.Proc] = alone
		if e.Partner < 0 {
			continue
		}
		if q := e.Partner; IsPlainMeeting(e) {
			at[q] = ms.welcome(x, at[q], int32(k))
			ms.meetings[at[q]].ended = starts[start{int32(k), q}]
		} else {
			at[q] = alone
		}
	}
	ms.leaveOpen(x)
}

// start is an event after which a process has started another one, or its twin may begin.
type start struct{ event, proc int32 }

// starters returns the events after which another process may begin, which ends a joint meeting.
func starters(x *trace.Execution) map[start]bool {
	starts := map[start]bool{}
	for q := range x.Procs {
		p := &x.Procs[q]
		if p.Born > 0 {
			starts[start{p.Born - 1, p.Parent}] = true
		}
		if p.After > 0 {
			starts[start{p.After - 1, p.Twin - 1}] = true
		}
	}
	return starts
}

// welcome makes event k a part of joint meeting m, or begins another one. It returns the number of
// that joint meeting.
func (ms *jointMeetings) welcome(x *trace.Execution, m, k int32) int32 {
	e := &x.Events[k]
	if m != alone {
		c := &ms.meetings[m]
		c.ended = c.ended ||
			int(k) == len(x.Events)-1 && x.End != trace.Quiet && x.End != trace.Steps &&
				x.End != trace.Vain
		if last := &x.Events[c.Members[len(c.Members)-1]]; !c.ended && GoesOn(last, &e.PartnerOp) &&
			Fits(last, &e.Op) {
			c.Members = append(c.Members, k)
			ms.meeting[k] = m
			return m
		}
	}
	ms.meetings = append(ms.meetings, Meeting{Members: []int32{k}, Receiver: e.Partner})
	ms.meeting[k] = int32(len(ms.meetings)) - 1
	return ms.meeting[k]
}

// leaveOpen finds out which joint meetings go on.
func (ms *jointMeetings) leaveOpen(x *trace.Execution) {
	next := make([]*trace.Op, len(x.Procs)) // what each process does next
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended {
			next[q] = &p.Pending
		}
	}
	for k := len(x.Events) - 1; k >= 0; k-- {
		e := &x.Events[k]
		if m := ms.MeetingOf(int32(k)); m != nil && m.Members[len(m.Members)-1] == int32(k) {
			m.Open = !m.ended && next[e.Partner] != nil && GoesOn(e, next[e.Partner])
		}
		if next[e.Proc] = &e.Op; e.Partner >= 0 {
			next[e.Partner] = &e.PartnerOp
		}
	}
}

// precursors appends the events after which event k comes because of process q, which takes part in
// k. p is the last event of q before k, or the event that started q. If p is a member of a joint
// meeting, all members are appended; if k is one, the events before the first member are.
func (ms *jointMeetings) precursors(x *trace.Execution, q, k, p int32, dst []int32) []int32 {
	if m := ms.MeetingOf(k); m != nil && m.Receiver == q {
		if m.Members[0] == k {
			m.before = ms.leave(x, q, p, m.before[:0])
			if after := x.Procs[q].After - 1; after >= 0 && p == x.Procs[q].Born-1 {
				m.before = append(m.before, after)
			}
		}
		return append(dst, m.before...)
	}
	return ms.leave(x, q, p, dst)
}

// leave appends p. If p is a member of a joint meeting, and process q goes on, or is started, when
// that has ended, leave appends all members instead.
func (ms *jointMeetings) leave(x *trace.Execution, q, p int32, dst []int32) []int32 {
	m := ms.MeetingOf(p)
	switch {
	case p < 0:
		return dst
	case m == nil || m.Receiver != q && (x.Events[p].Involves(q) ||
		x.Procs[q].Parent != m.Receiver):
		return append(dst, p)
	}
	return append(dst, m.Members...)
}

// Precursors returns the events of x that must come before event k because of process q, which
// takes part in k. p is the last event of q before k, or the event that started q. Either may be
// -1, or beyond the end.
func (ms *jointMeetings) Precursors(x *trace.Execution, q, k, p int32) []int32 {
	if m := ms.MeetingOf(k); m != nil && m.Receiver == q {
		return m.before
	}
	return ms.leave(x, q, p, nil)
}

// Mates reports whether events i and k are of one joint meeting, in which process q receives.
func (ms *jointMeetings) Mates(i, k, q int32) bool {
	m := ms.MeetingOf(i)
	return m != nil && m.Receiver == q && slices.Contains(m.Members, k)
}

// lastOf returns the last event of t's process before t, or the one after which it was started; -1
// if there is none.
func lastOf(x *trace.Execution, t trace.Touch) int32 {
	for k := t.After - 1; k >= x.Procs[t.Proc].Born; k-- {
		if x.Events[k].Involves(t.Proc) {
			return k
		}
	}
	return x.Procs[t.Proc].Born - 1
}

// hasHeard reports whether process q knows, after event k, of some members of a joint meeting, and
// not of all.
func (ms *jointMeetings) hasHeard(x *trace.Execution, c *closure, q, k int32) bool {
	from := ms.leave(x, q, k, nil)
	return slices.ContainsFunc(ms.meetings, func(m Meeting) bool {
		known := 0
		for _, j := range m.Members {
			if slices.ContainsFunc(from, func(k int32) bool { return j == k || c.Before(j, k) }) {
				known++
			}
		}
		return known > 0 && known < len(m.Members)
	})
}
