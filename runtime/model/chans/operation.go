package chans

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Operation is the declared channel operation of one process; its memory is reused from one to the
// next.
type Operation struct {
	w     *World
	c     *Chan   // of a single operation; nil for a nil channel
	chans []*Chan // of a select, a channel per case; nil for a nil channel
	multi bool
}

// Declare makes o the operation kind (Send, Recv, Close or Len) of p on c, which is nil for a nil
// channel.
func (o *Operation) Declare(w *World, p *sched.Proc, kind trace.Kind, c *Chan) *Operation {
	o.w, o.c, o.multi = w, c, false
	p.Op = trace.Op{}
	p.Op.Kind, p.Op.Obj = kind, -1
	if c != nil {
		if kind != trace.Len {
			c.accessible(w.s, p, kind)
		}
		p.Op.Obj, p.Op.Cap = c.ID, c.kind
		if kind == trace.Recv && c.Cap == 0 {
			c.wait(waiter{p, 0, true})
		}
	}
	return o
}

// accessible ends the execution if c belongs to a bubble and p does not.
func (c *Chan) accessible(s *sched.Sched, p *sched.Proc, kind trace.Kind) {
	if c.bubble == nil || c.bubble == p.Bubble || s.Dying() {
		return
	}
	s.Fatal(p, map[trace.Kind]string{
		trace.Send: "send on", trace.Recv: "receive on", trace.Close: "close of",
		trace.Select: "select on",
	}[kind]+" synctest channel from outside bubble")
}

// Durable implements sched.Durable: nil channels, and those of p's own bubble, are out of reach of
// all others.
func (o *Operation) Durable(p *sched.Proc) bool {
	if !o.multi {
		return o.c == nil || o.c.bubble == p.Bubble
	}
	for _, c := range o.chans {
		if c != nil && c.bubble != p.Bubble {
			return false
		}
	}
	return true
}

// Begin makes o a select of n cases, each of which Case declares.
func (o *Operation) Begin(w *World, p *sched.Proc, n int, hasDefault bool) {
	o.w, o.c, o.multi = w, nil, true
	if cap(o.chans) < n {
		o.chans = make([]*Chan, n)
	}
	o.chans = o.chans[:n]
	p.Op = trace.Op{Kind: trace.Select, Obj: -1, Default: hasDefault, Cases: w.s.NewCases(n)}
}

// Case declares case i of p's select.
func (o *Operation) Case(p *sched.Proc, i int, kind trace.Kind, c *Chan) {
	o.chans[i] = c
	p.Op.Cases[i] = trace.Case{Kind: kind, Obj: -1}
	if c == nil {
		return
	}
	c.accessible(o.w.s, p, trace.Select)
	p.Op.Cases[i].Obj, p.Op.Cases[i].Cap = c.ID, c.kind
	if kind == trace.Recv && c.Cap == 0 {
		c.wait(waiter{p, int32(i), !p.Op.Default})
	}
}

// Alts implements sched.Operation.
func (o *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	switch {
	case o.multi:
		return o.selectAlts(p, dst)
	case p.Op.Kind == trace.Recv && o.c.delivers():
		return o.c.deliveries(p.ID, 0, dst)
	case p.Op.Kind == trace.Send && o.c.attended():
		return o.c.offers(p, 0, true, p.Op.N != 0, dst)
	case p.Op.Kind == trace.Send && o.c.early():
		return dst
	case ready(p.Op.Kind, o.c):
		return trace.Alone(dst, p.ID, 0)
	case p.Op.Kind == trace.Send && o.c != nil:
		return o.c.partners(p, 0, true, dst)
	}
	return dst
}

// ready reports whether an operation on c can be done without a partner.
func ready(kind trace.Kind, c *Chan) bool {
	switch {
	case kind == trace.Close || kind == trace.Len:
		return true
	case c == nil:
		return false
	case kind == trace.Recv:
		return c.n > 0 || c.closed
	}
	return c.n < c.Cap || c.closed
}

// selectAlts lists the cases in source order and default last. A rendezvous does not exclude
// default: see the package documentation.
func (o *Operation) selectAlts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	some := false
	for i, k := range p.Op.Cases {
		switch c := o.chans[i]; {
		case k.Kind == trace.Recv && c.delivers():
			some = true
			dst = c.deliveries(p.ID, int32(i), dst)
		case k.Kind == trace.Send && c.attended():
			dst = c.offers(p, int32(i), !p.Op.Default, false, dst)
		case ready(k.Kind, c):
			some = true
			dst = trace.Alone(dst, p.ID, int32(i))
		case k.Kind == trace.Send && c != nil:
			dst = c.partners(p, int32(i), !p.Op.Default, dst)
		}
	}
	if p.Op.Default && !some && !o.awaited(p) {
		dst = trace.Alone(dst, p.ID, -1)
	}
	return dst
}

// awaited reports whether a process rests at the other side of a case of p's select, which cannot
// miss it.
func (o *Operation) awaited(p *sched.Proc) bool {
	is := o.w.s.Resting(func(q *sched.Proc) bool {
		return q != p && slices.ContainsFunc(p.Op.Cases, q.Op.Awaits)
	})
	if is {
		o.w.s.Arrived()
	}
	return is
}

// Apply implements sched.Operation.
func (o *Operation) Apply(p *sched.Proc, ev *trace.Event) {
	if p.ID != ev.Partner {
		o.apply(p, ev)
	}
	o.done(p)
}

func (o *Operation) apply(p *sched.Proc, ev *trace.Event) {
	c := o.c
	if o.multi {
		c = o.chosen(p, ev)
	}
	switch ev.Kind {
	case trace.Send:
		switch {
		case c.mailbox() && !c.closed:
			c.post(o.w.number(p.ID), ev)
		case c.attended() && ev.Partner < 0:
			o.w.hand(c, p, ev)
		default:
			c.plain(ev)
			c.send(ev)
		}
	case trace.Recv:
		c.plain(ev)
		c.receive(ev)
	case trace.Close:
		if c != nil {
			ev.Closed = c.closed
			c.close()
		}
	}
}

// chosen fills in which case of p's select is done and returns its channel.
func (o *Operation) chosen(p *sched.Proc, ev *trace.Event) *Chan {
	if ev.Case < 0 {
		ev.Kind, ev.Obj = trace.Default, -1
		return nil
	}
	k := p.Op.Cases[ev.Case]
	ev.Kind, ev.Obj, ev.Cap = k.Kind, k.Obj, k.Cap
	return o.chans[ev.Case]
}

// done takes p off the lists that its declaration put it on.
func (o *Operation) done(p *sched.Proc) {
	if !o.multi {
		if o.c != nil && o.c.server == p {
			o.c.server = nil
		}
		if p.Op.Kind == trace.Recv && o.c != nil && o.c.Cap == 0 {
			o.c.leave(p)
		}
		return
	}
	for i, c := range o.chans {
		if c != nil && c.Cap == 0 && p.Op.Cases[i].Kind == trace.Recv {
			c.leave(p)
		}
		if c != nil && c.server == p {
			c.server = nil
		}
	}
}

// Sleeps implements sched.Sleeper.
func (o *Operation) Sleeps() {}
