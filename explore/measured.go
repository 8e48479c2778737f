package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Measured is an executor that measures for how long goroutines are held up in its executions.
type Measured struct {
	Executor
	meter delay.Meter
}

// Execute implements Executor.
func (m *Measured) Execute(c trace.Chooser, sites bool) *trace.Execution {
	m.meter.Begin(c)
	return m.Executor.Execute(&m.meter, sites)
}

// Delay is that of x, the latest execution.
func (m *Measured) Delay(x *trace.Execution) delay.Delay { return m.meter.Delay(x.Events) }

// Earliest returns the earliest order of x, the latest execution.
func (m *Measured) Earliest(x *trace.Execution) []trace.Alt {
	return delay.Earliest(x, m.meter.Firings())
}

// Each delay of a trace takes one execution more, so there is a bound: measureAtLeast, and one for
// each measureEach executions.
const (
	measureAtLeast = 64
	measureEach    = 4
)

// candidate is something that the execution that was counted last showed, and that may need less
// delay than is known.
type candidate struct {
	finding string // its identity; empty: it is an outcome
	n       int    // its number
}

// delayOf returns where the least delay of c is kept, and its schedule.
func (r *Exploration) delayOf(c candidate) (least *delay.Delay, choices *[]trace.Alt) {
	if c.finding == "" {
		o := &r.result.Outcomes[c.n]
		return &o.Delay, &o.Choices
	}
	f := &r.result.Findings[c.n]
	return &f.Delay, &f.Choices
}

// showed notes that the present execution has shown c.
func (r *Exploration) showed(c candidate, isNew bool) {
	if r.meter == nil {
		return
	}
	least, _ := r.delayOf(c)
	if isNew {
		*least = delay.Longest
	}
	if least.Least > 0 {
		r.candidates = append(r.candidates, c)
	}
}

// measure finds out whether x, which was counted last, shows something with less delay than was
// known. It returns the earliest order of its trace if that is to be looked at, too.
func (r *Exploration) measure(x *trace.Execution) (earliest []trace.Alt) {
	if len(r.candidates) == 0 {
		return nil
	}
	d := r.meter.Delay(x)
	r.improve(d, x)
	if d.Least == 0 || r.measured > measureAtLeast+r.result.Executions/measureEach {
		return nil
	}
	if earliest = r.meter.Earliest(x); slices.Equal(earliest, made(x)) {
		return nil
	}
	return earliest
}

// measureTrace runs the earliest order of a trace and does the same with it.
func (r *Exploration) measureTrace(earliest []trace.Alt) {
	if earliest != nil {
		r.measured, r.measuring = r.measured+1, true
		if x := r.ex.Execute(&Script{Alts: earliest}, false); x.End != trace.Cut {
			r.improve(r.meter.Delay(x), x)
		}
	}
	r.candidates, r.measuring = r.candidates[:0], false
}

// improve enters the delay of x where it is less than what was known.
func (r *Exploration) improve(d delay.Delay, x *trace.Execution) {
	for _, c := range r.candidates {
		least, choices := r.delayOf(c)
		if d.Better(*least) && r.shows(x, c) {
			*least, *choices = d, Choices(x)
			if c.finding != "" {
				r.result.Findings[c.n].Stage = r.stage
			}
		}
	}
}

// shows reports whether x shows c. The earliest order of a trace need not, if the trace ends in a
// crash: that comes before what was logged at the same time.
func (r *Exploration) shows(x *trace.Execution, c candidate) bool {
	if c.finding != "" {
		return shows(x, c.finding)
	}
	kind, _, _ := Judge(x)
	n, known := r.outcomes.index[hashOf(r.outcomeOf(x, kind))]
	return known && n == c.n
}

func shows(x *trace.Execution, identity string) bool {
	return slices.ContainsFunc(Problems(x), func(p Problem) bool { return p.Identity == identity })
}
