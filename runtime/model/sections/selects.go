package sections

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Loops that select. A server may wait for values, and for the end:
//
//	for { select { case m := <-messages: ...; case <-quit: return } }
//
// Such a loop serves one channel, as a loop does that only receives, under one more condition:
//
//	T4  All sends into the channel come before the event that makes another case of the select
//	    ready: before the close of quit, or before the event that precedes the send into quit in
//	    its process. So no order lets the loop choose another case while a value is to come.
//	    Otherwise all values are ordinary ones: go func() { c <- 1 }(); close(quit). The channel
//	    has no room, as values might be left there. The other channels have been made by the
//	    execution, and are the same whenever the loop comes back: then it is known which events
//	    make them ready.
//
// Why no outcome is lost: the steps that serve, and the choice of another case, have one order.
// Suppose that some execution is missing, in which the other case is chosen, and a value comes
// later, or never. The events before the choice have been explored, in some order, and so has a way
// to go on from there. In it the sender sends, which breaks T4; or the loop chooses the other case
// first, and that is the execution which was supposed to be missing.
//
// One event comes before another if goroutines, go statements, values, closes and WaitGroups order
// the two (past). Locks and atomics do not count, so T4 fails if only these order the two.

// selects reports whether the loop waits in a select.
func (l *loop) selects() bool { return l.to > 0 }

// ComeToSelect is Come for a select. list has the channels of the cases, and places their places.
// It returns the case from which p takes a value when it is sent, -1 if there is none.
func (w *World) ComeToSelect(p *sched.Proc, list []Channel, entry int, places string) int {
	served, some := -1, false
	cases := p.Op.Cases
	w.meet(p.ID)
	for i, place := range strings.Split(places, "\n") {
		at := w.comeTo(p, list[i], entry, place)
		if at < 0 {
			continue
		}
		w.choosesFrom(&w.loops[at], list, cases)
		w.serving[p.ID] = int32(at) + 1
		if some = true; list[i].Served {
			served = i
		}
	}
	if some {
		w.finish(p, entry)
	}
	return served
}

// choosesFrom notes the cases among which a loop chooses.
func (w *World) choosesFrom(l *loop, list []Channel, cases []trace.Case) {
	if !l.selects() {
		l.from = len(w.cases)
		for _, c := range cases {
			w.cases = append(w.cases, c.Obj)
		}
		l.to = len(w.cases)
	}
	same := func(obj int32, c trace.Case) bool { return obj == c.Obj }
	if !slices.EqualFunc(w.cases[l.from:l.to], cases, same) {
		l.refuse("its select has other channels than before")
	}
	for i, c := range cases {
		if c.Obj >= 0 && list[i].Turn == 0 {
			l.refuse("its select has a channel that the test has not made, or that of a timer")
		}
	}
	if l.Room > 0 {
		l.refuse("its select may choose another case, and leave values in the channel")
	}
}

// among returns the loop with channel obj that has the same select as loop i, an index of loops
// plus 1; 0 if there is none.
func (w *World) among(i, obj int32) int32 {
	if i == 0 {
		return 0
	}
	for k := range w.loops {
		if l := &w.loops[k]; l.ID == obj && l.entry == w.loops[i-1].entry {
			return int32(k) + 1
		}
	}
	return 0
}

// judgeSelect finds out when the other cases of l, a loop that selects, become ready.
func (w *World) judgeSelect(l *loop, x *trace.Execution) {
	if sent, least := w.ready(l, w.cases[l.from:l.to], x); least < sent {
		l.refuse("another case of its select may be chosen before a value comes")
	}
}

// ready returns the number of values that are sent into the channel of l, or are about to be. least
// of these, at least, come before each event that makes another case ready.
func (w *World) ready(l *loop, objs []int32, x *trace.Execution) (sent, least int) {
	least = maxTasks + 1
	t := newPasts(x)
	for k := range x.Events {
		e := &x.Events[k]
		t.begin(k)
		if e.Obj == l.ID && e.Kind == trace.Send && !e.Closed {
			t.of[e.Proc] = with(t.of[e.Proc], sent)
			sent++
			continue
		}
		if e.Obj != l.ID && slices.Contains(objs, e.Obj) &&
			(e.Kind == trace.Send || e.Kind == trace.Close) {
			least = min(least, t.of[e.Proc].count())
		}
		t.add(e)
	}
	for q := range x.Procs {
		p := &x.Procs[q]
		if !p.Ended && p.Pending.Kind == trace.Send && p.Pending.Obj == l.ID {
			sent++
		}
	}
	return sent, least
}

// past is a set of values: those whose sends are known to come before an event.
type past []uint64

func with(s past, n int) past {
	s = slices.Clone(s)
	for len(s) <= n>>6 {
		s = append(s, 0)
	}
	s[n>>6] |= 1 << (n & 63)
	return s
}

func both(s, t past) past {
	if len(s) < len(t) {
		s, t = t, s
	}
	s = slices.Clone(s)
	for i := range t {
		s[i] |= t[i]
	}
	return s
}

func (s past) count() (n int) {
	for _, b := range s {
		n += bits.OnesCount64(b)
	}
	return n
}

// pasts has the past of each process, and the pasts that objects pass on.
type pasts struct {
	x    *trace.Execution
	born int // how many processes have begun
	of   []past
	sent map[[2]int32]past // values in buffers, by object and number
	left map[int32]past    // closed channels, WaitGroups, ends of tests, by object
}

func newPasts(x *trace.Execution) *pasts {
	return &pasts{x: x, of: make([]past, len(x.Procs)), sent: map[[2]int32]past{},
		left: map[int32]past{}}
}

// begin gives the processes that were born when k events had been done the past of their parents.
func (t *pasts) begin(k int) {
	for ; t.born < len(t.of) && int(t.x.Procs[t.born].Born) <= k; t.born++ {
		if parent := t.x.Procs[t.born].Parent; parent >= 0 {
			t.of[t.born] = t.of[parent]
		}
	}
}

func (t *pasts) add(e *trace.Event) {
	p := &t.of[e.Proc]
	switch {
	case e.Partner >= 0:
		*p = both(*p, t.of[e.Partner])
		t.of[e.Partner] = *p
	case e.Kind == trace.Send:
		t.sent[[2]int32{e.Obj, e.Seq}] = *p
	case e.Kind == trace.Recv && !e.Closed:
		*p = both(*p, t.sent[[2]int32{e.Obj, e.Seq}])
	case e.Kind == trace.Recv, e.Kind == trace.WgWait, e.Kind == trace.Join:
		*p = both(*p, t.left[e.Obj])
	case e.Kind == trace.Close, e.Kind == trace.WgAdd && e.Op.Delta() < 0, e.Kind == trace.End:
		t.left[e.Obj] = both(*p, t.left[e.Obj])
	}
}
