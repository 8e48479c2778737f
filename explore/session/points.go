package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds on how accesses that are in data races become steps.
const (
	maxStages = 4  // searches that begin again
	maxPoints = 32 // accesses, by their places in the source
)

// points makes accesses that were found in data races steps, so that both their orders are explored: what follows may depend on
// which comes first. The search begins again with these, and findings remember with which accesses they were found.
type points struct {
	*exploration
	stages []string // the accesses that are steps, by Finding.Stage
	known  []string // all of them
	left   bool     // there are more, beyond the bounds
	strict bool     // nothing is a step, whatever is found
}

// newPoints returns a search's accesses that are steps: none yet.
func (e *exploration) newPoints(o *options.Options) *points {
	p := &points{exploration: e, stages: []string{""}}
	p.strict = !slices.Contains([]string{"auto", "optimal", "dpor", "pop", "exhaustive"}, o.Searcher()) || o.Model != "go" ||
		o.Compares() || o.Audit > 0 || !separable(o)
	p.stage(0)
	return p
}

// reset forgets all accesses: another search begins, which counts its stages anew.
func (p *points) reset() {
	p.stages, p.known, p.left = []string{""}, nil, false
	p.stage(0)
}

// separable reports whether what is left out of the search leaves both orders of an access that is a step.
func separable(o *options.Options) bool {
	for _, word := range strings.Split(o.Independence, ",") {
		if !slices.Contains([]string{"none", "auto", "symmetry", "sections"}, word) {
			return false
		}
	}
	return true
}

// separate is for explore.Limits.Separate. again makes a strategy that has not begun.
func (p *points) separate(again func() explore.Strategy) func([]trace.Race) explore.Strategy {
	if p.strict {
		return nil
	}
	return func(races []trace.Race) explore.Strategy {
		if !p.add(races) {
			return nil
		}
		p.stages = append(p.stages, strings.Join(p.known, separator))
		p.stage(len(p.stages) - 1)
		return again()
	}
}

// add reports whether accesses of races are to become steps that are none yet.
func (p *points) add(races []trace.Race) bool {
	before := len(p.known)
	for _, r := range races {
		for _, place := range r.Places {
			switch {
			case slices.Contains(p.known, place):
			case len(p.stages) > maxStages || len(p.known) == maxPoints:
				p.left = true
			default:
				p.known = append(p.known, place)
			}
		}
	}
	return len(p.known) > before
}

// stage makes the executions that follow those of one stage of the search.
func (p *points) stage(n int) {
	to := p.suite.settings
	to.points = p.stages[n]
	p.suite.apply(to)
}

// conclude says what has become of the data races.
func (p *points) conclude() {
	if len(p.known) > 0 {
		p.note("%s in a data race, and explored in both orders; what else a data race may do is not", accesses(len(p.known)))
	}
	if p.left {
		p.result.CutShort("of some data races only one order is explored: there are too many")
	}
}

func accesses(n int) string {
	if n == 1 {
		return "1 access is"
	}
	return fmt.Sprintf("%d accesses are", n)
}

// separator is between the accesses of a list.
const separator = "; "

func listOfPoints(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}
