package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A select that waits is woken up by the first event that makes one of its cases possible, and
// takes this case. In an execution the select is one event. It may come later, when several cases
// are possible, and then stands for a process that comes to the select only then. If the process
// has surely come before, it cannot take a case that became possible later than another:
//
//	ctx, cancel := context.WithTimeout(parent, time.Second)
//	go func() { <-ctx.Done(); close(done) }()
//	select {
//	case <-done: // impossible, unless this process is a second late
//	case <-ctx.Done():
//	}
//
// Only a close is taken to wake up a select: it wakes up all processes that wait for it. A value in
// a buffer may be for another process.

// WokenBy returns the event that has woken up process p before its select, event k of x, for a case
// that the select does not take, given that p waited there when event from-1 was done and could not
// move then: a close of another case's channel, which happens before all that makes the case
// possible that is taken. It is -1 if there is none. o has the events of x up to event k.
func (o *Order) WokenBy(x *trace.Execution, k, p, from int32) int32 {
	e := &x.Events[k]
	op, i := &e.Op, e.Case
	if p != e.Proc {
		op, i = &e.PartnerOp, e.PartnerCase
	}
	if op.Kind != trace.Select || op.Default || i < 0 {
		return -1
	}
	for n := from; n < k; n++ {
		c := &x.Events[n]
		if c.Kind == trace.Close && c.Obj >= 0 && c.Obj != e.Obj && receivesFrom(op, c.Obj) &&
			o.isBeforeReady(x, n, k, p, from) {
			return n
		}
	}
	return -1
}

func receivesFrom(op *trace.Op, obj int32) bool {
	return slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
		return c.Kind == trace.Recv && c.Obj == obj
	})
}

// isBeforeReady reports whether event n happens before all events from a number on that make event
// k possible for process p.
func (o *Order) isBeforeReady(x *trace.Execution, n, k, p, from int32) bool {
	e := &x.Events[k]
	if e.Partner >= 0 {
		other := e.Proc + e.Partner - p
		for j := k - 1; j > n; j-- {
			if x.Events[j].Involves(other) {
				return o.Before(n, j) // the partner came to the channel behind event j
			}
		}
		return false
	}
	some := false
	for j := from; j < k; j++ {
		if x.Events[j].Obj == e.Obj {
			if some = o.Before(n, j); !some {
				return false
			}
		}
	}
	return some
}
