package primitive

import "github.com/rehearse-go/rehearse/runtime/trace"

// Scene is what all processes have declared.
type Scene[V any] struct {
	Ops    []*trace.Op // by process; nil for one that has ended
	Object func(obj int32) *Object[V]
	// Mail lists what case index of process i can do with a mailbox, and whether that is all; nil:
	// there are no mailboxes
	Mail func(alts []trace.Alt, i, index int32, c trace.Case) ([]trace.Alt, bool)
	// Shut reports whether an operation that is not known here cannot be done; nil: there are none
	Shut func(op *trace.Op) bool
}

// Alternatives appends what is enabled.
func (s *Scene[V]) Alternatives(alts []trace.Alt) []trace.Alt {
	for i, op := range s.Ops {
		switch {
		case op == nil:
		case op.Kind == trace.Select:
			alts = s.choices(alts, int32(i), op)
		case IsComm(op.Kind):
			c := trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}
			alts = s.communications(alts, int32(i), 0, c, true)
		case op.Kind.Hidden():
			for v := range op.N {
				alts = trace.Alone(alts, int32(i), v)
			}
		case s.Shut != nil && op.Obj >= 0 && s.Shut(op):
		case op.Obj < 0 || s.Object(op.Obj).Ready(op):
			alts = trace.Alone(alts, int32(i), 0)
		}
	}
	return alts
}

// IsComm reports whether k is a send or a receive.
func IsComm(k trace.Kind) bool { return k == trace.Send || k == trace.Recv }

// choices appends what process i can do in a select.
func (s *Scene[V]) choices(alts []trace.Alt, i int32, op *trace.Op) []trace.Alt {
	ready := false
	for j, c := range op.Cases {
		n := len(alts)
		alts = s.communications(alts, i, int32(j), c, !op.Default)
		ready = ready || len(alts) > n && alts[n].Partner < 0
	}
	if op.Default && !ready {
		alts = trace.Alone(alts, i, -1)
	}
	return alts
}

// communications appends what process i can do by case index. A select with a default is not
// blocking: it meets only processes that wait already.
func (s *Scene[V]) communications(alts []trace.Alt, i, index int32, c trace.Case,
	blocking bool) []trace.Alt {
	if c.Obj < 0 {
		return alts
	}
	if s.Mail != nil {
		if alts, all := s.Mail(alts, i, index, c); all {
			return alts
		}
	}
	o := s.Object(c.Obj)
	switch {
	case o.Closed, c.Kind == trace.Recv && len(o.Buf) > 0,
		c.Kind == trace.Send && len(o.Buf) < int(c.Cap):
		return trace.Alone(alts, i, index)
	case c.Kind == trace.Send && c.Cap == 0:
		return s.partners(alts, i, index, c.Obj, blocking)
	}
	return alts
}

// partners appends the processes that can take what process i sends.
func (s *Scene[V]) partners(alts []trace.Alt, i, index, obj int32, blocking bool) []trace.Alt {
	for j, op := range s.Ops {
		switch {
		case int32(j) == i || op == nil:
		case op.Kind == trace.Recv && op.Obj == obj:
			alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: int32(j)})
		case op.Kind == trace.Select && (blocking || !op.Default):
			for n, c := range op.Cases {
				if c.Kind == trace.Recv && c.Obj == obj {
					alts = append(alts, trace.Alt{Proc: i, Case: index, Partner: int32(j),
						PartnerCase: int32(n)})
				}
			}
		}
	}
	return alts
}
