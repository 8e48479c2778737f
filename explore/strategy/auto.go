package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Auto searches systematically, and when that takes long it also samples: now and then it runs some
// executions of a portfolio of randomised strategies, each in turn. A systematic search varies the
// end of an execution first; where it does not come to its end, a sample finds bugs that need
// something else at the beginning.
//
// Nothing is sampled before the systematic search has made the effort of a head, so small programs
// are explored as they would be without. From then on samples make a fixed share of all effort.
// Effort is counted in steps and not in time: the same program and seed give the same executions.
//
// The exploration is complete when the systematic search is.
type Auto struct {
	systematic explore.Strategy
	portfolio  []sampler
	turn       int  // the member of the portfolio whose turn it is, or was last
	sampling   bool // the execution under way is a sample
	// the systematic search has begun an execution that has not been run yet
	begun    bool
	searched int          // executions of the systematic search
	effort   [2]int       // steps of the systematic search, and of samples
	burst    int          // samples still to be run before the search goes on
	order    depend.Order // of a sample
	hash     uint64       // of the trace of the last execution, if it was a sample
}

// sampler is a member of the portfolio.
type sampler struct {
	name string
	explore.Strategy
}

// When samples are run.
const (
	headExecutions = 10_000  // of the systematic search, before the first sample
	headSteps      = 1 << 21 // likewise, if that is less
	sampleShare    = 5       // one step in so many is that of a sample
)

// NewAuto returns the strategy, with a systematic search that has not begun. That must have a hash
// and a name.
func NewAuto(systematic explore.Strategy, o Options) *Auto {
	return &Auto{systematic: systematic, turn: -1, portfolio: []sampler{
		{"random", newRandom(o)}, {"pct", newPCT(o)}, {"pos", newPOS(o)}, {"surw", newSURW(o)},
	}}
}

// Begin implements explore.Strategy.
func (a *Auto) Begin() bool {
	if !a.begun && !a.systematic.Begin() {
		return false
	}
	a.begun = true
	if a.sampling = a.sampleDue(); a.sampling {
		a.burst--
		a.turn = (a.turn + 1) % len(a.portfolio)
		return a.portfolio[a.turn].Begin()
	}
	a.begun = false
	return true
}

// sampleDue reports whether the next execution is to be a sample. Each member of the portfolio has
// its turn before the search goes on.
func (a *Auto) sampleDue() bool {
	if a.searched < headExecutions && a.effort[0] < headSteps {
		return false
	}
	if a.burst == 0 && a.effort[1]*(sampleShare-1) <= a.effort[0] {
		a.burst = len(a.portfolio)
	}
	return a.burst > 0
}

// Choose implements explore.Strategy.
func (a *Auto) Choose(s *trace.State) int {
	if a.sampling {
		return a.portfolio[a.turn].Choose(s)
	}
	return a.systematic.Choose(s)
}

// End implements explore.Strategy.
func (a *Auto) End(x *trace.Execution) {
	if !a.sampling {
		a.searched++
		a.effort[0] += 1 + len(x.Events)
		a.systematic.End(x)
		return
	}
	a.effort[1] += 1 + len(x.Events)
	a.portfolio[a.turn].End(x)
	if s, ok := a.systematic.(interface {
		HashOf(*depend.Order, *trace.Execution) uint64
	}); ok {
		a.hash = s.HashOf(&a.order, x)
		return
	}
	a.hash = search.HashOf(&a.order, x)
}

// Name is that of the systematic search.
func (a *Auto) Name() string { return a.systematic.(interface{ Name() string }).Name() }

// Notes says what the systematic search has begun again with, and why.
func (a *Auto) Notes() []string {
	if s, ok := a.systematic.(interface{ Notes() []string }); ok {
		return s.Notes()
	}
	return nil
}

// Systematic is the systematic search.
func (a *Auto) Systematic() explore.Strategy { return a.systematic }

// Sampler names the member of the portfolio that made the last execution; empty if that was no
// sample.
func (a *Auto) Sampler() string {
	if a.sampling {
		return a.portfolio[a.turn].name
	}
	return ""
}

// Hash returns the hash of the trace of the last execution.
func (a *Auto) Hash() uint64 {
	if a.sampling {
		return a.hash
	}
	return a.systematic.(interface{ Hash() uint64 }).Hash()
}

// Distinct reports whether no two complete executions of the systematic search so far can have been
// equivalent.
func (a *Auto) Distinct() bool {
	s, ok := a.systematic.(interface{ Distinct() bool })
	return ok && s.Distinct()
}

// Planned counts the alternatives that the systematic search has still to explore, as far as it can
// say: else it is -1.
func (a *Auto) Planned() int {
	if s, ok := a.systematic.(interface{ Planned() int }); ok {
		return s.Planned()
	}
	return -1
}

// Partial implements the interface Partial.
func (a *Auto) Partial() string {
	if s, ok := a.systematic.(search.Partial); ok {
		return s.Partial()
	}
	return ""
}

// Estimate is that of the systematic search.
func (a *Auto) Estimate() (total, spread float64, ok bool) {
	if s, can := a.systematic.(search.Estimator); can {
		return s.Estimate()
	}
	return 0, 0, false
}

// GaveUp is that of the systematic search.
func (a *Auto) GaveUp() bool {
	s, ok := a.systematic.(interface{ GaveUp() bool })
	return ok && s.GaveUp()
}

// Joints are those of the systematic search, if it knows of them.
func (a *Auto) Joints() map[int32]int {
	if s, ok := a.systematic.(interface{ Joints() map[int32]int }); ok {
		return s.Joints()
	}
	return nil
}

// Unseen is what the systematic search says, if it knows of such events.
func (a *Auto) Unseen() int {
	if s, ok := a.systematic.(interface{ Unseen() int }); ok {
		return s.Unseen()
	}
	return 0
}

// Repeats reports whether the last execution was redundant to the systematic search.
func (a *Auto) Repeats() bool {
	r, ok := a.systematic.(interface{ Repeats() bool })
	return ok && !a.sampling && r.Repeats()
}
