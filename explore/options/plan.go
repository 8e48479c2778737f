package options

import (
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/strategy"
)

// Plan is what the flags come to. What only the binary knows is left out: facts, and how to look at
// states.
func (o *Options) Plan() strategy.Plan {
	p := strategy.Plan{
		Name: o.Searcher(), Model: o.Model, Sleep: o.Sleep, Order: o.Ordering(),
		Seed: o.Seed, Spins: o.MaxSpins, Early: o.Clock == "explore",
		Observed: o.Independent("observed"), Equal: o.Independent("equal") || o.Sums(),
		Symmetry: o.Independent("symmetry"),
		Stateful: stateful.Options{
			Breadth: o.Search == "bfs", Big: o.StepSize == "big", Macro: o.Model != "go",
		},
	}
	if p.Name == "auto" && (o.Model != "go" || o.Independent("context")) {
		// the general form: with sleep sets it cuts less off than the papers' one
		p.Name, p.Sleep, p.Model = "dpor", true, ""
	}
	return p
}
