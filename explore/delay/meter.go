package delay

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Meter is a chooser that watches the clock while another one makes the choices. It is for one
// execution after the other.
type Meter struct {
	chooser trace.Chooser
	firings []int32
	moments []Moment
	came    []came // by process
}

// came is the moment at which a process has declared its operation: the time, and the number of
// events until then.
type came struct {
	at    int64
	since int32
}

// Begin makes m ready for an execution in which c makes the choices.
func (m *Meter) Begin(c trace.Chooser) {
	m.chooser, m.firings, m.moments, m.came = c, m.firings[:0], m.moments[:0], m.came[:0]
}

// Choose implements trace.Chooser.
func (m *Meter) Choose(s *trace.State) int {
	m.arrive(s)
	i := m.chooser.Choose(s)
	if i >= 0 && i < len(s.Alts) && s.Alts[i].Case < 0 {
		m.miss(s, &s.Alts[i])
	}
	if moves := len(s.Alts) - s.Moves; i >= moves && i < len(s.Alts) && s.Next > s.Now {
		m.firings = append(m.firings, int32(s.Depth))
		m.note(s, moves)
	}
	return i
}

// arrive notes the processes that have declared an operation since the state before.
func (m *Meter) arrive(s *trace.State) {
	now := came{s.Now, int32(s.Depth)}
	for len(m.came) < len(s.Procs) {
		m.came = append(m.came, now)
	}
	if s.Depth > 0 {
		e := &s.Events[s.Depth-1]
		if m.came[e.Proc] = now; e.Partner >= 0 {
			m.came[e.Partner] = now
		}
	}
}

// miss notes the processes that a select misses when it takes its default although they already
// wait: they must be late.
func (m *Meter) miss(s *trace.State, a *trace.Alt) {
	for q, op := range s.Procs {
		if c := m.came[q]; op != nil && int32(q) != a.Proc && c.at < s.Now &&
			meets(s.Procs[a.Proc].Cases, op) {
			m.moments = append(m.moments,
				Moment{At: int32(s.Depth), By: s.Now - c.at, Late: int32(q) + 1,
					Since: c.since})
		}
	}
}

// meets reports whether op waits to be the other side of one of the cases, on a channel without a
// buffer.
func meets(cases []trace.Case, op *trace.Op) bool {
	other := func(c trace.Case) bool {
		return c.Obj >= 0 && c.Cap == 0 && slices.ContainsFunc(cases, func(d trace.Case) bool {
			return d.Obj == c.Obj && d.Kind != c.Kind
		})
	}
	switch op.Kind {
	case trace.Send, trace.Recv:
		return other(trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	case trace.Select:
		return !op.Default && slices.ContainsFunc(op.Cases, other)
	}
	return false
}

// note notes the alternatives of processes.
func (m *Meter) note(s *trace.State, moves int) {
	at := Moment{At: int32(s.Depth), By: s.Next - s.Now, Alone: s.Alone}
	for _, a := range s.Alts[:moves] {
		op := s.Procs[a.Proc]
		if op.Kind == trace.Fire {
			continue // in a bubble
		}
		v := Mover{Alt: a, Op: declared(op)}
		if a.Partner >= 0 {
			v.PartnerOp = declared(s.Procs[a.Partner])
		}
		at.Movers = append(at.Movers, v)
	}
	if len(at.Movers) > 0 || at.Alone {
		m.moments = append(m.moments, at)
	}
}

// declared copies an operation, because its memory is used again.
func declared(op *trace.Op) trace.Op {
	kept := *op
	kept.Cases = slices.Clone(op.Cases)
	return kept
}

// Delay returns the delay of x, the execution that m has watched. holds says whether a claim holds.
func (m *Meter) Delay(x *trace.Execution, holds func(Claim) bool) Delay {
	return Of(x, m.moments, holds)
}

// Firings are the events of the execution that moved the clock. The slice is valid until the next
// one.
func (m *Meter) Firings() []int32 { return m.firings }
