package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Adaptive searches with optimal as long as that costs no more than it saves, and else with dpor. What decides is counted, not
// timed: the same program gives the same executions. Optimal gives up when
//   - an execution has more than mostEvents events: every execution is searched as a whole, which takes more than linear time;
//   - the search for the races of one execution takes more than workSlack + workPerEvent steps for each of its events. A
//     step takes about as long as an event takes dpor, or less;
//   - its trees have more than mostWaiting nodes, a few hundred bytes each;
//   - it has to leave out something that dpor would not leave out (see Optimal.Partial).
//
// Nearly always the first execution tells, so dpor is shown that one, too, and goes on from there. Later it has to begin again.
type Adaptive struct {
	optimal *Optimal // nil: given up
	dpor    *DPOR
	begun   bool
	first   bool   // the execution under way is the first one, and dpor makes it, too
	hash    uint64 // of the trace of the last execution
	again   bool   // some executions may have been run twice
	ran     int    // complete executions of optimal
	lost    int    // those of them that dpor did not see
}

// Bounds of optimal's work, see Adaptive. The programs of BenchmarkStrategies take up to 2 steps for each event.
var (
	mostEvents   = 1000
	workSlack    = 2000
	workPerEvent = 16
	mostWaiting  = 1 << 17
)

// NewAdaptive returns the strategy before its first execution.
func NewAdaptive() *Adaptive {
	a := &Adaptive{optimal: NewOptimal(), dpor: NewDPOR(true)}
	a.optimal.bounded = true
	return a
}

// spins sets explore.Fair's bound.
func (a *Adaptive) spins(bound int) { a.optimal.fair.Bound, a.dpor.fair.Bound = bound, bound }

// Begin implements explore.Strategy.
func (a *Adaptive) Begin() bool {
	a.first, a.begun = !a.begun, true
	if a.optimal == nil {
		return a.dpor.Begin()
	}
	return a.optimal.Begin() && (!a.first || a.dpor.Begin())
}

// Choose implements explore.Strategy.
func (a *Adaptive) Choose(s *trace.State) int {
	switch {
	case a.optimal == nil:
		return a.dpor.Choose(s)
	case a.first:
		i := a.optimal.Choose(s)
		a.first = a.dpor.Choose(s) == i // else it has to begin again
		return i
	}
	return a.optimal.Choose(s)
}

// End implements explore.Strategy.
func (a *Adaptive) End(x *trace.Execution) {
	at := a.at()
	at.End(x)
	a.hash = at.Hash()
	if a.optimal != nil && x.End != trace.Cut {
		a.ran++
	}
	switch {
	case a.optimal == nil, !a.optimal.tooMuch():
		return
	case a.first:
		a.dpor.End(x)
	default:
		bound := a.dpor.fair.Bound
		a.dpor, a.again, a.lost = NewDPOR(true), true, a.ran
		a.dpor.fair.Bound = bound
	}
	a.optimal = nil
}

// at is the strategy that is at work.
func (a *Adaptive) at() interface {
	explore.Strategy
	Partial
	Hash() uint64
	Distinct() bool
	Planned() int
	Estimator
} {
	if a.optimal != nil {
		return a.optimal
	}
	return a.dpor
}

// Name is that of the strategy that is at work.
func (a *Adaptive) Name() string {
	if a.optimal != nil {
		return "optimal"
	}
	return "dpor"
}

// Hash returns the hash of the trace of the last execution.
func (a *Adaptive) Hash() uint64 { return a.hash }

// Distinct reports whether no two complete executions so far can have been equivalent.
func (a *Adaptive) Distinct() bool { return !a.again && a.at().Distinct() }

// Planned counts the branches that are known to be still unexplored.
func (a *Adaptive) Planned() int { return a.at().Planned() }

// Estimate implements Estimator.
func (a *Adaptive) Estimate() (total, spread float64, ok bool) {
	total, spread, ok = a.at().Estimate()
	return total + float64(a.lost), spread, ok
}

// Partial implements the interface Partial.
func (a *Adaptive) Partial() string { return a.at().Partial() }
