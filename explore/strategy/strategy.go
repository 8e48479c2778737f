// Package strategy has the strategies: one file for each algorithm, behind explore.Strategy.
//
// Vocabulary: a node is a state on the path of the current execution, with what a strategy
// remembers about it; an alternative is awake unless its executions are known to be equivalent to
// ones already explored. A sample is an execution that a randomised strategy makes beside a
// systematic search. See package depend for dependence and interference.
//
// Guarantees: what a strategy does is a function of what it was shown and, for the randomised ones,
// of the seed.
//
// LIMITS: a process that polls in vain is held back after a while (explore.Fair), which may hide
// executions; reversals are looked for among the first depend.MaxEvents events of an execution; see
// Partial.
package strategy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/graph"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/optimal/tasks"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/race"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/papers/transdpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/search"
)

// Options of a strategy. Set names the flags that the user gave, so that one without meaning is an
// error.
type Options struct {
	Model string // delivery model: go, actor or pairs; empty: go
	Sleep bool   // sleep sets: dpor and transdpor
	Order string // fifo, eca or lca: dpor, transdpor, race and optimal; empty: the strategy's own
	Seed  uint64 // of the randomised ones, and of auto's samples
	Spins int    // explore.Fair's bound

	Early    bool // timers may fire while processes can move: not pop
	Observed bool // events whose order nobody sees commute: optimal
	// so do sends of equal values, too, where a joint receive takes them: optimal
	Equal    bool
	Symmetry bool             // processes that are twins begin in one order: optimal
	Stateful stateful.Options // stateful, but for Spins

	Actors search.Order // -order stable; nil: another one
	// -tasks independent, of dpor and transdpor: which tasks commute; nil: all are selected
	Select *handlers.Classifier
	// dpor with sleep sets, and optimal, leave out orders of tasks that commute; nil: none
	Tasks *handlers.Classifier

	// dpor with sleep sets, and optimal, cut off executions that come to a state from which all has
	// been explored; nil: none
	Context revisit.Look
}

// maker makes a strategy.
type maker struct {
	name         string
	make         func(Options) explore.Strategy
	sleep, order bool // the options that mean something to it
}

var makers = []maker{
	{name: "auto", make: func(o Options) explore.Strategy { return NewAuto(newAdaptive(o), o) }},
	{name: "exhaustive", make: newExhaustive},
	{name: "dpor", make: newDPOR, sleep: true, order: true},
	{name: "random", make: newRandom},
	{name: "transdpor", make: newTransDPOR, sleep: true, order: true},
	{name: "race", make: newRace, order: true},
	{name: "stateful", make: newStateful},
	{name: "optimal", make: newOptimal, order: true},
	{name: "pop", make: newPOP},
	{name: "graph", make: func(Options) explore.Strategy { return graph.New() }},
	{name: "pct", make: newPCT},
	{name: "pos", make: newPOS},
	{name: "surw", make: newSURW},
}

