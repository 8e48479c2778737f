package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// MayJoin reports whether x, in which values have no numbers, has receives that might be joint if
// the values were equal. That is, one process takes values of two others from one channel, by plain
// receives, one right after the other.
func MayJoin(x *trace.Execution) bool {
	// by process: its last event if that was a plain receive, else -1
	last := make([]int32, len(x.Procs))
	for q := range last {
		last[q] = -1
	}
	senders := map[place]int32{}
	for k := range x.Events {
		e := &x.Events[k]
		switch {
		case IsPlainMeeting(e):
			q := e.Partner
			if i := last[q]; i >= 0 && x.Events[i].Partner == q && x.Events[i].Obj == e.Obj &&
				x.Events[i].Proc != e.Proc {
				return true
			}
			last[e.Proc], last[q] = -1, int32(k)
			continue
		case effectOf(e) == sent:
			senders[place{e.Obj, e.Seq}] = e.Proc
		case effectOf(e) == received && e.Op.Kind == trace.Recv && e.Cap > 0:
			i := last[e.Proc]
			if i >= 0 && x.Events[i].Proc == e.Proc && x.Events[i].Obj == e.Obj &&
				senders[place{e.Obj, e.Seq - 1}] != senders[place{e.Obj, e.Seq}] {
				return true
			}
			last[e.Proc] = int32(k)
			continue
		}
		if last[e.Proc] = -1; e.Partner >= 0 {
			last[e.Partner] = -1
		}
	}
	return false
}

// place is one in a channel's buffer: that of a value with a number.
type place struct{ obj, seq int32 }

// JointReceive is a joint receive, or a joint meeting, by its events.
type JointReceive struct {
	// in the order in which they were made, which is that in which their values are taken
	Sends []int32
	Last  int32 // the last receive, which of a joint meeting is the last send, too
	Group int32 // of its receives; trace.NoGroup: they take equal values
}

// JointReceives lists the joint receives, and the joint meetings of more than one member, of the
// execution that Observe has shown to o. events are those of the execution.
func (o *Order) JointReceives(events []trace.Event) []JointReceive {
	list := make([]JointReceive, len(o.spans))
	for i, s := range o.spans {
		list[i].Group = s.group
	}
	for k, i := range o.joint {
		switch {
		case i < 0:
		case events[k].Kind == trace.Send:
			list[i].Sends = append(list[i].Sends, int32(k))
		default:
			list[i].Last = int32(k)
		}
	}
	for _, m := range o.meetings {
		if isJoint(m) {
			group, _ := events[m.Members[0]].PartnerOp.Group()
			list = append(list, JointReceive{Sends: m.Members, Last: m.Members[len(m.Members)-1],
				Group: group})
		}
	}
	return list
}

// JoinsAny reports whether there are joint receives, or joint meetings of more than one.
func (o *Order) JoinsAny() bool { return o.Joins() || slices.ContainsFunc(o.meetings, isJoint) }

// CountJoints adds to counts, by group, the number of joint receives and joint meetings of x, whose
// order is o.
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

// Told reports whether a process that knows of some members of a joint meeting, and not of all, has
// touched a variable that others may touch. Such a process is a sender that has gone on, or a
// process that has heard from it. By way of the receiver, such a process may know what another
// sender had done before. It would not if the two senders had met the receiver in the other order.
// Then the accesses may be a data race that this execution does not show.
func (o *Order) Told(x *trace.Execution) bool {
	if !slices.ContainsFunc(o.meetings, isJoint) {
		return false
	}
	return slices.ContainsFunc(x.Touches, func(t trace.Touch) bool {
		return o.hasHeard(x, &o.closure, t.Proc, lastOf(x, t))
	})
}

// Joined reports whether some sends of x, in which values have numbers, commute because they are
// received together. o is what works it out.
func (o *Order) Joined(x *trace.Execution) bool {
	if len(x.Events) > MaxEvents {
		return false
	}
	narrow := o.Observe(x, 0, Together)
	if narrow > 0 {
		o.Observe(x, narrow, Together)
	}
	if o.Told(x) {
		o.Observe(x, narrow, Buffered)
	}
	for _, j := range o.JointReceives(x.Events) {
		for i := 1; i < len(j.Sends); i++ {
			if !o.Before(j.Sends[i-1], j.Sends[i]) {
				return true
			}
		}
	}
	return false
}
