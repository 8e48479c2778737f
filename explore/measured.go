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

// delays are the least delays of what has been shown.
type delays struct {
	counted
	meter      *Measured   // nil: delays are not measured
	candidates []candidate // that may need less than is known, shown by the execution counted last
	measured   int         // executions that were run again for their traces' delays
}

// delayOf returns where the least delay of c is kept, and its schedule.
func (m *delays) delayOf(c candidate) (least *delay.Delay, choices *[]trace.Alt) {
	if c.finding == "" {
		o := &m.result.Outcomes[c.n]
		return &o.Delay, &o.Choices
	}
	f := &m.result.Findings[c.n]
	return &f.Delay, &f.Choices
}

// showed notes that the execution that was counted last has shown something.
func (m *delays) showed(s showing) {
	if m.meter == nil {
		return
	}
	least, _ := m.delayOf(s.candidate)
	if s.isNew {
		*least = delay.Longest
	}
	if least.Least > 0 {
		m.candidates = append(m.candidates, s.candidate)
	}
}

// measure finds out whether x, which was counted last, shows something with less delay than was
// known. It returns the earliest order of its trace if that is to be looked at, too.
func (m *delays) measure(x *trace.Execution) (earliest []trace.Alt) {
	if len(m.candidates) == 0 {
		return nil
	}
	d := m.meter.Delay(x)
	m.improve(d, x)
	if d.Least == 0 || m.measured > measureAtLeast+m.result.Executions/measureEach {
		return nil
	}
	if earliest = m.meter.Earliest(x); slices.Equal(earliest, made(x)) {
		return nil
	}
	return earliest
}

// improve enters the delay of x where it is less than what was known.
func (m *delays) improve(d delay.Delay, x *trace.Execution) {
	for _, c := range m.candidates {
		least, choices := m.delayOf(c)
		if d.Better(*least) && m.shows(x, c) {
			*least, *choices = d, Choices(x)
			if c.finding != "" {
				m.result.Findings[c.n].Stage = m.stage
			}
		}
	}
}

// shows reports whether x shows c. The earliest order of a trace need not, if the trace ends in a
// crash: that comes before what was logged at the same time.
func (m *delays) shows(x *trace.Execution, c candidate) bool {
	if c.finding != "" {
		return shows(x, c.finding)
	}
	kind, _, _ := Judge(x)
	n, known := m.outcomes.find(rankOf(kind, m.outcomeOf(x, kind)))
	return known && n == c.n
}

func shows(x *trace.Execution, identity string) bool {
	return slices.ContainsFunc(Problems(x), func(p Problem) bool { return p.Identity == identity })
}
