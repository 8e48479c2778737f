package delay

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Meter is a chooser that watches the clock while another one makes the choices. It is for one execution after the other.
type Meter struct {
	chooser trace.Chooser
	firings []int32
	moments []Moment
}

// Begin makes m ready for an execution in which c makes the choices.
func (m *Meter) Begin(c trace.Chooser) {
	m.chooser, m.firings, m.moments = c, m.firings[:0], m.moments[:0]
}

// Choose implements trace.Chooser.
func (m *Meter) Choose(s *trace.State) int {
	i := m.chooser.Choose(s)
	if moves := len(s.Alts) - s.Moves; i >= moves && i < len(s.Alts) && s.Next > s.Now {
		m.firings = append(m.firings, int32(s.Depth))
		m.note(s, moves)
	}
	return i
}

// note notes who could have moved.
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

// declared copies an operation, whose memory is used again.
func declared(op *trace.Op) trace.Op {
	kept := *op
	kept.Cases = slices.Clone(op.Cases)
	return kept
}

// Delay is that of the execution, which consists of events.
func (m *Meter) Delay(events []trace.Event) Delay { return Of(events, m.moments) }

// Firings are the events of the execution that moved the clock. The slice is valid until the next one.
func (m *Meter) Firings() []int32 { return m.firings }
