package search

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// rivals counts, for each event of x, the processes that might have come first in its place. These
// are its own, and each other one whose next operation that interferes with it could have been done
// before. Nil if x is too large: the work grows with the square of its length.
//
// "Could" means that nothing forces it to be later. An event is forced by the order within its
// process, by the start of its process, and by the events that its operation waits for (a receive
// for its value, a send for its place, a Wait for the calls of Done). Other conflicts force
// nothing, because they can be decided either way. The product of all numbers estimates the number
// of ways to decide them. It is the result of Knuth's estimator ("Estimating the Efficiency of
// Backtrack Programs", Mathematics of Computation, 1975) for one execution, if the program did the
// same operations after each decision.
func rivals(x *trace.Execution) []int {
	const most = 1000
	if len(x.Events) > most || len(x.Procs) > most {
		return nil
	}
	f := newForced(x)
	counts := make([]int, len(x.Events))
	for k := range x.Events {
		counts[k] = 1 + f.rivalsOf(int32(k))
	}
	return counts
}

// forced is the part of the happens-before order of an execution that cannot be decided otherwise.
type forced struct {
	x *trace.Execution
	// of each event: the number of events of each process that are forced to be done before it, the
	// event itself included
	clocks [][]int32
	steps  [][]int32 // the events of each process
	// of each event: its number among those of its process, and of its partner, from 1
	number [][2]int32
	rival  []claim // scratch
}

// claim is the next operation of a process that interferes with an event.
type claim struct {
	event int32 // that it became; -1 if it was never done
	proc  int32
	ready []int32 // clock of what the process had done before
}

func newForced(x *trace.Execution) *forced {
	f := &forced{x: x, steps: make([][]int32, len(x.Procs)),
		number: make([][2]int32, len(x.Events))}
	givers := map[place]int32{}
	for k := range x.Events {
		e := &x.Events[k]
		clock := make([]int32, len(x.Procs))
		for i, q := range [...]int32{e.Proc, e.Partner} {
			if q >= 0 {
				join(clock, f.ready(q, len(f.steps[q])))
				f.steps[q] = append(f.steps[q], int32(k))
				f.number[k][i] = int32(len(f.steps[q]))
			}
		}
		if at, ok := awaits(e); ok {
			if g, ok := givers[at]; ok {
				join(clock, f.clocks[g])
			}
		}
		for i, q := range [...]int32{e.Proc, e.Partner} {
			if q >= 0 {
				clock[q] = f.number[k][i]
			}
		}
		f.clocks = append(f.clocks, clock)
		givers[gives(e)] = int32(k)
	}
	return f
}

// ready returns the clock of the first n events of process q.
func (f *forced) ready(q int32, n int) []int32 {
	if n > 0 {
		return f.clocks[f.steps[q][n-1]]
	}
	if born := f.x.Procs[q].Born; born > 0 {
		return f.clocks[born-1]
	}
	return nil
}

func join(clock, other []int32) {
	for q, n := range other {
		clock[q] = max(clock[q], n)
	}
}

// place is what one event gives and another one waits for.
type place struct {
	kind     trace.Kind
	obj, seq int32
}

// gives says what others may wait for once e is done.
func gives(e *trace.Event) place {
	switch e.Kind {
	case trace.Send, trace.Recv:
		return place{e.Kind, e.Obj, e.Seq}
	}
	return place{e.Kind, e.Obj, 0}
}

// awaits says what e had to wait for.
func awaits(e *trace.Event) (place, bool) {
	switch {
	case e.Partner >= 0:
		return place{}, false
	case e.Kind == trace.Recv && e.Closed:
		return place{trace.Close, e.Obj, 0}, true
	case e.Kind == trace.Recv:
		return place{trace.Send, e.Obj, e.Seq}, true
	case e.Kind == trace.Send && !e.Closed:
		return place{trace.Recv, e.Obj, e.Seq - e.Cap}, true
	case e.Kind == trace.WWait:
		return place{trace.RUnlock, e.Obj, 0}, true
	case e.Kind == trace.WgWait:
		return place{trace.WgAdd, e.Obj, 0}, true
	case e.Kind == trace.Join:
		return place{trace.End, e.Obj, 0}, true
	case e.Kind == trace.Once && !e.OK:
		return place{trace.OnceDone, e.Obj, 0}, true
	}
	return place{}, false
}

// rivalsOf counts the processes that might have come first in place of event k.
func (f *forced) rivalsOf(k int32) (n int) {
	e := &f.x.Events[k]
	f.rival = f.rival[:0]
	for q := range int32(len(f.x.Procs)) {
		if c, ok := f.claimOf(q, k); ok && !e.Involves(q) {
			f.rival = append(f.rival, c)
		}
	}
	for _, c := range f.rival {
		if !f.forcedAfter(c.ready, k) && !f.afterOther(c) {
			n++
		}
	}
	return n
}

// claimOf returns the first operation of process q on the object of event k, after that, if it
// interferes with k.
func (f *forced) claimOf(q, k int32) (c claim, ok bool) {
	e := &f.x.Events[k]
	for i, j := range f.steps[q] {
		if j <= k {
			continue
		}
		op := &f.x.Events[j].Op
		if f.x.Events[j].Proc != q {
			op = &f.x.Events[j].PartnerOp
		}
		if concerns(op, e) {
			return claim{j, q, f.ready(q, i)}, depend.Interferes(e, op)
		}
	}
	p := &f.x.Procs[q]
	pending := !p.Ended && p.Pending.Kind != trace.None
	return claim{-1, q, f.ready(q, len(f.steps[q]))}, pending && depend.Interferes(e, &p.Pending)
}

// concerns reports whether op is about the object of e, or one of them.
func concerns(op *trace.Op, e *trace.Event) bool {
	if e.Obj < 0 {
		return depend.Interferes(e, op)
	}
	return op.Obj == e.Obj ||
		slices.ContainsFunc(op.Cases, func(c trace.Case) bool { return c.Obj == e.Obj })
}

// forcedAfter reports whether event k is among what clock knows of.
func (f *forced) forcedAfter(clock []int32, k int32) bool {
	return clock != nil && clock[f.x.Events[k].Proc] >= f.number[k][0]
}

// afterOther reports whether c has to wait for another rival.
func (f *forced) afterOther(c claim) bool {
	for _, d := range f.rival {
		if d.event >= 0 && d.proc != c.proc && f.forcedAfter(c.ready, d.event) {
			return true
		}
	}
	return false
}
