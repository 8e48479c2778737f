package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Bounds on how accesses that are in data races become steps.
const (
	maxStages = 4  // searches that begin again
	maxPoints = 32 // accesses, by their places in the source
)

// points makes accesses that were found in data races steps, so that both their orders are
// explored: what follows may depend on which comes first. The search begins again with these, and
// findings remember with which accesses they were found.
type points struct {
	*exploration
	stages []string        // the accesses that are steps, by Finding.Stage
	known  []string        // all of them
	atomic map[string]bool // those whose variable is also accessed by atomic operations
	races  [][]string      // pairs of them: both access one variable
	first  int             // the first stage of the present search
	left   bool            // there are more, beyond the bounds
	strict bool            // nothing is a step, whatever is found
}

// newPoints returns a search's accesses that are steps: none yet.
func (e *exploration) newPoints(o *options.Options) *points {
	p := &points{exploration: e, stages: []string{""}, atomic: map[string]bool{}}
	p.strict = !separates(o)
	p.stage(0)
	return p
}

// separates reports whether accesses become steps at all.
func separates(o *options.Options) bool {
	return strategy.Find(o.Searcher()).Accesses && o.Model == "go" &&
		!o.Compares() && o.Audit == 0 && separable(o)
}

// goOn makes another search begin with all that is known, and returns the number of its first
// stage.
func (p *points) goOn() (first int) {
	if list := p.list(); list != p.stages[len(p.stages)-1] {
		p.stages = append(p.stages, list)
	}
	p.first = len(p.stages) - 1
	p.stage(p.first)
	return p.first
}

// reset forgets all accesses: another search begins, which counts its stages anew.
func (p *points) reset() {
	p.stages, p.known, p.races, p.first, p.left = []string{""}, nil, nil, 0, false
	clear(p.atomic)
	p.stage(0)
}

// separable reports whether what is left out of the search leaves both orders of an access that is
// a step.
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
		p.stages = append(p.stages, p.list())
		p.stage(len(p.stages) - 1)
		return again()
	}
}

// add reports whether accesses of races are to become steps that are none yet, or steps of another
// sort.
func (p *points) add(races []trace.Race) bool {
	before, over := p.list(), len(p.stages)-p.first > maxStages
	for _, r := range races {
		var pair []string
		for _, place := range r.Places {
			place, atomic := strings.CutSuffix(place, trace.BesideAtomic)
			switch known := slices.Contains(p.known, place); {
			case !known && (over || len(p.known) == maxPoints), over && atomic && !p.atomic[place]:
				p.left = true
				continue
			case !known:
				p.known = append(p.known, place)
			}
			p.atomic[place] = p.atomic[place] || atomic
			pair = append(pair, place)
		}
		if len(pair) > 1 {
			p.races = append(p.races, pair)
		}
	}
	return p.list() != before
}

// list is the text of the accesses. Those of one variable are of one sort, also where only some of
// them have met an atomic operation.
func (p *points) list() string {
	for changed := true; changed; {
		changed = false
		for _, pair := range p.races {
			if p.atomic[pair[0]] != p.atomic[pair[1]] {
				p.atomic[pair[0]], p.atomic[pair[1]], changed = true, true, true
			}
		}
	}
	var list []string
	for _, place := range p.known {
		if p.atomic[place] {
			place += trace.BesideAtomic
		}
		list = append(list, place)
	}
	return strings.Join(list, separator)
}

// stage makes the executions that follow those of one stage of the search.
func (p *points) stage(n int) {
	p.suite.change(func(c *world.Config) { c.Points = listOfPoints(p.stages[n]) })
}

// conclude says what has become of the data races.
func (p *points) conclude() {
	if len(p.known) > 0 {
		p.note(
			"%s in a data race, and explored in both orders; what else a data race may do is not",
			accesses(len(p.known)))
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
