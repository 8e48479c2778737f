package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// budget bounds one part of a Minimise.
type budget struct{ tries, events int } // executions, and the events of all of them

// The parts: leaving out what is not needed, with the search for a passing execution; and
// replacing.
var (
	forReducing  = budget{400, 5_000_000}
	forReplacing = budget{400, 1_000_000}
)

// Minimise looks for an execution that shows f with few deviations and, among these, with few
// events and with late deviations. It also looks for a passing execution with one deviation less.
// It returns f with both; f itself if f cannot be shown again. stop, if not nil, ends the search
// early, also in the middle of an execution. Then f.Early is set, and the results until then count.
//
// None of the deviations that are left can be spared and, within the budgets, none can be replaced
// by another one so that fewer are needed, fewer events come, or it comes later. So a finding that
// needs at most one deviation has the least number of deviations and events. Equivalent executions
// come to the same, as Minimise begins with the normal order (see Normal). For a finding that needs
// several, an execution that is simpler in several places at once may exist.
//
// If ex is a Measured, the execution takes no more delay than in f.
//
// A deviation is remembered as "process p, instead of process q's step n". So if one is left out,
// the other deviations keep their places, although everything after it moves.
func Minimise(ex Executor, f Finding, stop func() bool) Finding {
	if len(f.Choices) == 0 || f.Kind == Nondeterminism {
		return f
	}
	m := &minimiser{ex: Bound(ex, stop), identity: f.Identity, left: forReducing, least: f.Delay}
	m.meter, _ = ex.(*Measured)
	f.Choices = Normal(m.ex, &f)
	if m.ex.over {
		f.Early = true
		return f
	}
	best := m.first(f.Choices)
	if best != nil {
		best = m.shorten(m.reduce(best))
		f.Choices, f.Deviations = best.made, best.at
	}
	f.Early = m.ex.over
	if best != nil {
		f.Passing = m.neighbour(best)
	}
	return f
}

// minimiser is one search.
type minimiser struct {
	ex       *Bounded
	identity string // of the finding
	left     budget
	meter    *Measured   // nil: any delay will do
	least    delay.Delay // that the finding needs
}

// first returns the execution with all deviations of a schedule; nil if it does not show the
// finding, so that the deviations do not determine it.
func (m *minimiser) first(alts []trace.Alt) *steered {
	w := &watcher{script: Script{Alts: alts}}
	if !m.shows(m.ex.Execute(w, false)) {
		return nil
	}
	if c, ok := m.attempt(w.deviations); ok {
		return c
	}
	return nil
}

// shows reports whether x, which is complete, shows the finding.
func (m *minimiser) shows(x *trace.Execution) bool {
	return x.End != trace.Cut && (m.meter == nil || !m.least.Better(m.meter.Delay(x))) &&
		shows(x, m.identity)
}

// spent reports whether the search has to end.
func (m *minimiser) spent() bool {
	return m.left.tries <= 0 || m.left.events < 0 || m.ex.Over()
}

// run executes with the given deviations.
func (m *minimiser) run(list []deviation) (*trace.Execution, *steered) {
	c := newSteered(list)
	x := m.execute(c)
	return x, c
}

func (m *minimiser) execute(c trace.Chooser) *trace.Execution {
	x := m.ex.Execute(c, false)
	m.left.tries--
	m.left.events -= len(x.Events)
	return x
}

// attempt reports whether an execution with the given deviations shows the finding, and returns it.
func (m *minimiser) attempt(list []deviation) (*steered, bool) {
	x, c := m.run(list)
	return c, m.shows(x)
}

// reduce leaves out deviations, first many at a time, then one by one, until none can be spared.
func (m *minimiser) reduce(best *steered) *steered {
	for size := max(1, len(best.used)/2); ; size = max(1, size/2) {
		shorter := m.pass(best, size)
		if size == 1 && len(shorter.used) == len(best.used) || m.spent() {
			return shorter
		}
		best = shorter
	}
}

