package sections

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Loops that select. A server may wait for values, and for the end, or for a time:
//
//	for { select { case m := <-messages: ...; case <-quit: return } }
//	for range n { select { case r := <-results: ...; case <-time.After(time.Second): return } }
//
// Such a loop serves one channel, as a loop does that only receives, under one more condition:
//
//	T4  All values come before the event that makes another case of the select ready: before the
//	    close of quit, or before the event that precedes the send into quit in its process. So no
//	    order lets the loop choose another case while a value is to come. Otherwise all values are
//	    ordinary ones: go func() { c <- 1 }(); close(quit). This is so, too, if a send into quit was
//	    declared, and the loop has taken its values instead. A value comes when it is sent, in a
//	    channel with room when it is received, as values might be left there: c <- 1; close(quit).
//	    A firing makes the case of each timer ready. What comes before it is all that has come, if
//	    the firing comes only where nothing else is possible; else nothing. The other channels have
//	    been made by the execution, and are the same whenever the loop comes back, but for those of
//	    timers: then it is known which events make them ready.
//
// Why no outcome is lost: the steps that serve, and the choice of another case, have one order.
// Suppose that some execution is missing, in which the other case is chosen, and a value comes
// later, or never. The events before the choice have been explored, in some order, and so has a way
// to go on from there. In it the sender sends, which breaks T4; or the loop chooses the other case
// first, and that is the execution which was supposed to be missing. If the value was in the
// buffer, its task has been explored before the event that makes the other case ready. T4 says that
// this event knows of the task: by something that the server has done since, which is to leave the
// loop. So the server has received the value in the other execution, too.
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
	same := func(obj int32, c trace.Case) bool { return obj == c.Obj || c.Cap == trace.Timers }
	if !slices.EqualFunc(t.cases[l.from:l.to], cases, same) {
		l.refuse("its select has other channels than before")
	}
	for i, c := range cases {
		switch {
		case c.Cap == trace.Timers:
			l.timed = true
		case c.Obj >= 0 && list[i].Turn == 0:
			l.refuse("its select has a channel that the test has not made")
		}
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
