// Package seen counts what searches see of programs in the micro language, so that tests compare a
// search with another one, or with the same that is divided.
package seen

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Seen is what a search saw of a program.
type Seen struct {
	Executions, Blocked, Crashes int
	Outcomes                     map[string]int
	Traces                       map[uint64]int
	Long                         bool // it was ended
}

// New returns what is seen at the beginning.
func New() *Seen { return &Seen{Outcomes: map[string]int{}, Traces: map[uint64]int{}} }

// Whole explores in one process, up to a number of executions.
func Whole(m *micro.Machine, s explore.Strategy, most int) *Seen {
	r := New()
	for s.Begin() {
		if r.Executions+r.Blocked >= most {
			r.Long = true
			return r
		}
		r.Step(m, s)
	}
	return r
}

// Step runs one execution of s, and counts it.
func (r *Seen) Step(m *micro.Machine, s explore.Strategy) {
	x := m.Execute(s, false)
	s.End(x)
	if x.End == trace.Cut {
		r.Blocked++
		return
	}
	r.Executions++
	for _, p := range explore.Problems(x) {
		r.Outcomes[p.Identity]++
	}
	if x.End == trace.Crashed || x.End == trace.Exited {
		// which process it is that makes a counter negative is not promised
		if r.Crashes++; x.Crash == nil || !strings.Contains(x.Crash.Text, "negative") {
			r.Outcomes[fmt.Sprint("it ends: ", x.ExitCode, x.Log)]++
		}
		return
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	r.Traces[o.Hash()]++
	r.Outcomes[m.Observed()]++
}

// Add counts what another search has counted.
func (r *Seen) Add(p *Seen) {
	r.Executions, r.Blocked, r.Crashes = r.Executions+p.Executions, r.Blocked+p.Blocked,
		r.Crashes+p.Crashes
	for o, n := range p.Outcomes {
		r.Outcomes[o] += n
	}
	for h, n := range p.Traces {
		r.Traces[h] += n
	}
}
