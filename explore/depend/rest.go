package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A process that rests at a channel without a buffer (trace.Event.Rested) cannot be missed: no
// select takes default beside it. So the event in which it goes on, with whomever and wherever,
// makes such a default possible.
//
//	w: <-c  after time.Sleep or synctest.Wait  s: select { case c <- 1: default: }  t: c <- 2
//
// Lemma R1. Both sides see the same barriers: a barrier happens after all that is before it and
// before all that is after it. So who rests at a state follows from the events that happen before
// it, in whatever order, and whether default is possible does, too.
//
// Lemma R2. Nothing but a barrier makes a process rest, so nothing that commutes with a default
// takes it away. The default comes after each event in which somebody leaves its rest at one of
// its channels, and in no order before it: to leave makes it possible. So the two are never
// neighbours that might change places, and it is enough that happens-before has the edge, and that
// no default is foreseen beside who rests: marks of events that are only foreseen decide nothing.
//
// Lemma R3. Of the executions that are possible where selects may miss everybody, in whose traces
// each partner can go on before the select that misses it, each has an order in which it does so;
// that is an execution here. Hence the verdicts are those of explore.Impossible.
//
// TestArrival attacks this.

// arrived is why a default comes after a partner's leave.
const arrived = "a select does not miss a partner that has come to rest"

// leave is an event in which a process goes on that rested at a channel.
type leave struct {
	event int32
	at    trace.Case // what it waited for there
}

// leaveRest enters event k, in which a process goes on that rested with op.
func (o *Order) leaveRest(op *trace.Op, k int32) {
	if op.Kind != trace.Select {
		o.leaves = append(o.leaves, leave{k, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}})
		return
	}
	for _, c := range op.Cases {
		if !op.Default {
			o.leaves = append(o.leaves, leave{k, c})
		}
	}
}

// left appends the events in which processes have gone on that could have met a case of a select
// that takes default. Those before the last barrier come before it anyway.
func (o *Order) left(c trace.Case, dst []int32) []int32 {
	for i := len(o.leaves) - 1; i >= 0 && o.leaves[i].event >= o.barrier; i-- {
		l := &o.leaves[i]
		op := trace.Op{Kind: l.at.Kind, Obj: l.at.Obj, Cap: l.at.Cap}
		if op.Awaits(c) {
			dst = append(dst, l.event)
		}
	}
	return dst
}

// forgetLeaves forgets those from event n on.
func (o *Order) forgetLeaves(n int32) {
	for last := len(o.leaves) - 1; last >= 0 && o.leaves[last].event >= n; last-- {
		o.leaves = o.leaves[:last]
	}
}

// rests reports whether process q rests in the state of c, if it waits there.
func (c *Cut) rests(q int32) bool {
	b := c.barrierOf(q)
	if b < 0 || c.X.Procs[q].Born > b {
		return false
	}
	for k := b; int(k) < c.Order.Len(); k++ {
		if c.Has(k) && c.X.Events[k].Involves(q) {
			return false
		}
	}
	return true
}

// barrierOf is the last barrier of c that makes q rest: its time passed, or a synctest.Wait of its
// bubble returned; -1 if there is none. A forced one does not. All barriers of c are among its
// first events, as a barrier happens after them all.
func (c *Cut) barrierOf(q int32) int32 {
	for b := c.Order.barrierBefore(c.From); b >= 0; b = c.Order.barrierBefore(b) {
		p := &c.X.Procs[c.X.Events[b].Proc]
		if (p.Bubble == 0 || p.Bubble == c.X.Procs[q].Bubble) &&
			!slices.Contains(c.X.Forced, b) {
			return b
		}
	}
	return -1
}

// barrierBefore is the last barrier before event k, -1 if there is none.
func (o *Order) barrierBefore(k int32) int32 {
	if int(k) >= len(o.steps) {
		return o.barrier - 1
	}
	return o.steps[k].barrier - 1
}

// awaited reports whether somebody rests in the state of c whom e, a default, would miss.
func (c *Cut) awaited(e *trace.Event) bool {
	if !c.X.Arrives || c.Order.barrierBefore(c.From) < 0 {
		return false
	}
	for q := range c.X.Procs {
		if q := int32(q); q != e.Proc {
			op := c.declared(q)
			if op != nil && slices.ContainsFunc(e.Op.Cases, op.Awaits) && c.rests(q) {
				return true
			}
		}
	}
	return false
}

// declared is what process q has declared in the state of c, nil if nothing is known of that.
func (c *Cut) declared(q int32) *trace.Op {
	p := &c.X.Procs[q]
	for k := c.From; int(k) < c.Order.Len(); k++ {
		switch e := &c.X.Events[k]; {
		case c.Has(k):
		case e.Proc == q:
			return &e.Op
		case e.Partner == q:
			return &e.PartnerOp
		}
	}
	if p.Ended {
		return nil
	}
	return &p.Pending
}
