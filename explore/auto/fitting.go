package auto

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/transdpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Fitting is dpor for the delivery models actor and pairs. It is the papers' form (package
// transdpor) as long as only the order of deliveries matters in the program, else the general form
// (package dpor). Nearly always the first execution decides, so the general form follows that one,
// and goes on from there. Later it has to begin again.
type Fitting struct {
	explore.Strategy                   // the one at work
	paper            *transdpor.Search // nil: it has refused the program
	general          *dpor.Search      // nil: it has not followed
	anew             func() *dpor.Search
	again            bool // some executions may have been run twice
}

// NewFitting returns the strategy before its first execution. general makes the general form.
func NewFitting(paper *transdpor.Search, general func() *dpor.Search) *Fitting {
	f := &Fitting{Strategy: paper, paper: paper, general: general(), anew: general}
	f.general.Begin()
	return f
}

// Begin implements explore.Strategy.
func (f *Fitting) Begin() bool {
	if f.paper != nil && f.paper.Refusal != nil {
		f.again = true
		f.fallBack(f.anew())
	}
	return f.Strategy.Begin()
}

// fallBack gives the papers' form up.
func (f *Fitting) fallBack(general *dpor.Search) {
	f.Strategy, f.paper, f.general = general, nil, nil
}

// Choose implements explore.Strategy.
func (f *Fitting) Choose(s *trace.State) int {
	i := f.Strategy.Choose(s)
	switch {
	case f.general == nil:
		return i
	case i < 0: // in the first execution nothing sleeps: it has been refused
		return f.takeOver(s)
	}
	f.general.Lead(i)
	if f.general.Choose(s) != i {
		f.general = nil
	}
	return i
}

// takeOver has the general form go on with the first execution.
func (f *Fitting) takeOver(s *trace.State) int {
	f.general.Lead(-1)
	f.fallBack(f.general)
	return f.Strategy.Choose(s)
}

// End implements explore.Strategy.
func (f *Fitting) End(x *trace.Execution) {
	f.Strategy.End(x)
	if f.general == nil {
		return
	}
	f.general.Lead(-1)
	if f.paper.Refusal != nil {
		f.fallBack(f.general)
		f.Strategy.End(x)
	}
	f.general = nil
}

// Last implements explore.Strategy.
func (f *Fitting) Last() explore.Last {
	l := f.Strategy.Last()
	l.Distinct = l.Distinct && !f.again
	return l
}

// Summary implements explore.Strategy. The program is not refused: the general form takes it.
func (f *Fitting) Summary() explore.Summary {
	s := f.Strategy.Summary()
	s.Refusal = nil
	return s
}
