package strategy_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/internal/lab/graph"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A claimant is one way to explore a program of which the result may be that it is complete.
type claimant struct {
	name    string
	make    func(m *micro.Machine) explore.Strategy
	unnamed bool // it does not tell twins from each other
}

// claimants are all strategies and refinements that explore all of a program.
var claimants = append(listed, rest()...)

// listed are those that are made in another way than the table makes them.
var listed = []claimant{
	{name: "dpor", make: func(*micro.Machine) explore.Strategy { return dpor.New(false) }},
	{name: "dpor -sleep", make: func(*micro.Machine) explore.Strategy { return dpor.New(true) }},
	{name: "optimal", make: func(*micro.Machine) explore.Strategy { return newExact() }},
	{name: "auto", make: func(*micro.Machine) explore.Strategy { return newAdaptive() }},
	{name: "pop", make: func(*micro.Machine) explore.Strategy { return pop.New() }},
	{name: "graph", make: func(*micro.Machine) explore.Strategy { return graph.New() }},
	{name: "observed", make: func(*micro.Machine) explore.Strategy {
		return refined((*optimal.Search).Observers)
	}},
	{name: "equal", make: func(*micro.Machine) explore.Strategy {
		return refined((*optimal.Search).Equal)
	}},
	{name: "symmetry", unnamed: true, make: func(*micro.Machine) explore.Strategy {
		return symmetry.New(optimal.New)
	}},
	{name: "observed, symmetry", unnamed: true, make: func(*micro.Machine) explore.Strategy {
		y := symmetry.New(func() *optimal.Search {
			s := optimal.New()
			s.Observers()
			return s
		})
		y.Shallow = true
		return y
	}},
	{name: "auto, symmetry", unnamed: true, make: func(*micro.Machine) explore.Strategy {
		return symmetry.New(newAdaptive)
	}},
	{name: "stateful", make: func(m *micro.Machine) explore.Strategy {
		return stateful.New(stateful.Options{Look: m.Look})
	}},
	{name: "dpor -independence context", make: func(m *micro.Machine) explore.Strategy {
		return dpor.New(true).Compare(m.Look, true)
	}},
	{name: "optimal -independence context", make: func(m *micro.Machine) explore.Strategy {
		return optimal.New().Compare(m.Look, true)
	}},
}

// rest are the others of the table, but for the oracle.
func rest() (list []claimant) {
	for _, name := range strategy.Names(func(r *strategy.Row) bool {
		return !r.Endless && slices.Contains(r.Models, "go")
	}) {
		if name != "exhaustive" &&
			!slices.ContainsFunc(listed, func(c claimant) bool { return c.name == name }) {
			list = append(list, claimant{name: name, make: func(*micro.Machine) explore.Strategy {
				s, err := strategy.New(strategy.Plan{Name: name})
				if err != nil {
					panic(err)
				}
				return s
			}})
		}
	}
	return list
}

// refined is optimal with one of its refinements.
func refined(refine func(*optimal.Search)) explore.Strategy {
	s := optimal.New()
	refine(s)
	return s
}

// ends is what a search saw of a program: how its executions end.
type ends struct {
	executions, blocked int
	crashes             int
	outcomes            map[string]bool
	unnamed             map[string]bool // outcomes, but for which twin is which
	// the search came to its end, and says that it has left nothing out
	complete bool
	partial  string // what it has left out
}

// exploredBy searches m to its end, or up to limit executions.
func exploredBy(m *micro.Machine, s explore.Strategy, limit int) *ends {
	r := &ends{outcomes: map[string]bool{}, unnamed: map[string]bool{}}
	for s.Begin() {
		if r.executions+r.blocked >= limit {
			return r
		}
		x := m.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut || s.Last().Repeats {
			r.blocked++
			continue
		}
		switch x.End {
		case trace.Crashed, trace.Exited:
			r.crashes++
			r.outcomes[ending(x)], r.unnamed[unnamedEnding(x)] = true, true
		default:
			r.outcomes[m.Observed()], r.unnamed[m.Unnamed()] = true, true
		}
		r.executions++
	}
	sum := s.Summary()
	if r.partial = sum.Partial; sum.Refusal != nil {
		r.partial = sum.Refusal.Why
	}
	r.complete = r.partial == ""
	return r
}

// lostBy says what is wrong with what a search saw of a program: nothing if it does not claim to
// have seen all.
func (c *claimant) lostBy(got, want *ends) string {
	all, some := want.outcomes, got.outcomes
	if c.unnamed {
		all, some = want.unnamed, got.unnamed
	}
	if !got.complete {
		some = all
	}
	if why := outcomesFault(some, all); why != "" {
		return fmt.Sprintf("%s: %s", c.name, strings.ReplaceAll(why, "\n", " "))
	}
	return ""
}
