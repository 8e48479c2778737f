package clock

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// brief reports whether t may fire early, as far as the bounds Within, Turns and Ahead go.
func (e *earliness) brief(t *Timer) bool {
	return (e.Within == 0 || t.wait <= e.Within) && (e.Turns == 0 || t.turn < e.Turns) &&
		(e.Ahead == 0 || t.when-t.c.now(t.zone) < e.Ahead)
}

// idles reports whether t is held back because no timer may fire early.
func (t *Timer) idles() bool { return t.c.MaxEarly == 0 && t.zone == 0 && t.c.brief(t) }

// Patient reports whether no timer fires early.
func (e *earliness) Patient() bool { return e.MaxEarly == 0 }

// turnOf counts that p arms a timer, and returns how many it had armed before.
func (e *earliness) turnOf(p *sched.Proc) int {
	for len(e.turns) <= int(p.ID) {
		e.turns = append(e.turns, 0)
	}
	e.turns[p.ID]++
	return e.turns[p.ID] - 1
}

// hold notes that timers could fire in the present state, and may not.
func (e *earliness) hold(armed []*Timer) {
	e.s.Hold()
	e.bounded("")
	for _, t := range armed {
		e.held(t)
	}
}

// holdOne notes that t could have fired before the present state, and may not.
func (e *earliness) holdOne(t *Timer) {
	e.s.Hold()
	e.held(t)
}

// held notes, once, that t may not fire early.
func (e *earliness) held(t *Timer) {
	switch {
	case t.noted:
		return
	case e.Within > 0 && t.wait > e.Within:
		e.s.FixAt(fmt.Sprintf("timers of more than %v fire when idle only",
			time.Duration(e.Within)),
			t.place)
	case e.MaxEarly != 0 && e.Turns > 0 && t.turn >= e.Turns:
		e.s.FixAt(fmt.Sprintf("of the timers of one goroutine the first %d fire early", e.Turns),
			t.place)
	case e.MaxEarly != 0 && !e.brief(t):
		e.s.FixAt(fmt.Sprintf("timers fire early by less than %v only", time.Duration(e.Ahead)),
			t.place)
	default:
		e.bounded(t.place)
	}
	t.noted = true
}

// bounded notes that a timer, which was armed at a place, may not fire early because no more timers
// may.
func (e *earliness) bounded(place string) {
	if e.MaxEarly == 0 {
		e.s.FixAt(trace.IdleTimers, place)
	} else {
		e.s.CutAt("an execution has more timers that could fire early than -max-fires lets it",
			place)
	}
}
