package refine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Difference is a path that one side has and the other has not.
type Difference struct {
	Script *Script
	Path   Path
	Async  bool // asynchronous clients see one, too
	// some execution of the script was ended by the bound on steps
	Stepped bool
	Waited  time.Duration // the longest that an execution of the script took to show all it did
	Never   string        // what the other side does instead, after the path but its last step
	Instead []Value       // the same, as values
	// The observer looks for any other value than these in the last step: the path's own value is
	// drawn, and differs from test to test.
	Other bool

	Unproven string // why there is no observer
	Kept     string // the file of the package that it has become; empty: nobody has asked
	Observer string // the file of the test that sees it
	Schedule string // of an execution in which that test fails
	Passes   int    // executions of the test on the side that lacks the path: all
	Endless  bool   // in some of them the component goes on for ever, and the test waits
	Fails    int    // executions until it has failed on the other one
}

// Doubt takes a difference back, into a note: the budget let its observer say nothing.
func (r *Result) Doubt(d *Difference) {
	lacks := "OLD"
	if r.New == d {
		r.New = nil
	} else {
		r.Old, lacks = nil, "NEW"
	}
	steps := make([]string, len(d.Path))
	for i, step := range d.Path {
		steps[i] = strings.TrimSpace(step.Kind.Word() + " " + step.Text(d.Script, r.Interface))
	}
	const text = "%s seems to lack this path, and no test has confirmed it: %s"
	r.Notes = append(r.Notes, fmt.Sprintf(text, lacks, strings.Join(steps, ", ")))
	r.Complete, r.Reason = false,
		cmp.Or(r.Reason, "the observer of a difference could not be run in all orders")
	r.Relation = related(r.New != nil, r.Old != nil)
	if r.Relation == Equivalent {
		r.Relation, r.Async = Unknown, Unknown
	}
}

// Otherwise makes the observer look for any value except those of the other side, if all of them
// are data. It reports whether they are.
func (d *Difference) Otherwise() bool {
	last := d.Path[len(d.Path)-1]
	data := func(v Value) bool {
		return len(v.Names) == 0 && len(v.Plain) > 0 && !slices.Contains(v.Plain, "")
	}
	d.Other = !d.Script.Bags && len(d.Instead) > 0 &&
		(last.Kind == Return || last.Kind == Received) && data(last.out) &&
		!slices.ContainsFunc(d.Instead, func(v Value) bool { return !data(v) })
	return d.Other
}
