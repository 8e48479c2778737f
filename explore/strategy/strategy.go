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
	"github.com/rehearse-go/rehearse/explore/handlers"
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
	Symmetry bool            // processes that are twins begin in one order: optimal
	Stateful StatefulOptions // stateful, but for Spins

	Actors Order // -order stable; nil: another one
	// -tasks independent, of dpor and transdpor: which tasks commute; nil: all are selected
	Select *handlers.Classifier
	// dpor with sleep sets, and optimal, leave out orders of tasks that commute; nil: none
	Tasks *handlers.Classifier

	// dpor with sleep sets, and optimal, cut off executions that come to a state from which all has
	// been explored; nil: none
	Context Look
}

// Orphaned is implemented by strategies that look for messages which nobody receives.
type Orphaned interface {
	Orphans() Orphans
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
	{name: "graph", make: newGraph},
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
	if _, err := NewOrder(o.Order); err != nil && o.Order != "stable" {
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
func (o Options) order() Order {
	if o.Actors != nil {
		return o.Actors
	}
	order, _ := NewOrder(o.Order)
	return order
}

// paper makes the search over deliveries: that of actors.go if actors or tasks are to be selected.
func (o Options) paper(freeze bool) *Deliveries {
	d := NewActorDPOR(o.Sleep, o.order())
	switch {
	case o.Select != nil:
		d = NewActors(freeze, o.Sleep, o.order(), byFacts{o.Select})
	case o.Actors != nil:
		d = NewActors(freeze, o.Sleep, o.order(), nil)
	case freeze:
		d = NewTransDPOR(o.Sleep, o.order())
	}
	d.fair.Bound = o.Spins
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

func newGeneral(o Options) *DPOR {
	d := NewDPOR(o.Sleep)
	d.fair.Bound, d.first.order = o.Spins, o.order()
	d.refine.tasks, d.context = o.Tasks, newContexts(o.Context)
	if o.Context != nil && d.first.order == nil {
		d.first.order = &d.context.nested
	}
	return d
}

func newTransDPOR(o Options) explore.Strategy { return o.paper(true) }

func newRace(o Options) explore.Strategy {
	r := NewRace(o.order())
	r.fair.Bound = o.Spins
	return r
}

func newOptimal(o Options) explore.Strategy {
	switch {
	case o.Tasks != nil:
		return newOptimalTasks(o)
	case o.Symmetry:
		return NewSymmetric(func() *Optimal { return plainOptimal(o) })
	case o.Observed || o.Equal, o.Context != nil:
		return plainOptimal(o)
	}
	return exact(o)
}

func newOptimalTasks(o Options) explore.Strategy {
	s := NewOptimalTasks(o.Tasks, o.order())
	s.fair.Bound, s.context = o.Spins, newContexts(o.Context)
	if o.Context != nil && o.order() == nil {
		s.rank = &s.context.nested
	}
	return s
}

func plainOptimal(o Options) *Optimal {
	s := NewOptimal()
	s.fair.Bound, s.first.order, s.observed = o.Spins, o.order(), o.Observed
	if o.Equal {
		s.Equal()
	}
	if s.context = newContexts(o.Context); o.Context != nil && s.first.order == nil {
		s.first.order = &s.context.nested
	}
	return s
}

func newPOP(o Options) explore.Strategy {
	s := NewPOP()
	s.fair.Bound, s.early = o.Spins, o.Early
	return s
}

func newAdaptive(o Options) explore.Strategy {
	if o.Symmetry {
		return NewSymmetric(func() *Adaptive { return adaptive(o) })
	}
	return adaptive(o)
}

func newExhaustive(o Options) explore.Strategy {
	s := NewExhaustive()
	s.fair.Bound = o.Spins
	return s
}

func newStateful(o Options) explore.Strategy {
	o.Stateful.Spins = o.Spins
	return NewStateful(o.Stateful)
}

// The randomised strategies.
var (
	newRandom = seeded(NewRandom)
	newPCT    = seeded(NewPCT)
	newPOS    = seeded(NewPOS)
	newSURW   = seeded(NewSURW)
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
