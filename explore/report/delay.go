package report

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
)

// slow lists the findings that need more delay than fails the test.
func (t *Text) slow(r *Test) {
	for i, f := range r.Slow {
		if i == maxFindings {
			t.printf("    ... and %d more that are slow\n", len(r.Slow)-i)
			return
		}
		t.printf("    slow  %s: %s (%s) %s\n", r.Name, f.Kind, gist(f), f.Condition())
		t.processes(f)
		if f.Schedule != "" {
			t.printf("        replay   rehearse replay %s\n", t.schedulePath(f.Schedule))
		}
	}
}

// Shown has the findings and outcomes of several searches.
type Shown struct {
	Findings []explore.Finding
	Outcomes []explore.Outcome
}

// Add adds those of r. Of one that is there already, the execution with the better delay stays.
func (s *Shown) Add(r *explore.Result) {
	for _, g := range r.Findings {
		i := slices.IndexFunc(s.Findings, func(h explore.Finding) bool {
			return h.Identity == g.Identity
		})
		switch {
		case i < 0:
			s.Findings = append(s.Findings, g)
		case g.Delay.Better(s.Findings[i].Delay):
			g.Count += s.Findings[i].Count
			s.Findings[i] = g
		default:
			s.Findings[i].Count += g.Count
		}
	}
	for _, o := range r.Outcomes {
		i := slices.IndexFunc(s.Outcomes, func(p explore.Outcome) bool {
			return p.Kind == o.Kind && p.Log == o.Log
		})
		if i < 0 {
			s.Outcomes = append(s.Outcomes, o)
			continue
		}
		s.Outcomes[i].Count += o.Count
		if o.Delay.Better(s.Outcomes[i].Delay) {
			s.Outcomes[i].Delay = o.Delay
		}
	}
}

// HasAllOf reports whether r has all findings and outcomes of s.
func (r *Test) HasAllOf(s *explore.Result) bool {
	for i := range s.Findings {
		if !r.HasFinding(&s.Findings[i]) {
			return false
		}
	}
	for i := range s.Outcomes {
		if !r.HasOutcome(&s.Outcomes[i]) {
			return false
		}
	}
	return true
}

// HasFinding reports whether f is a finding of r.
func (r *Test) HasFinding(f *explore.Finding) bool {
	return slices.ContainsFunc(r.Findings, func(g *depict.Finding) bool {
		return g.Identity == f.Identity
	})
}

// HasOutcome reports whether o is an outcome of r.
func (r *Test) HasOutcome(o *explore.Outcome) bool {
	return slices.ContainsFunc(r.Outcomes, func(p explore.Outcome) bool {
		return p.Kind == o.Kind && p.Log == o.Log
	})
}

// summary is "; 40 more with timers that fire up to 1s early".
func (e *Early) summary() string {
	s := fmt.Sprintf("; %s more with timers that fire up to %v early",
		words.Plural(e.Executions, "execution"), words.Rounded(e.UpTo))
	if !e.Complete {
		s += ", incomplete"
	}
	return s
}