// pass tries to leave out each group of size deviations, from the last to the first.
func (m *minimiser) pass(best *steered, size int) *steered {
	for end := len(best.used); end > 0 && !m.spent(); end -= size {
		if end > len(best.used) {
			end = len(best.used)
		}
		if c, ok := m.attempt(without(best.used, max(0, end-size), end)); ok &&
			len(c.used) < len(best.used) {
			best = c
		}
	}
	return best
}

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

// simpler reports whether c has fewer deviations than d; or as many and fewer events; or as many of
// both, and later deviations: what decides is closer to the failure then.
func (c *steered) simpler(d *steered) bool {
	if len(c.used) != len(d.used) {
		return len(c.used) < len(d.used)
	}
	if len(c.made) != len(d.made) {
		return len(c.made) < len(d.made)
	}
	return slices.Compare(c.at, d.at) > 0
}

// neighbour looks for a passing execution that has one deviation less than worst.
func (m *minimiser) neighbour(worst *steered) []trace.Alt {
	for i := len(worst.used) - 1; i >= 0 && !m.spent(); i-- {
		x, c := m.run(without(worst.used, i, i+1))
		if _, _, ok := Judge(x); ok && x.End != trace.Cut && !x.Never &&
			len(x.Recovered) == 0 {
			return c.made
		}
	}
	return nil
}

func without(list []deviation, from, to int) []deviation {
	return append(append([]deviation(nil), list[:from]...), list[to:]...)
}

// mark is a place in an execution: before step n of process p.
type mark struct{ p, n int32 }

// deviation names the alternative that was done at a place, instead of Onward's choice there.
type deviation struct {
	at      mark
	instead trace.Alt
	step    int32 // of instead.Proc
}

// counters numbers the steps of processes.
type counters []int32

func (c *counters) of(p int32) int32 {
	for len(*c) <= int(p) {
		*c = append(*c, 0)
	}
	return (*c)[p]
}

func (c *counters) next(a trace.Alt) {
	c.of(max(a.Proc, a.Partner))
	(*c)[a.Proc]++
	if a.Partner >= 0 {
		(*c)[a.Partner]++
	}
}

// Deviation is a step of a schedule that is not the one that Onward would have chosen.
type Deviation struct {
	Step   int       // index into the schedule
	Onward trace.Alt // what it would have chosen
}

// Deviations lists those of a schedule, which it runs.
func Deviations(ex Executor, alts []trace.Alt) []Deviation {
	w := &watcher{script: Script{Alts: alts}}
	ex.Execute(w, false)
	return w.parted
}

// watcher follows a script and notes the deviations.
type watcher struct {
	script     Script
	steps      counters
	deviations []deviation
	parted     []Deviation // the same ones
}

// Choose implements trace.Chooser.
func (w *watcher) Choose(s *trace.State) int {
	i := w.script.Choose(s)
	if i < 0 {
		return i
	}
	a, on := s.Alts[i], s.Alts[Onward(s)]
	if a != on {
		w.deviations = append(w.deviations,
			deviation{mark{on.Proc, w.steps.of(on.Proc)}, a, w.steps.of(a.Proc)})
		w.parted = append(w.parted, Deviation{s.Depth, on})
	}
	w.steps.next(a)
	return i
}

// steered makes the given deviations when it reaches their places, and goes onward elsewhere.
type steered struct {
	planned map[mark][]deviation
	steps   counters
	used    []deviation
	at      []int       // depths of used
	made    []trace.Alt // all choices
}

func newSteered(list []deviation) *steered {
	c := &steered{planned: map[mark][]deviation{}}
	for _, d := range list {
		c.planned[d.at] = append(c.planned[d.at], d)
	}
	return c
}

// Choose implements trace.Chooser.
func (c *steered) Choose(s *trace.State) int {
	i := Onward(s)
	on := s.Alts[i]
	at := mark{on.Proc, c.steps.of(on.Proc)}
	for _, d := range c.planned[at] {
		if j := index(s.Alts, d.instead); j >= 0 && j != i && c.steps.of(d.instead.Proc) == d.step {
			c.used, c.at = append(c.used, d), append(c.at, s.Depth)
			i = j
			break
		}
	}
	c.made = append(c.made, s.Alts[i])
	c.steps.next(s.Alts[i])
	return i
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
