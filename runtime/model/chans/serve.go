package chans

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A channel is served if Serves says so when it is made: see trace.Served. Its server waits in a
// loop. While the server waits and the buffer is empty, a value that is sent goes to the server at
// once. Other receives and other operations work as with any channel. Package sections finds them,
// and then the channel is no longer served.

// Serves is asked about the n-th channel that a process has made. Is the channel served? Do all its
// tasks follow all sends (trace.Op.Laid)? Are its operations counted, which are no steps (Pass)? Or
// is it known that they never are?
type Serves func(p *sched.Proc, n int32) (served, laid, counted, never bool)

// SetServes says so for the channels that are made from now on.
func (w *World) SetServes(f Serves) { w.serves = f }

// Name names a channel in all executions: by the process that has made it, and its number, from 1,
// among the channels of that process. A channel that no execution has made has a zero Name.
type Name struct {
	Path string
	Turn int32
}

// serve names c, a new channel, and makes it one that is served, if it is to be.
func (w *World) serve(c *Chan) {
	p := w.s.Current()
	if w.serves == nil || p == nil {
		return
	}
	for len(w.made) <= int(p.ID) {
		w.made = append(w.made, 0)
	}
	w.made[p.ID]++
	c.Name = Name{p.Path(), w.made[p.ID]}
	var served bool
	served, c.laid, c.Counted, c.Uncounted = w.serves(p, c.Name.Turn)
	c.Counted = c.Counted && c.bubble == nil
	switch {
	case served && c.Cap > 0:
		c.kind = trace.Serviced
	case served:
		c.kind = trace.Served
	}
}

// Serviced reports whether c, which may be nil, is served.
func (c *Chan) Serviced() bool { return c != nil && trace.Serves(c.kind) }

// Laid reports whether all tasks of c, which may be nil, follow all sends.
func (c *Chan) Laid() bool { return c != nil && c.laid }

// Attend makes p, which has declared o, a receive from c or a select with one, a process that waits
// in its loop.
func (c *Chan) Attend(p *sched.Proc, o *Operation) { c.server, c.service, c.came = p, o, true }

// early reports whether the server of c, which may be nil, has yet to reach its loop. Even if there
// is room, no value is sent before that: see T5 of package sections.
func (c *Chan) early() bool {
	return c != nil && c.kind == trace.Serviced && !c.came && !c.closed
}

// At is the channel of case i of a select; nil for a nil channel.
func (o *Operation) At(i int) *Chan { return o.chans[i] }

// attended reports whether a value that is sent into c, which may be nil, is taken at once.
func (c *Chan) attended() bool { return c != nil && c.server != nil && c.n == 0 && !c.closed }

// offers appends the alternatives of p, which sends in case index, while the server of c waits:
// other processes may wait as well. task: the task is a part of the step.
func (c *Chan) offers(p *sched.Proc, index int32, blocking, task bool,
	dst []trace.Alt) []trace.Alt {
	if task {
		dst = trace.Alone(dst, p.ID, index)
	} else if c.Cap > 0 {
		return append(dst, trace.Alt{Proc: p.ID, Case: index, Partner: c.server.ID})
	}
	from := len(dst)
	dst = c.partners(p, index, blocking, dst)
	if task {
		i := slices.IndexFunc(dst[from:], func(a trace.Alt) bool {
			return a.Partner == c.server.ID
		})
		if i >= 0 {
			dst = slices.Delete(dst, from+i, from+i+1)
		}
	}
	return dst
}

// hand gives the value of p to the server of c.
func (w *World) hand(c *Chan, p *sched.Proc, ev *trace.Event) {
	q, o := c.server, c.service
	ev.Seq = q.ID
	o.done(q)
	index := 0
	if o.multi {
		index = slices.Index(o.chans, c)
	}
	w.s.Pass(p, q, int32(index))
}

// plain makes ev, an operation on c, which is perhaps served, that of an ordinary channel.
func (c *Chan) plain(ev *trace.Event) {
	if c.Serviced() {
		ev.Cap = c.Cap
	}
}

// Awaited reports whether q is the only process that has declared a receive from c, which may be
// nil, and c is empty.
func (c *Chan) Awaited(q *sched.Proc) bool {
	if c == nil || c.closed || c.n > 0 || c.kind != c.Cap || q.Op.Kind != trace.Recv ||
		q.Op.Obj != c.ID {
		return false
	}
	return c.Cap > 0 || len(c.waiting) == 1
}

// Answer hands the value that p sends into c to q, which has Awaited it, as a part of the last
// event.
func (w *World) Answer(c *Chan, p, q *sched.Proc) {
	c.sent++
	meeting := trace.Alt{Proc: p.ID, Partner: q.ID}
	if c.Cap == 0 {
		c.leave(q)
		w.s.Answer(p, q, meeting, true, meeting)
		return
	}
	c.received++
	w.s.Answer(p, q, meeting, false, alone(p), alone(q))
}

// AnswerByClose closes c as such an answer.
func (w *World) AnswerByClose(c *Chan, p, q *sched.Proc) {
	c.leave(q)
	c.close()
	w.s.Answer(p, q, alone(q), false, alone(p), alone(q))
}

func alone(p *sched.Proc) trace.Alt { return trace.Alt{Proc: p.ID, Partner: -1} }

// Pass does an operation of p on c that is no step, a send or a receive. It reports false, and does
// nothing, if p would have to wait, or would find c closed.
func (w *World) Pass(p *sched.Proc, c *Chan, kind trace.Kind) bool {
	if kind == trace.Send && c.n+1 >= c.Cap {
		w.s.Others(p) // those who come to where they give something back
	}
	if c.closed || !ready(kind, c) {
		return false
	}
	ev := trace.Event{Alt: alone(p)}
	if kind == trace.Send {
		c.send(&ev)
	} else {
		c.receive(&ev)
	}
	w.s.Silent(ev.Alt)
	return true
}
