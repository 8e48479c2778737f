// Package auto chooses among searches. Search searches systematically. When that takes long it also
// samples: now and then it runs some executions of a portfolio of randomised strategies, each in
// turn. A systematic search varies the end of an execution first. If it does not finish, samples
// find bugs that need another beginning.
//
// There are no samples before the systematic search has made the effort of a head, so small
// programs are explored as without samples. From then on samples make a fixed share of all effort.
// Effort is counted in steps and not in time: the same program and seed give the same executions.
//
// The exploration is complete when the systematic search is. Then its samples were redundant.
//
// Adaptive and Fitting, its parts, take another search if one does not fit the program.
package auto

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New.
type Search struct {
	systematic explore.Strategy
	samples    *Samples
	sampling   bool // the execution under way is a sample
	// the systematic search has begun an execution that has not been run yet
	begun bool
	order depend.Order // of a sample
	hash  uint64       // of the trace of the last execution, if it was a sample
}

// New returns the strategy, with a systematic search that has not begun.
func New(systematic explore.Strategy, portfolio []Sampler) *Search {
	return &Search{systematic: systematic, samples: NewSamples(portfolio)}
}

// Begin implements explore.Strategy.
func (a *Search) Begin() bool {
	if !a.begun && !a.systematic.Begin() {
		return false
	}
	a.begun = true
	if a.sampling = a.samples.Due(); a.sampling {
		return a.samples.Begin()
	}
	a.begun = false
	return true
}

// Choose implements explore.Strategy.
func (a *Search) Choose(s *trace.State) int {
	if a.sampling {
		return a.samples.Choose(s)
	}
	return a.systematic.Choose(s)
}

// End implements explore.Strategy.
func (a *Search) End(x *trace.Execution) {
	if !a.sampling {
		a.samples.Searched(1, len(x.Events))
		a.systematic.End(x)
		return
	}
	a.samples.End(x)
	a.hash = a.systematic.Last().Sight.HashOf(&a.order, x)
}

// Last implements explore.Strategy: that of the systematic search; a sample has its own hash.
func (a *Search) Last() explore.Last {
	l := a.systematic.Last()
	if a.sampling {
		l.Hash, l.Hashed, l.Repeats, l.Sampler = a.hash, true, false, a.samples.Last().Sampler
	}
	return l
}

// Summary implements explore.Strategy: that of the systematic search.
func (a *Search) Summary() explore.Summary { return a.systematic.Summary() }
