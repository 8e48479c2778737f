// Package strategy has the strategies: one file for each algorithm, behind explore.Strategy.
//
// Vocabulary: a node is a state on the path of the current execution, with what a strategy remembers about it; an
// alternative is awake unless its executions are known to be equivalent to ones already explored. A sample is an
// execution that a randomised strategy makes beside a systematic search. See package depend for dependence and
// interference.
//
// Guarantees: what a strategy does is a function of what it was shown and, for the randomised ones, of the seed.
//
// LIMITS: a process that polls in vain is held back after a while (explore.Fair), which may hide executions; reversals
// are looked for among the first depend.MaxEvents events of an execution; see Partial.
package strategy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
)

// Options of a strategy. Set names the flags that the user gave, so that one without meaning is an error.
type Options struct {
	Sleep bool   // sleep sets: dpor
	Order string // fifo, eca, lca, stable
	Seed  uint64 // of the randomised ones, and of auto's samples
	Spins int    // explore.Fair's bound
}

// Partial is implemented by strategies that may have to leave something out.
type Partial interface {
	// Partial says what was left out; empty if nothing was.
	Partial() string
}

// Estimator is implemented by strategies that can say how much there is to explore.
type Estimator interface {
	// Estimate returns how many complete executions there will be in all, and by which factor (1 or more) that may well
	// be wrong, in either direction. ok is false if nothing is known yet.
	Estimate() (total, spread float64, ok bool)
}

// maker makes a strategy; takes are the options that mean something to it.
type maker struct {
	name string
	make func(Options) explore.Strategy // nil: planned
	use  string                         // what to use instead of a planned one
}

var makers = []maker{
	{name: "auto", make: func(o Options) explore.Strategy { return NewAuto(newAdaptive(o), o) }},
	{name: "exhaustive", make: newExhaustive},
	{name: "dpor", make: func(o Options) explore.Strategy { return newDPOR(o.Sleep, o) }},
	{name: "random", make: newRandom},
	{name: "transdpor", use: "dpor"},
	{name: "race", use: "dpor"},
	{name: "stateful", use: "dpor"},
	{name: "optimal", make: newOptimal},
	{name: "pct", make: newPCT},
	{name: "pos", make: newPOS},
	{name: "surw", make: newSURW},
}

// New returns the strategy with a name of the command line's -strategy.
func New(name string, o Options) (explore.Strategy, error) {
	for _, m := range makers {
		switch {
		case m.name != name:
			continue
		case m.make == nil:
			return nil, fmt.Errorf("strategy %s is not built yet: use %s", name, m.use)
		case o.Sleep && name != "dpor":
			return nil, fmt.Errorf("-sleep does not apply to strategy %s", name)
		case o.Order != "":
			return nil, fmt.Errorf("-order does not apply to strategy %s", name)
		}
		return m.make(o), nil
	}
	return nil, fmt.Errorf("there is no strategy %q", name)
}

func newDPOR(sleep bool, o Options) explore.Strategy {
	d := NewDPOR(sleep)
	d.fair.Bound = o.Spins
	return d
}

func newOptimal(o Options) explore.Strategy {
	s := NewOptimal()
	s.fair.Bound = o.Spins
	return s
}

func newAdaptive(o Options) explore.Strategy {
	a := NewAdaptive()
	a.spins(o.Spins)
	return a
}

func newExhaustive(o Options) explore.Strategy {
	s := NewExhaustive()
	s.fair.Bound = o.Spins
	return s
}

func newRandom(o Options) explore.Strategy {
	s := NewRandom(o.Seed)
	s.bound(o.Spins)
	return s
}

func newPCT(o Options) explore.Strategy {
	s := NewPCT(o.Seed)
	s.bound(o.Spins)
	return s
}

func newPOS(o Options) explore.Strategy {
	s := NewPOS(o.Seed)
	s.bound(o.Spins)
	return s
}

func newSURW(o Options) explore.Strategy {
	s := NewSURW(o.Seed)
	s.bound(o.Spins)
	return s
}

// spinBound is the text of Partial for a strategy that held back a process that polls.
func spinBound(held bool, f *explore.Fair) string {
	if !held {
		return ""
	}
	return fmt.Sprintf("spin bound: a process that has polled %d times in vain, or keeps others waiting, lets them go first", f.Limit())
}
