package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Tasks (trace.Served). The send of a value, its receive, and the task of the receiver, which is
// the server of the channel, are one event of the sender. The event comes after all that the server
// did before it began to serve, and after the earlier tasks that conflict. When the server has
// found the channel closed, its events come after the close, and so after all tasks. A send whose
// task has an order with all others (trace.Op.Meets) is an event of both processes, which comes
// after the tasks before.

// behindServer adds the last event of process q, a server, that is no task to those found.
func (o *Order) behindServer(x *trace.Execution, q int32) {
	if p := o.Previous(x, q); p >= 0 {
		o.found = append(o.found, p)
	}
	if p := x.Procs[q].After - 1; p >= 0 && (int(q) >= len(o.last) || o.last[q] < 0) {
		o.found = append(o.found, p)
	}
}

// behindTasks adds the tasks that process q, which takes part in event k, has done since event
// last.
func (o *Order) behindTasks(x *trace.Execution, k, q, last int32) {
	for i := last + 1; i < k && q >= 0; i++ {
		if server, is := x.Events[i].Server(); is && server == q {
			o.found = append(o.found, i)
		}
	}
}

// servedBy reports whether a has a task that is done by a process that takes part in b.
func servedBy(a, b *trace.Event) bool {
	q, is := a.Server()
	return is && b.Involves(q)
}

// Reserve gives e, if it has a task, the server that the channel has in x: e may be from another
// execution.
func Reserve(x *trace.Execution, e *trace.Event) {
	if _, is := e.Server(); is {
		e.Seq = (&Cut{X: x}).server(e.Obj)
	}
}

// serve is Foresee for a send into a channel that is served: its server must be there.
func (c *Cut) serve(e *trace.Event) Verdict {
	if e.Closed = c.isClosed(e.Obj); e.Closed {
		return Sure
	}
	q := c.server(e.Obj)
	if q < 0 || e.Op.Says() == 0 {
		return Never // nobody is there, or it takes two
	}
	e.Seq = q
	p := &c.X.Procs[q]
	return unless(!c.waits(q, e.Obj) || !c.hasAny(p.Born-1) || !c.hasAny(p.After-1))
}

func (s *Set) hasAny(k int32) bool { return k < 0 || s.Has(k) }

// server returns the process that serves a channel, -1 if there is none.
func (c *Cut) server(obj int32) int32 {
	for k := range c.X.Events {
		e := &c.X.Events[k]
		q, task := e.Server()
		switch {
		case e.Obj != obj:
		case task:
			return q
		case e.Partner >= 0:
			return e.Partner
		case e.Kind == trace.Recv:
			return e.Proc
		}
	}
	for q := range c.X.Procs {
		if p := &c.X.Procs[q]; !p.Ended && receives(&p.Pending, obj) {
			return int32(q)
		}
	}
	return -1
}

// waits reports whether process q, after its events in the cut, has declared a receive from a
// channel.
func (c *Cut) waits(q, obj int32) bool {
	for k := range c.X.Events {
		e := &c.X.Events[k]
		switch {
		case !e.Involves(q) || c.Has(int32(k)):
		case e.Proc == q:
			return receives(&e.Op, obj)
		default:
			return receives(&e.PartnerOp, obj)
		}
	}
	p := &c.X.Procs[q]
	return !p.Ended && receives(&p.Pending, obj)
}

func receives(op *trace.Op, obj int32) bool { return op.ReceivesIn(obj) >= 0 }
