package auto

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Samples are executions of a portfolio of randomised strategies beside a systematic search, which
// says by Searched what it has done. As a strategy, Samples ends when no more of them are due.
type Samples struct {
	portfolio []Sampler
	turn      int    // the member of the portfolio whose turn it is, or was last
	searched  int    // executions of the systematic search
	effort    [2]int // steps of the systematic search, and of samples
	burst     int    // samples still to be run before the search goes on
}

// Sampler is a member of the portfolio: a randomised strategy.
type Sampler struct {
	Name string
	explore.Strategy
}

// When samples are run.
const (
	headExecutions = 10_000  // of the systematic search, before the first sample
	headSteps      = 1 << 21 // likewise, if that is less
	sampleShare    = 5       // one step in so many is that of a sample
)

// NewSamples returns samples beside a search that has not begun.
func NewSamples(portfolio []Sampler) *Samples { return &Samples{portfolio: portfolio, turn: -1} }

// SkipHead makes samples due from now on, however little has been searched: another search has made
// the effort of the head.
func (p *Samples) SkipHead() { p.searched += headExecutions }

// Searched says that the systematic search has run so many executions more, of so many steps.
func (p *Samples) Searched(executions, steps int) {
	p.searched += executions
	p.effort[0] += executions + steps
}

// Due reports whether the next execution is to be a sample. Each member of the portfolio has its
// turn before the search goes on.
func (p *Samples) Due() bool {
	if p.searched < headExecutions && p.effort[0] < headSteps {
		return false
	}
	if p.burst == 0 && p.effort[1]*(sampleShare-1) <= p.effort[0] {
		p.burst = len(p.portfolio)
	}
	return p.burst > 0
}

// Begin implements explore.Strategy.
func (p *Samples) Begin() bool {
	if !p.Due() {
		return false
	}
	p.burst--
	p.turn = (p.turn + 1) % len(p.portfolio)
	return p.portfolio[p.turn].Begin()
}

// Choose implements explore.Strategy.
func (p *Samples) Choose(s *trace.State) int { return p.portfolio[p.turn].Choose(s) }

// End implements explore.Strategy.
func (p *Samples) End(x *trace.Execution) {
	p.effort[1] += 1 + len(x.Events)
	p.portfolio[p.turn].End(x)
}

// Last implements explore.Strategy.
func (p *Samples) Last() explore.Last { return explore.Last{Sampler: p.portfolio[p.turn].Name} }

// Summary implements explore.Strategy.
func (p *Samples) Summary() explore.Summary { return explore.Summary{} }
