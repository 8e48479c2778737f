package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds of the search for a passing neighbour of a failing execution.
const (
	maxTries = 400  // executions
	maxSteps = 5000 // of the failing execution
)

// nearest looks for a passing execution that leaves the failing one, made by alts, in a single step: it takes another
// alternative there and then runs on by itself. It finds the latest such step: after it, running on by itself no
// longer avoids the failure. ok is false if there is none, or none was found in time.
func (e *exploration) nearest(alts []trace.Alt) (p report.Parting, ok bool) {
	if len(alts) > maxSteps {
		return p, false
	}
	c := newScript(alts)
	c.record = true
	e.exec.Execute(c, false)
	tries := 0
	for i := min(len(alts), len(c.could)) - 1; i >= 0; i-- {
		for _, other := range c.could[i] {
			if tries++; tries > maxTries || e.suite.watch.stopped() {
				return p, false
			}
			if p, ok = e.turn(alts, i, other); ok {
				return p, true
			}
		}
	}
	return p, false
}

// turn makes the first i choices of alts, then another one, and runs on; ok reports that this passes.
func (e *exploration) turn(alts []trace.Alt, i int, other trace.Alt) (p report.Parting, ok bool) {
	if other == alts[i] {
		return p, false
	}
	c := newScript(append(slices.Clone(alts[:i]), other))
	x := e.exec.Execute(c, true)
	if c.missed >= 0 || !passes(x) || len(x.Events) <= i {
		return p, false
	}
	p = report.Parting{Step: i, Instead: trace.ChoiceOf(&x.Events[i], x.Procs)}
	if i < len(x.Sites) {
		p.Site = x.Sites[i]
	}
	return p, true
}
