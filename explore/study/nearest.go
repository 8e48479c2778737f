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
)

// Partings compares f with the nearest passing execution: the one that the minimisation met, or
// else one that is looked for here. It is empty if none is known. passing is that execution.
func (d *Desk) Partings(f *explore.Finding) (list []depict.Parting, passing *depict.Beside) {
	if d.Why() != "" {
		return nil, nil
	}
	if i := firstDifference(f.Choices, f.Passing); i >= 0 {
		if x := d.Show(f.Passing); i < len(x.Events) { // else it was stopped
			return []depict.Parting{d.parting(x, i)}, depict.NewBeside(x)
		}
		return nil, nil
	}
	if p, passing, ok := d.nearest(f.Choices); ok {
		return []depict.Parting{p}, passing
	}
	return nil, nil
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
// step, after which going onward no longer avoids the failure. ok is false if no such step was
// found in time.
func (d *Desk) nearest(alts []trace.Alt) (p depict.Parting, passing *depict.Beside,
	ok bool) {
	if len(alts) > maxTurned {
		return p, nil, false
	}
	c, ex := &recorder{script: explore.Script{Alts: alts}}, explore.Bound(d.Exec, d.Enough())
	ex.Execute(c, false)
	tries := 0
	for i := min(len(alts), len(c.could)) - 1; i >= 0; i-- {
		for _, other := range c.could[i] {
			if tries++; tries > maxTries || ex.Over() {
				return p, nil, false
			}
			if p, passing, ok = d.turn(ex, alts, i, other); ok {
				return p, passing, true
			}
		}
	}
	return p, nil, false
}

// turn makes the first i choices of alts, then another one, and goes onward; ok reports that this
// passes.
func (d *Desk) turn(ex explore.Executor, alts []trace.Alt, i int,
	other trace.Alt) (p depict.Parting, passing *depict.Beside, ok bool) {
	if other == alts[i] {
		return p, nil, false
	}
	c := &explore.Script{Alts: append(slices.Clone(alts[:i]), other)}
	x := ex.Execute(c, true)
	if _, _, ok := explore.Judge(x); !ok || c.Missed > 0 || x.End == trace.Cut || x.Never ||
		len(x.Events) <= i {
		return p, nil, false
	}
	return d.parting(x, i), depict.NewBeside(x), true
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
