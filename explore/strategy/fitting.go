package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/transdpor"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// engine is a systematic strategy with all that others want to know of it.
type engine interface {
	explore.Strategy
	search.Partial
	search.Estimator
	Hash() uint64
	Distinct() bool
	Planned() int
}

// Fitting is dpor for the delivery models actor and pairs: the papers' form of it (NewActorDPOR) as
// long as nothing but the order of deliveries matters in the program, else the general one
// (NewDPOR). Nearly always the first execution tells, so the general one follows that, and goes on
// from there. Later it has to begin again.
type Fitting struct {
	engine  // the one at work
	options Options
	paper   *transdpor.Search // nil: it has refused the program
	general *dpor.Search      // nil: it has not followed
	again   bool              // some executions may have been run twice
}

// newFitting returns the strategy before its first execution.
func newFitting(o Options) *Fitting {
	paper := o.paper(false)
	f := &Fitting{engine: paper, paper: paper, options: o, general: newGeneral(o)}
	f.general.Begin()
	return f
}

// Begin implements explore.Strategy.
func (f *Fitting) Begin() bool {
	if f.paper != nil && f.paper.Refused() != nil {
		f.again = true
		f.fallBack(newGeneral(f.options))
	}
	return f.engine.Begin()
}

// fallBack gives the papers' form up.
func (f *Fitting) fallBack(general *dpor.Search) {
	f.engine, f.paper, f.general = general, nil, nil
}

// Choose implements explore.Strategy.
func (f *Fitting) Choose(s *trace.State) int {
	i := f.engine.Choose(s)
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
	return f.engine.Choose(s)
}

// End implements explore.Strategy.
func (f *Fitting) End(x *trace.Execution) {
	f.engine.End(x)
	if f.general == nil {
		return
	}
	f.general.Lead(-1)
	if f.paper.Refused() != nil {
		f.fallBack(f.general)
		f.engine.End(x)
	}
	f.general = nil
}

// Distinct reports whether no two complete executions so far can have been equivalent.
func (f *Fitting) Distinct() bool { return !f.again && f.engine.Distinct() }

// Deliveries counts deliveries as the papers' form does; 0 when the general one is at work, which
// has none.
func (f *Fitting) Deliveries() int {
	if f.paper == nil {
		return 0
	}
	return f.paper.Deliveries()
}

// Selection returns how actors have been selected so far.
func (f *Fitting) Selection() transdpor.Selection {
	if f.paper == nil {
		return transdpor.Selection{}
	}
	return f.paper.Selection()
}
