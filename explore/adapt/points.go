package adapt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds on how accesses that are in data races become steps.
const (
	maxStages = 4  // searches that begin again
	maxPoints = 32 // accesses, by their places in the source
)

// Points makes accesses that were found in data races steps, so that both their orders are
// explored: later events may depend on the order. The search begins again with these steps.
// Findings remember with which accesses they were found.
type Points struct {
	apply  func(list []string) // makes these accesses steps of the executions that follow
	stages []string            // the accesses that are steps, by Finding.Stage
	known  []string            // all of them
	atomic map[string]bool     // those whose variable is also accessed by atomic operations
	races  [][]string          // pairs of them: both access one variable
	first  int                 // the first stage of the present search
	left   bool                // there are more, beyond the bounds
	uses   bool                // there are races with operations of package sync
	Strict bool                // nothing is a step, whatever is found
}

// NewPoints returns the accesses of a search that are steps: none yet. apply is called with the
// list for the executions that follow. A strict search makes no access a step.
func NewPoints(strict bool, apply func(list []string)) *Points {
	p := &Points{apply: apply, stages: []string{""}, atomic: map[string]bool{}, Strict: strict}
	p.Stage(0)
	return p
}

// GoOn makes another search begin with all that is known, and returns the number of its first
// stage.
func (p *Points) GoOn() (first int) {
	if list := p.list(); list != p.stages[len(p.stages)-1] {
		p.stages = append(p.stages, list)
	}
	p.first = len(p.stages) - 1
	p.Stage(p.first)
	return p.first
}

// Reset forgets all accesses: another search begins, which counts its stages anew.
func (p *Points) Reset() {
	p.stages, p.known, p.races, p.first = []string{""}, nil, nil, 0
	p.left, p.uses = false, false
	clear(p.atomic)
	p.Stage(0)
}

// Separate is for explore.Limits.Separate. again makes a strategy that has not begun.
func (p *Points) Separate(again func() explore.Strategy) func([]trace.Race) explore.Strategy {
	if p.Strict {
		return nil
	}
	return func(races []trace.Race) explore.Strategy {
		if !p.add(races) {
			return nil
		}
		p.stages = append(p.stages, p.list())
		p.Stage(len(p.stages) - 1)
		return again()
	}
}

// add adds the accesses of races. It reports whether there are new steps, or steps of another sort.
func (p *Points) add(races []trace.Race) bool {
	before, over := p.list(), len(p.stages)-p.first > maxStages
	for _, r := range races {
		p.uses = p.uses || r.Uses
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

// list returns the text of the accesses. All accesses of one variable are of one sort, even if only
// some of them have met an atomic operation.
func (p *Points) list() string {
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

// Stage makes the executions that follow belong to stage n of the search.
func (p *Points) Stage(n int) {
	p.apply(ListOfPoints(p.stages[n]))
}

// Conclude says how the data races were explored: note is for people. cut is not empty if not both
// orders of all races are explored.
func (p *Points) Conclude() (note, cut string) {
	if len(p.known) > 0 {
		note = accesses(len(p.known)) +
			" in a data race, and explored in both orders; what else a data race may do is not"
	}
	switch {
	case p.left:
		cut = "of some data races only one order is explored: there are too many"
	case p.uses:
		cut = "of assignments to objects of package sync that others use, not all orders are explored"
	}
	return note, cut
}

func accesses(n int) string {
	if n == 1 {
		return "1 access is"
	}
	return fmt.Sprintf("%d accesses are", n)
}

// separator is between the accesses of a list.
const separator = "; "

// PointsText returns a list of accesses as schedules have it.
func PointsText(list []string) string { return strings.Join(list, separator) }

// ListOfPoints returns the list from which PointsText has made text.
func ListOfPoints(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}
