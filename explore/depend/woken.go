package depend

import (
	"iter"
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
// A close wakes up all processes that wait for it. A value in a buffer wakes up the process that
// has waited for the longest time, and so does room in a full one. Nobody knows who of those that
// wait at the beginning has waited longer, but a process that comes later is behind them. So if
// there are n of them, the n-th value, or room, has woken up each.
//
//	go func() { time.Sleep(time.Second); jobs <- 1; close(quit) }()
//	select {
//	case <-jobs: // a buffered channel
//	case <-quit: // impossible, likewise
//	}

// A Rest is the wait of process Proc in a select, event At of an execution: it waited there when
// event From-1 was done, and could not move then. If it may have come there later than processes
// that come behind that event, Late is set.
type Rest struct {
	At, Proc, From int32
	Late           bool
}

// WokenBy returns the event that has ended r for a case that the select does not take: an event on
// another case's channel, which happens before all that makes the case possible that is taken. It
// is -1 if there is none. o has the events of x up to r.At.
func (o *Order) WokenBy(x *trace.Execution, r Rest) int32 {
	for n := range r.wakers(x) {
		if o.IsBeforeReady(x, n, r) {
			return n
		}
	}
	return -1
}

// MayEnd reports whether an event may have ended r for a case that the select does not take.
func (r Rest) MayEnd(x *trace.Execution) bool {
	for range r.wakers(x) {
		return true
	}
	return false
}

// wakers returns the events that have woken up r.Proc, unless another one has before: the first for
// each channel at which the select waits and does not communicate.
func (r Rest) wakers(x *trace.Execution) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		e := &x.Events[r.At]
		op, i := &e.Op, e.Case
		if r.Proc != e.Proc {
			op, i = &e.PartnerOp, e.PartnerCase
		}
		if op.Kind != trace.Select || op.Default || i < 0 {
			return
		}
		for _, c := range op.Cases {
			if c.Obj < 0 || c.Obj == e.Obj {
				continue
			}
			if n := r.wokenIn(x, c); n >= 0 && !yield(n) {
				return
			}
		}
	}
}

// wokenIn returns the first event of x by which r.Proc has been woken up in case c: -1 if there is
// none.
func (r Rest) wokenIn(x *trace.Execution, c trace.Case) int32 {
	given, waiting := 0, 0
	for n := r.From; n < r.At; n++ {
		switch e := &x.Events[n]; {
		case e.Obj != c.Obj:
		case e.Kind == trace.Close:
			return n
		case c.Cap > 0 && !e.Closed && (e.Kind == trace.Send && c.Kind == trace.Recv ||
			e.Kind == trace.Recv && c.Kind == trace.Send):
			if given++; given == 1 {
				waiting = r.waiting(x, c)
			}
			if given == waiting {
				return n
			}
		}
	}
	return -1
}

// waiting returns how many processes may have waited in case c, or its like, before r.Proc, and
// counts this one, too.
func (r Rest) waiting(x *trace.Execution, c trace.Case) (n int) {
	found := make([]bool, len(x.Procs))
	moved := make([]bool, len(x.Procs)) // since the beginning of r
	note := func(p int32, op *trace.Op) {
		if p < 0 || moved[p] && !r.Late {
			return
		}
		waits := op.Obj == c.Obj && op.Kind == c.Kind ||
			op.Kind == trace.Select && slices.Contains(op.Cases, c)
		found[p] = found[p] || waits && (x.Procs[p].Born < r.From || r.Late)
		moved[p] = true
	}
	for j := r.From; int(j) < len(x.Events); j++ {
		note(x.Events[j].Proc, &x.Events[j].Op)
		note(x.Events[j].Partner, &x.Events[j].PartnerOp)
	}
	for p := range x.Procs {
		if !x.Procs[p].Ended {
			note(int32(p), &x.Procs[p].Pending)
		}
		if found[p] {
			n++
		}
	}
	return n
}

// IsBeforeReady reports whether event n happens before all events from r.From on that make the case
// possible that is taken.
func (o *Order) IsBeforeReady(x *trace.Execution, n int32, r Rest) bool {
	e := &x.Events[r.At]
	if e.Partner >= 0 {
		other := e.Proc + e.Partner - r.Proc
		for j := r.At - 1; j > n; j-- {
			if x.Events[j].Involves(other) {
				return o.Before(n, j) // the partner came to the channel behind event j
			}
		}
		return false
	}
	some := false
	for j := r.From; j < r.At; j++ {
		if x.Events[j].Obj == e.Obj {
			if some = o.Before(n, j); !some {
				return false
			}
		}
	}
	return some
}
