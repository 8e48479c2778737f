package sections

import (
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
func (t *tasks) ComeToSelect(p *sched.Proc, list []Channel, entry int, places string) int {
	served, some := -1, false
	cases := p.Op.Cases
	t.meet(p.ID)
	for i, place := range strings.Split(places, "\n") {
		at := t.comeTo(p, list[i], entry, place)
		if at < 0 {
			continue
		}
		t.choosesFrom(&t.loops[at], list, cases)
		t.clients[p.ID].serving = int32(at) + 1
		if some = true; list[i].Served {
			served = i
		}
	}
	if some {
		t.finish(p, entry)
	}
	return served
}

// choosesFrom notes the cases among which a loop chooses.
func (t *tasks) choosesFrom(l *loop, list []Channel, cases []trace.Case) {
	if !l.selects() {
		l.from = len(t.cases)
		for _, c := range cases {
			t.cases = append(t.cases, c.Obj)
		}
		l.to = len(t.cases)
	}
	same := func(obj int32, c trace.Case) bool { return obj == c.Obj }
	if !slices.EqualFunc(t.cases[l.from:l.to], cases, same) {
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
func (t *tasks) among(i, obj int32) int32 {
	if i == 0 {
		return 0
	}
	for k := range t.loops {
		if l := &t.loops[k]; l.ID == obj && l.entry == t.loops[i-1].entry {
			return int32(k) + 1
		}
	}
	return 0
}
