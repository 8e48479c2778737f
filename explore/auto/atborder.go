package auto

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// AtBorder is a search that ignores whole steps (trace.Execution.Inner), as long as there are none.
// After the first execution that has some, a search over whole steps begins in its place, and runs
// that execution once more.
type AtBorder struct {
	explore.Strategy
	whole   func() explore.Strategy // nil: another search has taken over
	refuses bool                    // nothing takes over
	refusal *explore.Refusal
	fresh   bool // the search over whole steps has not run an execution
	again   bool // the last execution had been run before
}

// NewAtBorder returns s, until there are whole steps, and then what whole makes.
func NewAtBorder(s explore.Strategy, whole func() explore.Strategy) *AtBorder {
	return &AtBorder{Strategy: s, whole: whole}
}

// NewRefusing returns s, which refuses a program with whole steps.
func NewRefusing(s explore.Strategy) *AtBorder { return &AtBorder{Strategy: s, refuses: true} }

// Begin implements explore.Strategy.
func (a *AtBorder) Begin() bool { return a.refusal == nil && a.Strategy.Begin() }

// End implements explore.Strategy.
func (a *AtBorder) End(x *trace.Execution) {
	switch {
	case len(x.Inner) == 0 || a.whole == nil && !a.refuses:
		a.again, a.fresh = a.fresh, false
		a.Strategy.End(x)
	case a.refuses:
		a.refusal = &explore.Refusal{Why: noWholeSteps, Choices: explore.Choices(x),
			Step: int(x.Inner[0])}
	default:
		a.Strategy, a.whole, a.fresh = a.whole(), nil, true
	}
}

// noWholeSteps is the reason why a search is not for programs that use net/http and its like.
const noWholeSteps = "code of the standard library with goroutines of its own, such as net/http, " +
	"is explored in whole steps, which this strategy does not know: " +
	"use auto, whole, exhaustive or a randomised one"

// Last implements explore.Strategy.
func (a *AtBorder) Last() explore.Last {
	l := a.Strategy.Last()
	l.Repeats = l.Repeats || a.again
	return l
}

// Summary implements explore.Strategy.
func (a *AtBorder) Summary() explore.Summary {
	s := a.Strategy.Summary()
	if a.refusal != nil {
		s.Refusal = a.refusal
	}
	return s
}
