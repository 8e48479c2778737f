package study

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds of the search for a passing neighbour of a failing execution.
const (
	maxTries  = 400  // executions
	maxTurned = 5000 // steps of the failing execution
	maxTwice  = 100  // likewise, where two steps have to be others
	maxRacing = 8    // data races met
)

// Partings compares f with the nearest passing execution: the one that the minimisation met, or
// else one that is looked for here. It is empty if none is known. passing is that execution. racing
// are data races of executions that were met in a search in vain, and end well but for these.
func (d *Desk) Partings(f *explore.Finding) (list []depict.Parting, passing *depict.Beside,
	racing []*depict.Finding) {
	if d.Why() != "" {
		return nil, nil, nil
	}
	if i := firstDifference(f.Choices, f.Passing); i >= 0 {
		if x := d.Show(f.Passing); i < len(x.Events) { // else it was stopped
			return []depict.Parting{d.parting(x, i)}, depict.NewBeside(x), nil
		}
		return nil, nil, nil
	}
	p, passing, racing, ok := d.nearest(f.Choices)
	if ok {
		list = []depict.Parting{p}
	}
	return list, passing, racing
}

// firstDifference returns the index of the first choice in which a differs from b, or -1.
func firstDifference(a, b []trace.Alt) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// parting says what the passing execution x, run with sites, did at step i.
func (d *Desk) parting(x *trace.Execution, i int) depict.Parting {
	p := depict.Parting{Step: i, Instead: trace.ChoiceOf(&x.Events[i], x.Procs)}
	if i < len(x.Sites) {
		p.Site = x.Sites[i]
	}
	if i < len(x.Values) && !d.Places.Secret {
		p.Value = x.Values[i]
	}
	return p
}

// nearest looks for a passing execution that leaves the failing one, made by alts, at a single
// step: it takes another alternative there and then goes onward. nearest finds the latest such
// step, after which going onward no longer avoids the failure. If there is none, it looks for two
// such steps. ok is false if none was found in time.
func (d *Desk) nearest(alts []trace.Alt) (p depict.Parting, passing *depict.Beside,
	racing []*depict.Finding, ok bool) {
	if len(alts) > maxTurned {
		return p, nil, nil, false
	}
	n := &turning{Desk: d, ex: explore.Bound(d.Exec, d.Enough())}
	if p, passing, ok = n.latest(alts, 0); ok {
		return p, passing, nil, true
	}
	for _, f := range n.failed {
		if n.over() {
			break
		}
		if _, passing, ok = n.latest(f.alts, f.at+1); ok {
			passing.Away = 2
			x := d.Show(passing.Alts)
			return d.parting(x, f.at), passing, nil, f.at < len(x.Events)
		}
	}
	return p, nil, n.racing, false
}

// turning is one search for a passing neighbour.
type turning struct {
	*Desk
	ex     *explore.Bounded
	tries  int
	failed []turned // what was tried in vain
	racing []*depict.Finding
}

// turned is an execution that left a failing one in a step.
type turned struct {
	alts []trace.Alt
	at   int
}

// over reports whether the search has to end.
func (n *turning) over() bool { return n.tries > maxTries || n.ex.Over() }

// latest looks for the latest step of alts, from step first on, at which another alternative leads
// to a passing execution.
func (n *turning) latest(alts []trace.Alt, first int) (p depict.Parting, passing *depict.Beside,
	ok bool) {
	c := &recorder{script: explore.Script{Alts: alts}}
	n.ex.Execute(c, false)
	for i := min(len(alts), len(c.could)) - 1; i >= first; i-- {
		for _, other := range c.could[i] {
			n.tries++
			if n.over() {
				return p, nil, false
			}
			if p, passing, ok = n.turn(alts, i, other); ok {
				return p, passing, true
			}
		}
	}
	return p, nil, false
}

// turn makes the first i choices of alts, then another one, and goes onward; ok reports that this
// passes.
func (n *turning) turn(alts []trace.Alt, i int, other trace.Alt) (p depict.Parting,
	passing *depict.Beside, ok bool) {
	if other == alts[i] {
		return p, nil, false
	}
	c := &explore.Script{Alts: append(slices.Clone(alts[:i]), other)}
	x := n.ex.Execute(c, true)
	switch kind, _, ok := explore.Judge(x); {
	case c.Missed > 0 || x.End == trace.Cut || x.Never || len(x.Events) <= i:
		return p, nil, false
	case !ok || len(x.Recovered) > 0:
		if kind == explore.Race {
			n.races(x)
		}
		if len(n.failed) < maxTries/8 && len(x.Events) <= maxTwice {
			n.failed = append(n.failed, turned{explore.Choices(x), i})
		}
		return p, nil, false
	}
	return n.parting(x, i), depict.NewBeside(x), true
}

// races notes the data races of x, which ends well but for these.
func (n *turning) races(x *trace.Execution) {
	for i := range x.Races {
		text := x.Races[i].Text
		known := func(f *depict.Finding) bool { return f.Message == text }
		if len(n.racing) < maxRacing && !slices.ContainsFunc(n.racing, known) {
			n.racing = append(n.racing, depict.NewFinding(explore.Race, text, x, n.Places))
		}
	}
}

// recorder follows a script and keeps what was possible at each depth; nothing where there was one
// alternative.
type recorder struct {
	script explore.Script
	could  [][]trace.Alt
}

// Choose implements trace.Chooser.
func (c *recorder) Choose(s *trace.State) int {
	var alts []trace.Alt
	if len(s.Alts) > 1 {
		alts = slices.Clone(s.Alts)
	}
	c.could = append(c.could, alts)
	return c.script.Choose(s)
}
