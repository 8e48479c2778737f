package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// Reversals tells, for races of one execution, whether the second step could have come first.
type Reversals struct {
	x     *trace.Execution
	order Order
}

// ReversalsOf returns the Reversals of x.
func ReversalsOf(x *trace.Execution) *Reversals {
	v := &Reversals{x: x}
	for range x.Events {
		v.order.Add(x)
	}
	return v
}

// Possible reports whether the second step of r may be possible without the first. It is not if
// only the first enables it: a receive that waits for a close, or a Lock that waits for an Unlock.
func (v *Reversals) Possible(r Race) bool {
	e := v.second(r)
	if e.Partner >= 0 || e.Op.Kind == trace.Select || e.Kind == trace.WgWait || e.Kind.Late() ||
		len(v.x.Events) > MaxEvents {
		return true
	}
	if r.Second < 0 && e.Cap == 0 && (e.Kind == trace.Send || e.Kind == trace.Recv) {
		return true // it would meet somebody
	}
	c := Cut{X: v.x, Set: Set{Order: &v.order, From: r.First,
		In: make([]uint64, (len(v.x.Events)+63)>>6)}}
	for k := r.First + 1; int(k) < len(v.x.Events); k++ {
		if !v.order.Before(r.First, k) && k != r.Second && !v.order.Before(r.Second, k) {
			c.In[k>>6] |= 1 << (k & 63)
		}
	}
	return c.Foresee(&e) != Never
}

// second returns the second step as an event whose effect is not known.
func (v *Reversals) second(r Race) trace.Event {
	if r.Second >= 0 {
		return v.x.Events[r.Second]
	}
	op := v.x.Procs[r.Proc].Pending
	return trace.Event{Alt: trace.Alt{Proc: r.Proc, Partner: -1}, Op: op, Kind: op.Kind,
		Obj: op.Obj,
		Cap: op.Cap}
}
