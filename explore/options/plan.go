package options

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Plan returns the plan that the flags describe. It leaves out the parts that only the binary
// knows: facts, and how to look at states.
func (o *Orders) Plan() strategy.Plan {
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

// Separates reports whether accesses become steps at all.
func (o *Orders) Separates() bool {
	return strategy.Find(o.Searcher()).Accesses && o.Model == "go" &&
		!o.Compares() && o.Audit == 0 && o.separable()
}

// separable reports whether what is left out of the search leaves both orders of an access that is
// a step.
func (o *Orders) separable() bool {
	return !slices.ContainsFunc(strings.Split(o.Independence, ","), func(word string) bool {
		return !slices.Contains([]string{"none", "auto", "symmetry", "sections"}, word)
	})
}

// ChoicesOf lists what is explored beside the order of operations: the cases of selects, and kinds
// of hidden choices.
func ChoicesOf(hidden string) string { return strings.TrimSuffix("select,"+hidden, ",") }

// Kinds reads a comma list of kinds of hidden choices. faults has a bit for each of trace.Faults.
func Kinds(hidden string) (rand, maps bool, faults int) {
	list := strings.Split(hidden, ",")
	for i, word := range trace.Faults {
		all, _, _ := strings.Cut(word, ".")
		if slices.Contains(list, word) || slices.Contains(list, all) {
			faults |= 1 << i
		}
	}
	return slices.Contains(list, "rand"), slices.Contains(list, "maps"), faults
}
