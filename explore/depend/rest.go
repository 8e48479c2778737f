package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A process that rests at a channel without a buffer (trace.Event.Rested) cannot be missed: no
// select takes default beside it. So the event in which it goes on, with any partner and at any
// channel, enables such a default.
//
//	w: <-c  after time.Sleep or synctest.Wait  s: select { case c <- 1: default: }  t: c <- 2
//
// Lemma R1. Both sides see the same barriers: a barrier happens after all events before it and
// before all events after it. So the events before a state, in whatever order, decide which
// processes rest there, and whether default is possible.
//
// Lemma R2. Only a barrier makes a process rest, so no event that commutes with a default disables
// it. The default comes after each event in which a process leaves its rest at one of the channels,
// and in no order before that event, which enables the default. So the two are never adjacent
// events that might change places. It is enough that happens-before has the edge, and that no
// default is foreseen beside a process that rests: marks of events that are only foreseen decide
// nothing.
//
// Lemma R3. Take an execution that is possible if selects may miss everybody, and in whose trace
// each partner can go on before the select that misses it. Its trace has an order in which each
// partner does so; that is an execution here. Hence the verdicts are those of explore.Impossible.
//
// TestArrival attacks this.

// arrived is why a default comes after a partner's leave.
const arrived = "a select does not miss a partner that has come to rest"

// rested has the events in which processes go on that have rested.
type rested struct {
	leaves []leave // in the order of the events
}

// leave is an event in which a process goes on that has rested at a channel.
type leave struct {
	event int32
	at    trace.Case // what it waited for there
}

// enter enters event k, in which a process goes on that rested with op.
func (r *rested) enter(op *trace.Op, k int32) {
	if op.Kind != trace.Select {
		r.leaves = append(r.leaves, leave{k, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}})
		return
	}
	for _, c := range op.Cases {
		if !op.Default {
			r.leaves = append(r.leaves, leave{k, c})
		}
	}
}

// left appends the events in which processes have left their rest, each of which could have met
// case c of a select that takes default: those from event first on, which follows the last barrier.
// Events before that come before the default anyway.
func (r *rested) left(c trace.Case, first int32, dst []int32) []int32 {
	for i := len(r.leaves) - 1; i >= 0 && r.leaves[i].event >= first; i-- {
		l := &r.leaves[i]
		op := trace.Op{Kind: l.at.Kind, Obj: l.at.Obj, Cap: l.at.Cap}
		if op.Awaits(c) {
			dst = append(dst, l.event)
		}
	}
	return dst
}

// rewind forgets the events from n on.
func (r *rested) rewind(n int32) {
	for last := len(r.leaves) - 1; last >= 0 && r.leaves[last].event >= n; last-- {
		r.leaves = r.leaves[:last]
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

// barrierOf returns the last barrier of c that makes q rest: q's time passed, or a synctest.Wait of
// its bubble returned; -1 if there is none. A forced barrier makes no process rest. All barriers of
// c are among its first events, as each barrier happens after these.
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

// awaited reports whether a process rests in the state of c that e, a default, would miss.
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

// declared returns the operation that process q has declared in the state of c, nil if it is not
// known.
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
