// Package turns divides the budget of a run among its tests: each runs once before any gets more
// time, and the time that one leaves of its part goes to the others.
package turns

import "time"

// Turn is the time that a test gets.
type Turn struct {
	End   time.Time // its deadline; zero: none
	First time.Time // that of its first execution, if it is later
	// the deadline if it is near its end, or has findings, at the first one; zero: the same
	Whole time.Time
}

// Longest is the deadline of a test that has a reason to go on.
func (t Turn) Longest() time.Time {
	if t.Whole.IsZero() {
		return t.End
	}
	return t.Whole
}

// Latest is when the test has to end after so many executions; zero: it has no end.
func (t Turn) Latest(executions int) time.Time {
	switch end := t.Longest(); {
	case !end.IsZero() && executions == 0 && t.First.After(end):
		return t.First
	default:
		return end
	}
}

// Next is the turn of the next of left tests that have not begun, up to a deadline; zero: there is
// none. only: no other test begins, or begins anew, so this one gets all the time that is left.
func Next(now, deadline time.Time, left int, only bool) Turn {
	whole := Share(now, deadline, left)
	if whole.IsZero() || only {
		return Turn{End: whole}
	}
	const parts = 4 // most of the time is for those that need it
	return Turn{End: now.Add(whole.Sub(now) / parts), First: whole, Whole: whole}
}

// Spare returns an earlier deadline, so that time is left to start a process for each of left more
// tests; start is the time for one. Half of the time until the deadline always stays.
func Spare(now, deadline time.Time, start time.Duration, left int) time.Time {
	if deadline.IsZero() || deadline.Before(now) {
		return deadline
	}
	return deadline.Add(-min(start*time.Duration(left), deadline.Sub(now)/2))
}

// Again is the turn of a test when left tests, including this one, begin anew. A test may take
// longer until its first execution has ended.
func Again(now, deadline time.Time, left int) Turn {
	end := Share(now, deadline, left)
	if end.IsZero() {
		return Turn{}
	}
	return Turn{End: end, First: end.Add(deadline.Sub(end) / 2)}
}

// Worth reports whether it is worth while to begin a test anew, after so many executions in the
// time spent. If no execution has ended, the next turn must be longer than that time.
func (t Turn) Worth(now time.Time, spent time.Duration, executions int) bool {
	switch end := t.Longest(); {
	case end.IsZero():
		return true
	case executions == 0:
		return t.First.Sub(now) > spent
	default:
		return end.Sub(now) >= 2*spent
	}
}

// Share is the deadline of the next test when left of them, with it, have to be done; zero: none.
func Share(now, deadline time.Time, left int) time.Time {
	if deadline.IsZero() {
		return time.Time{}
	}
	return now.Add(deadline.Sub(now) / time.Duration(left))
}
