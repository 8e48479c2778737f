package explore

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Limits bound an exploration. The zero value bounds nothing.
type Limits struct {
	MaxExecutions  int
	MaxTransitions int // of all executions
	// the execution under way at that time is cut off and does not count
	Deadline time.Time
	// the deadline of the first execution, if it is later than Deadline
	First time.Time
	// the deadline once Deadline has passed with a finding, or with the end near; zero: the same
	Extended time.Time
	// the deadline once a timer has been held back, lest no time is left for early firings; zero:
	// the same
	Sooner time.Time
	// asked between executions; true ends the exploration early
	Stop     func() bool
	FailFast bool // stop at the first finding
	// one that needs this delay or more is none for FailFast; 0: all are
	Slow      time.Duration
	Known     func(f *Finding) bool // whether a finding is none for FailFast; nil: none is
	Specimens bool                  // fill Result.Specimens
	// KeepGroups makes the executor keep the order of Add and Done of WaitGroups (trace.InOrder),
	// and returns a strategy that begins again with that. It is called once at most, when a group
	// of an execution is not matched; nil: never.
	KeepGroups func() Strategy
	// Separate is asked after each execution with data races. It may make accesses steps, and
	// returns a strategy that begins again with these; nil: the search goes on. May itself be nil.
	Separate func(races []trace.Race) Strategy
	// Study is told of findings as soon as the execution that shows them has been dealt with; nil:
	// nobody is.
	Study Study
	// Refine may take sends of equal values as one, in another search; nil: no.
	Refine Refiner
	// Sections says which sections of mutexes commute; nil: none.
	Sections Sections
	// Shape is told of each execution that counts, or is redundant; nil: nobody is.
	Shape Shape
}

// Last is the latest time at which an execution may be under way; zero: there is none.
func (l *Limits) Last() time.Time {
	last := l.Deadline
	for _, t := range []time.Time{l.First, l.Extended} {
		if !last.IsZero() && t.After(last) {
			last = t
		}
	}
	return last
}

// OfTask returns the limits of a part of the exploration, with a fixed deadline: the process that
// gathers the parts decides whether to move it, and has their findings studied.
func (l Limits) OfTask(deadline time.Time) Limits {
	l.Deadline, l.First, l.Extended, l.Study = deadline, time.Time{}, time.Time{}, nil
	return l
}

// deadlines says when a search has to end: by its limits, and by what has been counted.
type deadlines struct {
	delays
	s     Strategy
	lim   Limits
	start time.Time
	now   time.Time
	alarm atomic.Bool   // a deadline has passed: steps that take long are noticed from then on
	took  time.Duration // the last execution, if that is noticeable
	over  string        // why the search has to stop
	// the Transitions at which it has to end, see maxApart; 0: no data race yet
	apart int
	// executions that have shown something new of sections, and nothing else: no limit counts them
	scouts int
}

// armAlarm sets the alarm when the deadline passes, until stop is called. To ask for the time at
// each step would slow the search down.
func (r *deadlines) armAlarm() (stop func()) {
	if r.lim.Deadline.IsZero() {
		return func() {}
	}
	t := time.AfterFunc(time.Until(r.lim.Deadline), func() { r.alarm.Store(true) })
	return func() { t.Stop() }
}

// bounded reports whether the exploration has to stop before its end.
func (r *deadlines) bounded() bool {
	if r.over == "" {
		r.over = r.limit()
	}
	return r.over != ""
}

// limit says which limit has been reached.
func (r *deadlines) limit() string {
	switch {
	case r.lim.FailFast && slices.ContainsFunc(r.result.Findings, r.fails):
		return "stopped at the first finding"
	case r.Full():
		return fmt.Sprintf("the limit of %s is reached", executions(r.lim.MaxExecutions))
	case r.lim.MaxTransitions > 0 && r.result.Transitions >= r.lim.MaxTransitions:
		return fmt.Sprintf("the limit of %d steps is reached", r.lim.MaxTransitions)
	case r.apart > 0 && r.result.Transitions >= r.apart:
		return fmt.Sprintf("after a data race, the limit of %d steps is reached", maxApart)
	case r.stuck >= maxStuck:
		return fmt.Sprintf("given up: in %d executions a step does not end", r.stuck)
	case r.passed(r.now.Add(r.took)):
		return TimeIsUp
	case r.stopped():
		return Stopped
	}
	return ""
}

// fails reports whether a finding fails the test, and is none that needs too much delay.
func (r *deadlines) fails(f Finding) bool {
	if r.lim.Known != nil && r.lim.Known(&f) {
		return false
	}
	return f.Kind != Suspect && (r.lim.Slow == 0 || f.Delay.Least < r.lim.Slow)
}

func executions(n int) string {
	if n == 1 {
		return "1 execution"
	}
	return fmt.Sprintf("%d executions", n)
}

func (r *deadlines) stopped() bool { return r.lim.Stop != nil && r.lim.Stop() }

// Stopped is the reason of an exploration that Limits.Stop has ended.
const Stopped = "stopped"

// late reports whether the deadline has passed.
func (r *deadlines) late() bool { return r.passed(time.Now()) }

func (r *deadlines) passed(now time.Time) bool {
	if r.result.Executions == 0 && r.lim.First.After(r.lim.Deadline) {
		return now.After(r.lim.First)
	}
	return r.due(now) && !r.extend(now)
}

// extend moves the deadline, once, if to begin anew later would be a waste. It reports whether the
// deadline is no longer past.
func (r *deadlines) extend(now time.Time) bool {
	to := r.lim.Extended
	r.lim.Extended = time.Time{}
	if !to.After(now) || len(r.result.Findings) == 0 && !r.nearEnd() {
		return false
	}
	r.lim.Deadline = to
	if !r.lim.Sooner.IsZero() {
		r.lim.Sooner = now.Add(to.Sub(now) * 3 / 4)
	}
	return true
}

// nearEnd reports whether, by the estimate, no more is left than has been done.
func (r *deadlines) nearEnd() bool {
	total, _ := r.estimate()
	return total > 0 && total <= 2*float64(r.result.Executions+r.result.Blocked)
}

// estimate is the strategy's; zeros if it has none, or one beyond all numbers.
func (r *deadlines) estimate() (total, spread float64) {
	if s := r.s.Summary(); s.Total < math.MaxFloat64 && s.Spread < math.MaxFloat64 {
		return s.Total, s.Spread
	}
	return 0, 0
}

// due reports whether the deadline has passed.
func (r *deadlines) due(now time.Time) bool {
	if r.held && !r.lim.Sooner.IsZero() && now.After(r.lim.Sooner) {
		return true
	}
	return !r.lim.Deadline.IsZero() && now.After(r.lim.Deadline)
}

// maxStuck bounds the executions with a step that does not end: in each, the search waits for the
// step.
const maxStuck = 3
