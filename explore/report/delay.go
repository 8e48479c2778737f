package report

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore/depict"
)

// slow lists the findings that need more delay than fails the test.
func (t *Text) slow(r *Test) {
	for i, f := range r.Slow {
		if i == maxFindings {
			t.printf("    ... and %d more that are slow\n", len(r.Slow)-i)
			return
		}
		t.printf("    slow  %s: %s (%s) %s\n", r.Name, f.Kind,
			depict.Cut(depict.OneLine(t.brief(f)), 100), f.Condition())
		t.processes(f)
		if f.Schedule != "" {
			t.printf("        replay   rehearse replay %s\n", t.schedulePath(f.Schedule))
		}
	}
}

// summary is "; 40 more with timers that fire up to 1s early".
func (e *Early) summary() string {
	s := fmt.Sprintf("; %s more with timers that fire up to %v early",
		depict.Plural(e.Executions, "execution"), depict.Rounded(e.UpTo))
	if !e.Complete {
		s += ", incomplete"
	}
	return s
}
