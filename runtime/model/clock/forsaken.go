package clock

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A timer is forsaken if nobody can receive from its channel any more:
//
//	for {
//		select {
//		case <-closed:
//		case <-time.After(time.Second):
//			return
//		}
//	}
//
// Each round arms another timer and leaves it behind. Such timers fire, but their firings change
// nothing, so they do not keep a loop from having no end. A process that is held up between the
// call of time.After and the choice may find its timer fired. That ends the loop above. So a timer
// that waits for soon or less is never called forsaken: an ordinary machine holds a process up for
// as long.

// soon is how long an ordinary machine may hold a process up: Go's scheduler preempts after that.
const soon = 10e6

// Only says that p alone can receive from ch, a timer's channel, and in the select that it declares
// only.
func (ts *timers) Only(p *sched.Proc, ch Channel) {
	if t := ts.timerTo(ch); t != nil {
		t.only = p
	}
}

// Forsake says that this select has chosen another case.
func (ts *timers) Forsake(ch Channel) {
	if t := ts.timerTo(ch); t != nil {
		t.only, t.forsaken = nil, t.outlasts()
	}
}

// outlasts reports whether t waits for longer than an ordinary machine holds its process up.
func (t *Timer) outlasts() bool {
	return t.wait > soon && !(t.c.MaxEarly != 0 && t.c.brief(t))
}

// timerTo returns the armed timer with a channel, one of the last that were armed; nil: none.
func (ts *timers) timerTo(ch Channel) *Timer {
	for _, t := range slices.Backward(ts.armed) {
		if t.ch == ch {
			return t
		}
	}
	return nil
}

// forsaken reports whether no timer is armed, but for those that are forsaken, or will be by the
// next move of a process that can move.
func (ts *timers) forsaken(moves []trace.Alt) bool {
	return !slices.ContainsFunc(ts.armed, func(t *Timer) bool {
		return !t.forsaken && !(t.only != nil && t.outlasts() &&
			slices.ContainsFunc(moves, func(a trace.Alt) bool { return a.Proc == t.only.ID }))
	})
}