// New returns the strategy with a name of the command line's -strategy.
func New(name string, o Options) (explore.Strategy, error) {
	i := slices.IndexFunc(makers, func(m maker) bool { return m.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no strategy %q", name)
	}
	m := &makers[i]
	if _, err := search.NewOrder(o.Order); err != nil && o.Order != "stable" {
		return nil, err
	}
	switch {
	case o.Sleep && !m.sleep:
		return nil, fmt.Errorf("-sleep does not apply to strategy %s", name)
	case (o.Observed || o.Equal) && name != "optimal":
		return nil, fmt.Errorf("-independence observed, or equal, does not apply to strategy %s", name)
	case o.Symmetry && name != "optimal" && name != "auto":
		return nil, fmt.Errorf("-independence symmetry does not apply to strategy %s", name)
	case o.Order != "" && !m.order:
		return nil, fmt.Errorf("-order does not apply to strategy %s", name)
	case o.Context != nil && (!o.Sleep || name != "dpor") && name != "optimal":
		return nil, fmt.Errorf("-independence context needs -strategy dpor with -sleep, or optimal")
	case o.Context != nil && (o.Observed || o.Equal || o.Symmetry):
		return nil, fmt.Errorf("-independence context does not go together with observed, equal or symmetry")
	case o.Tasks != nil && (!o.Sleep || name != "dpor") && name != "optimal":
		return nil, fmt.Errorf("-independence needs -strategy dpor with -sleep, or optimal")
	case o.Tasks != nil && (o.Observed || o.Equal || o.Symmetry):
		return nil, fmt.Errorf("-independence observed, equal or symmetry does not go together with facts")
	}
	return m.make(o), nil
}

// order returns the value of -order, which has been checked; nil if there is none.
func (o Options) order() search.Order {
	if o.Actors != nil {
		return o.Actors
	}
	order, _ := search.NewOrder(o.Order)
	return order
}

// nest reports whether the order that goes with contexts is to be taken.
func (o Options) nest() bool { return o.Context != nil && o.order() == nil }

// paper makes the search over deliveries: that of actors.go if actors or tasks are to be selected.
func (o Options) paper(freeze bool) *transdpor.Search {
	d := transdpor.NewDPOR(o.Sleep, o.order())
	switch {
	case o.Select != nil:
		d = transdpor.NewActors(freeze, o.Sleep, o.order(), transdpor.ByFacts{Classifier: o.Select})
	case o.Actors != nil:
		d = transdpor.NewActors(freeze, o.Sleep, o.order(), nil)
	case freeze:
		d = transdpor.New(o.Sleep, o.order())
	}
	d.SetSpins(o.Spins)
	return d
}

func newDPOR(o Options) explore.Strategy {
	if o.Select != nil {
		return o.paper(false) // no other form of dpor selects tasks
	}
	if (o.Model == "actor" || o.Model == "pairs") && o.Tasks == nil && o.Context == nil {
		return newFitting(o)
	}
	return newGeneral(o)
}

func newGeneral(o Options) *dpor.Search {
	d := dpor.New(o.Sleep)
	d.SetSpins(o.Spins)
	d.Prefer(o.order())
	d.LeaveOut(o.Tasks)
	return d.Compare(o.Context, o.nest())
}

func newTransDPOR(o Options) explore.Strategy { return o.paper(true) }

func newRace(o Options) explore.Strategy {
	r := race.New(o.order())
	r.SetSpins(o.Spins)
	return r
}

func newOptimal(o Options) explore.Strategy {
	switch {
	case o.Tasks != nil:
		return newOptimalTasks(o)
	case o.Symmetry:
		return NewSymmetric(func() *optimal.Search { return plainOptimal(o) })
	case o.Observed || o.Equal, o.Context != nil:
		return plainOptimal(o)
	}
	return exact(o)
}

func newOptimalTasks(o Options) explore.Strategy {
	s := tasks.New(o.Tasks, o.order())
	s.SetSpins(o.Spins)
	return s.Compare(o.Context, o.nest())
}

func plainOptimal(o Options) *optimal.Search {
	s := optimal.New()
	s.SetSpins(o.Spins)
	s.Prefer(o.order())
	if o.Observed {
		s.Observers()
	}
	if o.Equal {
		s.Equal()
	}
	return s.Compare(o.Context, o.nest())
}

func newPOP(o Options) explore.Strategy {
	s := pop.New()
	s.SetSpins(o.Spins)
	s.Early = o.Early
	return s
}

func newAdaptive(o Options) explore.Strategy {
	if o.Symmetry {
		return NewSymmetric(func() *Adaptive { return adaptive(o) })
	}
	return adaptive(o)
}

func newExhaustive(o Options) explore.Strategy {
	s := exhaustive.New()
	s.SetSpins(o.Spins)
	return s
}

func newStateful(o Options) explore.Strategy {
	o.Stateful.Spins = o.Spins
	return stateful.New(o.Stateful)
}

// The randomised strategies.
var (
	newRandom = seeded(sample.NewRandom)
	newPCT    = seeded(sample.NewPCT)
	newPOS    = seeded(sample.NewPOS)
	newSURW   = seeded(sample.NewSURW)
)

// sampling is a randomised strategy.
type sampling interface {
	explore.Strategy
	SetSpins(spins int) // sets explore.Fair's bound
}

// seeded makes a function of Options of one of the seed.
func seeded[S sampling](make func(seed uint64) S) func(Options) explore.Strategy {
	return func(o Options) explore.Strategy {
		s := make(o.Seed)
		s.SetSpins(o.Spins)
		return s
	}
}
