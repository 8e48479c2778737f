package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Measured is an executor that measures how long goroutines are held up in its executions.
type Measured struct {
	Executor
	Claims *Claims // what is known of the program's loops; nil: nothing yet
	meter  delay.Meter
	open   []openClaim // of the execution whose delay was asked for last
}

type openClaim struct {
	delay.Claim
	key claim
}

// Execute implements Executor.
func (m *Measured) Execute(c trace.Chooser, sites bool) *trace.Execution {
	m.meter.Begin(c)
	return m.Executor.Execute(&m.meter, sites)
}

// Delay returns the delay of x, the latest execution. An unknown claim does not hold; Settle finds
// out.
func (m *Measured) Delay(x *trace.Execution) delay.Delay {
	if m.Claims == nil {
		m.Claims = NewClaims()
	}
	m.open = m.open[:0]
	return m.meter.Delay(x, func(c delay.Claim) bool {
		k := claimOf(x, c)
		holds, known := m.Claims.ask(k)
		if !known {
			m.open = append(m.open, openClaim{c, k})
		}
		return holds
	})
}

// Settle runs executions that begin with the choices of alts, to find out what the delay depends
// on. It returns false if that was known.
func (m *Measured) Settle(alts []trace.Alt) bool {
	open := slices.Clone(m.open)
	for _, c := range open {
		m.Claims.settle(m.Executor, alts[:c.At], c.Claim, c.key)
	}
	return len(open) > 0
}

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

// delays has the least delays of outcomes and findings.
type delays struct {
	counted
	meter      *Measured   // nil: delays are not measured
	candidates []candidate // that may need less than is known, shown by the execution counted last
	measured   int         // executions that were run again for their traces' delays
	unsettled  []trace.Alt // the execution counted last, if claims about its loops are not settled
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

// measure finds out whether x, which was counted last, shows an outcome or a finding with less
// delay than was known. It returns the earliest order of its trace if that is to be looked at, too.
func (m *delays) measure(x *trace.Execution) (earliest []trace.Alt) {
	if len(m.candidates) == 0 {
		return nil
	}
	d, most := m.meter.Delay(x), measureAtLeast+m.result.Executions/measureEach
	if len(m.meter.open) > 0 && m.measured <= most {
		m.unsettled = Made(x)
		return nil
	}
	m.improve(d, x)
	if d.Least == 0 || m.measured > most {
		return nil
	}
	if earliest = m.meter.Earliest(x); slices.Equal(earliest, Made(x)) {
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

// measureTrace runs the earliest order of the trace of the execution that was counted last, if
// there is one to look at, and enters its delay.
func (r *Exploration) measureTrace(earliest []trace.Alt) {
	if r.unsettled != nil {
		earliest = r.settleClaims()
	}
	if earliest != nil {
		r.measured++
		r.measuring = true
		if x := r.ex.Execute(&Script{Alts: earliest}, false); x.End != trace.Cut {
			r.improve(r.meter.Delay(x), x)
		}
	}
	r.candidates = r.candidates[:0]
	r.measuring = false
}

// settleClaims finds out what the delay of the execution that was counted last depends on, and
// measures it. It returns the earliest order of its trace if that is to be looked at, too.
func (r *Exploration) settleClaims() (earliest []trace.Alt) {
	alts := r.unsettled
	r.unsettled = nil
	r.measured++
	r.measuring = true
	defer func() { r.measuring = false }()
	r.meter.Settle(alts)
	if r.stopped() {
		return nil
	}
	x := r.ex.Execute(&Script{Alts: alts}, false)
	if x.End == trace.Cut {
		return nil
	}
	r.meter.open = r.meter.open[:0]
	return r.measure(x)
}

// Claims has the knowledge of a program's loops: whether a process that has looked at one object
// again and again, in vain, would do so for ever. To find out, the process goes on alone.
//
// LIMITS: a loop of more than inVain rounds passes for one without end. A claim that holds at one
// step of a process holds at all of them. Objects are told apart by number: one that gets its
// number when it is first used may have that of another one in other executions.
type Claims struct {
	known map[claim]bool
}

// claim is a delay.Claim without the execution that it is about.
type claim struct {
	path  string // of the process
	step  int32  // anyStep: any
	kind  trace.Kind
	obj   int32
	cases int
}

const anyStep = -1

// inVain is how many steps in a row must change nothing so that a process goes round in vain.
const inVain = 200

// NewClaims returns Claims that know nothing.
func NewClaims() *Claims { return &Claims{map[claim]bool{}} }

func claimOf(x *trace.Execution, c delay.Claim) claim {
	return claim{x.Procs[c.Proc].Path, c.Step, c.Op.Kind, c.Op.Obj, len(c.Op.Cases)}
}

func (c *Claims) ask(k claim) (holds, known bool) {
	holds, known = c.known[k]
	k.step = anyStep
	if !holds && c.known[k] {
		return true, true
	}
	return holds, known
}

// settle finds out whether claim k, which is q after a prefix, holds. In the meantime k does not
// hold: the executor may never return.
func (c *Claims) settle(ex Executor, prefix []trace.Alt, q delay.Claim, k claim) {
	if _, known := c.ask(k); known {
		return
	}
	c.known[k] = false
	w := &lone{Script: Script{Alts: prefix}, proc: q.Proc}
	x := ex.Execute(w, false)
	k.step = anyStep
	if w.inVain || x.End == trace.Vain {
		c.known[k] = true
	}
}

// lone is a Script after which one process goes on alone, as long as it only looks.
type lone struct {
	Script
	proc   int32
	inVain bool // it has done so for inVain steps
}

// Choose implements trace.Chooser.
func (l *lone) Choose(s *trace.State) int {
	n := s.Depth - len(l.Alts)
	if n == 0 {
		l.inVain = false
	}
	switch e := s.Depth - 1; {
	case n < 0:
		return l.Script.Choose(s)
	case n > 0 && !(s.Events[e].Proc == l.proc && delay.Looks(&s.Events[e])):
		return -1
	case n == inVain:
		l.inVain = true
		return -1
	}
	for i := len(s.Alts) - 1; i >= 0; i-- {
		if a := &s.Alts[i]; a.Proc == l.proc && a.Partner < 0 {
			return i // a select's default is the last
		}
	}
	return -1
}
