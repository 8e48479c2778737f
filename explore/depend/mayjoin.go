package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

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
