package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// SetDelay says who must be held up so that x, which shows f, comes about.
func (f *Finding) SetDelay(d delay.Delay, x *trace.Execution, at *Places) {
	f.Delay = d.Least
	n := newNames(x, at)
	for _, h := range d.Holds {
		f.Held = append(f.Held, Held{n.proc(h.Proc), x.Procs[h.Proc].Path, h.For})
	}
}

// maxHeld bounds the goroutines that a line names.
const maxHeld = 3

// Condition is "if (*Store).load is held up for 30ms"; empty if nobody must be.
func (f *Finding) Condition() string {
	if len(f.Held) == 0 {
		return ""
	}
	var list []string
	for i, h := range f.Held {
		switch {
		case i == maxHeld:
			list = append(list, fmt.Sprintf("%d more", len(f.Held)-i))
		case i < maxHeld:
			list = append(list, fmt.Sprintf("%s for %v", h.Name, rounded(h.For)))
		}
	}
	text := strings.Replace(list[0], " for ", " is held up for ", 1)
	if n := len(list); n > 1 {
		text = strings.Join(append([]string{text}, list[1:n-1]...), ", ") + " and " + list[n-1]
	}
	return "if " + text
}

// rounded leaves three digits or so.
func rounded(d time.Duration) time.Duration {
	for unit := time.Second; unit > 1; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 1000)
		}
	}
	return d
}

// slow lists the findings that need more delay than fails the test.
func (t *Text) slow(r *Test) {
	for i, f := range r.Slow {
		if i == maxFindings {
			t.printf("    ... and %d more that are slow\n", len(r.Slow)-i)
			return
		}
		t.printf("    slow  %s: %s (%s) %s\n", r.Name, f.Kind, cut(oneLine(t.brief(f)), 100), f.Condition())
		t.processes(f)
		if f.Schedule != "" {
			t.printf("        replay   rehearse replay %s\n", t.schedulePath(f.Schedule))
		}
	}
}

// summary is "; 40 more with timers that fire up to 1s early".
func (e *Early) summary() string {
	s := fmt.Sprintf("; %s more with timers that fire up to %v early", plural(e.Executions, "execution"), rounded(e.UpTo))
	if !e.Complete {
		s += ", incomplete"
	}
	return s
}
