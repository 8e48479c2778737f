// Package strategy is the table of all strategies: their names, the settings that they take, and
// those that they do not go with. It makes a strategy of a plan.
//
// Vocabulary: a plan has the settings of the flags. A row of the table is a strategy. A rule is a
// set of settings that do not go together, with the reason.
//
// Guarantees: the choices of a strategy are a function of the states and executions that it was
// shown and, for the randomised ones, of the seed.
package strategy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/auto"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/optimal/tasks"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/papers/transdpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/explore/whole"
)

// Plan has the settings of the flags. They have been checked: see Rules.
type Plan struct {
	Name  string // of the strategy
	Model string // delivery model: go, actor or pairs; empty: go
	Sleep bool   // sleep sets
	Order string // fifo, eca or lca; empty: the strategy's own
	Seed  uint64 // of the randomised ones, and of auto's samples
	Spins int    // explore.Fair's bound

	Late func() bool // no more races are to be looked for; nil: never

	Early    bool // timers may fire while processes can move
	Observed bool // events whose order nobody sees commute
	Equal    bool // so do sends of equal values, too, where a joint receive takes them
	Joint    bool // likewise, and auto's search gives up where that takes too much
	Symmetry bool // processes that are twins begin in one order
	Stateful stateful.Options

	Actors search.Order // -order stable; nil: another one
	// -tasks independent: which tasks commute; nil: all are selected
	Select *handlers.Classifier
	// orders of tasks that commute are left out; nil: none
	Tasks *handlers.Classifier
	// executions are cut off at states from which all has been explored; nil: none
	Context revisit.Look
}

// Find returns the row of a strategy, nil if there is none.
func Find(name string) *Row {
	i := slices.IndexFunc(Table, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &Table[i]
}

// Names lists the strategies that a condition holds for, in the order of the table; nil: all.
func Names(of func(r *Row) bool) (list []string) {
	for i := range Table {
		if of == nil || of(&Table[i]) {
			list = append(list, Table[i].Name)
		}
	}
	return list
}

// New makes the strategy of a plan.
func New(p Plan) (explore.Strategy, error) {
	r := Find(p.Name)
	if r == nil {
		return nil, fmt.Errorf("there is no strategy %q", p.Name)
	}
	if _, err := search.NewOrder(p.Order); err != nil && p.Order != "stable" {
		return nil, err
	}
	s := r.make(p)
	switch r.Whole {
	case gives:
		return auto.NewAtBorder(s, func() explore.Strategy { return spun(whole.New(), p) }), nil
	case refuses:
		return auto.NewRefusing(s), nil
	}
	return s, nil
}

// order returns the value of -order, which has been checked; nil if there is none.
func (p Plan) order() search.Order {
	if p.Actors != nil {
		return p.Actors
	}
	order, _ := search.NewOrder(p.Order)
	return order
}

// nest reports whether the order that goes with contexts is to be taken.
func (p Plan) nest() bool { return p.Context != nil && p.order() == nil }

// spun sets the bound on polls in vain.
func spun[S interface{ SetSpins(n int) }](s S, p Plan) S {
	s.SetSpins(p.Spins)
	return s
}

// seeded makes a randomised strategy.
func seeded(walker func(seed uint64, before int) sample.Walker) func(Plan) explore.Strategy {
	return func(p Plan) explore.Strategy { return spun(sample.NewBlocks(p.Seed, walker), p) }
}

// simply is seeded for a strategy that does not count its executions.
func simply[S sample.Walker](walker func(seed uint64) S) func(Plan) explore.Strategy {
	return seeded(func(seed uint64, _ int) sample.Walker { return walker(seed) })
}

// Portfolio makes the randomised strategies of which auto runs samples.
func (p Plan) Portfolio() []auto.Sampler {
	return []auto.Sampler{
		{Name: "random", Strategy: spun(sample.NewRandom(p.Seed), p)},
		{Name: "pct", Strategy: spun(sample.NewPCT(p.Seed), p)},
		{Name: "pos", Strategy: spun(sample.NewPOS(p.Seed), p)},
		{Name: "surw", Strategy: spun(sample.NewSURW(p.Seed), p)},
	}
}

// newAuto makes a systematic search, beside samples.
func newAuto(p Plan) explore.Strategy {
	adaptive := func() explore.Strategy { return auto.NewAdaptive(p.makers()) }
	if p.Joint {
		p.Equal = true
		adaptive = func() explore.Strategy {
			s := newWakeup(p)
			s.Hasty, s.Bounded = true, true
			return s
		}
	}
	if p.Symmetry {
		return auto.New(p.twins(adaptive), p.Portfolio())
	}
	return auto.New(adaptive(), p.Portfolio())
}

// makers make the parts of auto, and of optimal. Pop supports neither twins nor early firings.
func (p Plan) makers() auto.Makers {
	m := auto.Makers{
		Optimal: func() *optimal.Search { return newWakeup(p) },
		DPOR:    func() *dpor.Search { p := p; p.Sleep = true; return newGeneral(p) },
		POP:     func() *pop.Search { return newPOP(p) },
	}
	if p.Symmetry || p.Early {
		m.POP = nil
	}
	return m
}

func newOptimal(p Plan) explore.Strategy {
	switch {
	case p.Tasks != nil:
		return spun(tasks.New(p.Tasks, p.order()), p).Compare(p.Context, p.nest())
	case p.Symmetry:
		return p.twins(func() explore.Strategy { return newWakeup(p) })
	case p.Observed || p.Equal, p.Context != nil:
		return newWakeup(p)
	}
	return auto.NewExact(p.makers())
}

// twins makes a search in which twins begin in order.
func (p Plan) twins(anew func() explore.Strategy) explore.Strategy {
	s := symmetry.New(anew)
	s.Shallow = p.Observed || p.Equal || p.Context != nil
	return s
}

// newWakeup makes the search by wakeup trees alone.
func newWakeup(p Plan) *optimal.Search {
	s := spun(optimal.New(), p)
	s.Until(p.Late)
	s.Prefer(p.order())
	if p.Observed {
		s.Observers()
	}
	if p.Equal {
		s.Equal()
	}
	return s.Compare(p.Context, p.nest())
}

func newPOP(p Plan) *pop.Search {
	s := spun(pop.New(), p)
	s.Early = p.Early
	return s
}

func newDPOR(p Plan) explore.Strategy {
	if p.Select != nil {
		return p.actors(false) // no other form of dpor selects tasks
	}
	if (p.Model == "actor" || p.Model == "pairs") && p.Tasks == nil && p.Context == nil {
		return auto.NewFitting(p.actors(false), func() *dpor.Search { return newGeneral(p) })
	}
	return newGeneral(p)
}

func newGeneral(p Plan) *dpor.Search {
	s := spun(dpor.New(p.Sleep), p)
	s.Prefer(p.order())
	s.LeaveOut(p.Tasks)
	s.Until(p.Late)
	return s.Compare(p.Context, p.nest())
}

// actors makes the search over deliveries: that of Fig. 2 of its papers if actors or tasks are to
// be selected.
func (p Plan) actors(freeze bool) *transdpor.Search {
	s := transdpor.NewDPOR(p.Sleep, p.order())
	switch {
	case p.Select != nil:
		s = transdpor.NewActors(freeze, p.Sleep, p.order(), transdpor.ByFacts{Classifier: p.Select})
	case p.Actors != nil:
		s = transdpor.NewActors(freeze, p.Sleep, p.order(), nil)
	case freeze:
		s = transdpor.New(p.Sleep, p.order())
	}
	return spun(s, p)
}
