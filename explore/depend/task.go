package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Tasks (trace.Served). The send of a value, its receive, and what the receiver, the server of the channel, does with it are one event of
// the sender. It comes after what the server did before it began to serve, and after the earlier tasks that conflict. What the server
// does when it has found the channel closed comes after the close, and so after all tasks.

// behindServer adds to what was found what process q, a server, did last that is no task.
func (o *Order) behindServer(x *trace.Execution, q int32) {
	if p := o.Previous(x, q); p >= 0 {
		o.found = append(o.found, p)
	}
	if p := x.Procs[q].After - 1; p >= 0 && (int(q) >= len(o.last) || o.last[q] < 0) {
		o.found = append(o.found, p)
	}
}

// serve is Foresee for a send into a channel that is served: its server must be there.
func (c *Cut) serve(e *trace.Event) Verdict {
	if e.Closed = c.isClosed(e.Obj); e.Closed {
		return Sure
	}
	q, before := c.server(e.Obj)
	if q < 0 {
		return Never
	}
	e.Seq = q
	for k := range c.X.Events[:before] {
		if c.X.Events[k].Involves(q) && !c.Has(int32(k)) {
			return Never
		}
	}
	p := &c.X.Procs[q]
	return unless(!c.hasAny(p.Born-1) || !c.hasAny(p.After-1))
}

func (c *Cut) hasAny(k int32) bool { return k < 0 || c.Has(k) }

// server returns the process that serves a channel, -1 if there is none, and an event before which it does so.
func (c *Cut) server(obj int32) (q, before int32) {
	if l := c.lane(obj, tasked); len(l) > 0 {
		k := l[0].event()
		return c.X.Events[k].Seq, k
	}
	for k := range c.X.Events {
		if e := &c.X.Events[k]; e.Obj == obj && e.Kind == trace.Recv && e.Closed {
			return e.Proc, int32(k)
		}
	}
	for q := range c.X.Procs {
		if p := &c.X.Procs[q]; !p.Ended && p.Pending.Kind == trace.Recv && p.Pending.Obj == obj {
			return int32(q), int32(len(c.X.Events))
		}
	}
	return -1, 0
}
