package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// shorten replaces deviations of best by others as long as that makes it simpler, within a budget
// of its own. The rest of the other budget is left for later steps.
func (m *minimiser) shorten(best *steered) *steered {
	kept := m.left
	m.left = forReplacing
	for !m.spent() {
		simpler := m.replaceEach(best)
		if simpler == best {
			break
		}
		best = m.reduce(simpler)
	}
	m.left = kept
	return best
}

// replaceEach tries to replace each of best's deviations, from the first to the last.
func (m *minimiser) replaceEach(best *steered) *steered {
	for i := 0; i < len(best.used); i++ {
		best = m.replace(best, i)
	}
	return best
}

// replace tries each deviation that is possible after the first i of best, in the place of the next
// one: alone, and with the later ones. It returns the simplest execution that shows the finding.
func (m *minimiser) replace(best *steered, i int) *steered {
	before, after := best.used[:i], best.used[i+1:]
	for _, d := range m.possible(before) {
		for _, list := range replacements(before, d, after) {
			if m.spent() {
				return best
			}
			if c, ok := m.attempt(list); ok && c.simpler(best) {
				best = c
			}
		}
	}
	return best
}

func replacements(before []deviation, d deviation, after []deviation) [][]deviation {
	alone := append(slices.Clone(before), d)
	if len(after) == 0 {
		return [][]deviation{alone}
	}
	return [][]deviation{alone, slices.Concat(alone, after)}
}

// possible lists deviations that can follow those given: the first ones, as many as the budget lets
// us try.
func (m *minimiser) possible(before []deviation) []deviation {
	c := &surveyor{steered: newSteered(before), after: len(before), most: m.left.tries}
	m.execute(c)
	return c.found
}

// simpler reports whether c has fewer deviations than d, or as many and fewer events.
func (c *steered) simpler(d *steered) bool {
	if len(c.used) != len(d.used) {
		return len(c.used) < len(d.used)
	}
	return len(c.made) < len(d.made)
}

// surveyor makes given deviations, and notes which other ones could have followed.
type surveyor struct {
	*steered
	after int // deviations that come first
	most  int // to be noted
	found []deviation
}

// Choose implements trace.Chooser.
func (c *surveyor) Choose(s *trace.State) int {
	on := s.Alts[Onward(s)]
	place := mark{on.Proc, c.steps.of(on.Proc)}
	if len(c.used) == c.after {
		c.note(s, on, place)
	}
	return c.steered.Choose(s)
}

// note notes the deviations that are possible in a state.
func (c *surveyor) note(s *trace.State, on trace.Alt, place mark) {
	for _, a := range s.Alts {
		if a != on && len(c.found) < c.most {
			c.found = append(c.found, deviation{place, a, c.steps.of(a.Proc)})
		}
	}
}
