package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint meetings are to unbuffered channels what joint receives are to those with room. A send into
// an unbuffered channel and the receive of its value are one event of two processes, a meeting.
// Meetings with one receiver have an order, for it does one after the other; but if it only adds up
// what it takes, or takes equal values, nobody can tell which one that is.
//
// Vocabulary: a joint meeting is a run of plain receives of one process from one unbuffered
// channel, each of which meets a plain send, with nothing of that process in between that anybody
// else can tell: they are of one group (trace.NoGroup), or of none and take values that are known
// to be equal. One meeting is one of one member. It is open if what the receiver has declared after
// the last member is one more such receive. In the order of an execution
//   - a member happens after what its sender did before, and after what its receiver did before the
//     first member;
//   - the sender's next event happens after that member alone;
//   - the receiver's next event, and what it starts, happens after all members.
//
// So the members are in no order but the one that their senders give them: who sends twice does so
// in the order of its program, and who sends only when it has heard from another sender, which has
// gone on after its own meeting, does so after that. Unlike a joint receive, it is known of each
// member when it comes whether it goes on with the others: nothing within has to wait for what
// comes later.
//
// A run ends with any other event of the receiver, and a process that it starts; an access of the
// receiver to a variable that others may touch; a receive of another group, or one of no group that
// takes a value that is not known to be equal; a select that sends; and what ends the execution.
//
// Why that is an order of executions that nobody can tell from each other. Let two members a and b
// be neighbours, of different senders. Before both, both senders wait to send: b's does, for a is
// no event of it. And the receiver has two receives ahead, one right after the other, of one group,
// or it takes a value that is equal to that of the other. So b can come first, and then a. The
// state after both is the same: the senders have gone on, each with what it knew (a send returns
// nothing), and the receiver has taken both. If the two are of one group, package analysis/fanin
// says that it has done the same in between but for its accumulators, and that their values after
// both are the same. Who else looks at the channel, receives from it, or closes it does not matter,
// other than for joint receives: after both it is the same who waits there, and nobody looks
// between neighbours.
//
// The number of receives in the run is not open, either: which receives belong to it depends on the
// place in the receiver's program alone, or on the values, which are equal. So of more senders than
// there are receives ahead, some are left over, and which ones does matter: they wait for another
// receiver, for ever (a leak), or meet this one after it has done something else. Two meetings
// commute in a state if the receiver takes both before that, and they do not if it has one receive
// ahead. A rule that asks only whether two values could be added up in either order would lose who
// is left over.
//
// Data races. A meeting hands on what both processes know to both (a receive from an unbuffered
// channel is synchronized before the completion of the send). So the second sender learns, by way
// of the receiver, what the first one has done, and not the other way round. Accesses of the two
// that are ordered by that are in a data race if the members come in the other order. Where it
// shows in an execution that somebody might have made use of that, the search begins again without
// joint meetings: see Told. In the class of such an execution nobody who knows of one member only
// has touched a variable that others may touch.
//
// LIMITS: as for joint receives; what the sender of a meeting touches without saying so is not
// seen. Told takes whatever orders two events for something that hands on knowledge, which two
// sends into one buffer, for one, do not. Sends and receives in a select are in no joint meeting,
// nor are those of a channel that has room for some values and not for all: of its senders, some go
// on before the receiver comes. Which ones can be told, so that two of its sends do not commute
// even if they are taken by one run.

// Meeting is a joint meeting.
type Meeting struct {
	Members  []int32 // the events, in their order; one at least
	Receiver int32   // the process
	// what the receiver has declared after the last one goes on with it, if another value of the
	// kind is sent
	Open bool
	// the receiver has started a process after the last one, or the execution ended with what it
	// took next
	ended bool
	// what the receiver did last before the first one, as of when that is added to the order
	before []int32
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

// CountJoints adds to counts, by group, how many joint receives and joint meetings of x, whose
// order o is, there are.
func (o *Order) CountJoints(x *trace.Execution, counts map[int32]int) {
	for _, s := range o.spans {
		counts[s.group]++
	}
	for _, m := range o.meetings {
		if isJoint(m) {
			group, _ := x.Events[m.Members[0]].PartnerOp.Group()
			counts[group]++
		}
	}
}

// forgetMeetings makes no event a part of a joint meeting.
func (o *Order) forgetMeetings() { o.meeting, o.meetings = o.meeting[:0], o.meetings[:0] }

// GoesOn reports whether next, which the receiver of the meeting e has declared after that, goes on
// with the joint meeting that e is a part of, if it meets a value that Fits.
func GoesOn(e *trace.Event, next *trace.Op) bool {
	if !IsPlainMeeting(e) || next.Kind != trace.Recv || next.Obj != e.Obj {
		return false
	}
	group, touched := next.Group()
	before, _ := e.PartnerOp.Group()
	return !touched && group == before && (group != trace.NoGroup || e.Op.Value() != trace.NoValue)
}

// Fits reports whether op, a plain send, sends what the receiver of the meeting e takes in the same
// way as what e sends.
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

// welcome makes event k a part of joint meeting m, or begins another one. It returns which one it
// is.
func (o *Order) welcome(x *trace.Execution, m, k int32) int32 {
	e := &x.Events[k]
	if m != alone {
		c := &o.meetings[m]
		c.ended = c.ended ||
			int(k) == len(x.Events)-1 && x.End != trace.Quiet && x.End != trace.Steps
		if last := &x.Events[c.Members[len(c.Members)-1]]; !c.ended && GoesOn(last, &e.PartnerOp) &&
			Fits(last, &e.Op) {
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

// precursors appends to o.found what event k comes after because process q, which takes part in it,
// did or was started by p: where that is one of a joint meeting, all of them, and where k is one,
// what came before the first.
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

// leave appends p, or all of a joint meeting that p is the last one of, as process q goes on, or is
// started, when that has ended.
func (o *Order) leave(x *trace.Execution, q, p int32, dst []int32) []int32 {
	m := o.MeetingOf(p)
	switch {
	case p < 0:
		return dst
	case m == nil || m.Receiver != q && (x.Events[p].Involves(q) ||
		x.Procs[q].Parent != m.Receiver):
		return append(dst, p)
	}
	return append(dst, m.Members...)
}

// Precursors returns the events of x that process q must have done, or that it was started after,
// before what it does at event k, p being what it did last before that, or was started after:
// either may be -1, or beyond the end.
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

// Told reports whether a variable that others may touch has been touched by somebody who knows of
// some of a joint meeting, and not of all: a sender, when it has gone on, or who has heard from it.
// It may know, by way of the receiver, what another sender had done before, which it would not if
// the two had met the receiver in the other order. Then the accesses may be a data race that this
// execution does not show.
func (o *Order) Told(x *trace.Execution) bool {
	if !slices.ContainsFunc(o.meetings, isJoint) {
		return false
	}
	return slices.ContainsFunc(x.Touches, func(t trace.Touch) bool {
		return o.hasHeard(x, t.Proc, lastOf(x, t))
	})
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

// hasHeard reports whether process q knows, after event k, of some of a joint meeting, and not of
// all.
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
