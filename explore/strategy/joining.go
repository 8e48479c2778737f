package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// NewJoint returns auto that takes sends of equal values as one (Optimal.Equal), and gives up where
// that takes too much.
func NewJoint(o Options) explore.Strategy {
	o.Equal = true
	make := func() *Optimal {
		s := plainOptimal(o)
		s.hasty, s.bounded = true, true
		return s
	}
	if o.Symmetry {
		return NewAuto(NewSymmetric(make), o)
	}
	return NewAuto(make(), o)
}

// GaveUp reports whether the search has left something out that another one would not: it takes too
// much work, or memory.
func (d *Optimal) GaveUp() bool { return d.over || d.full || d.leavesOut() }

// Name is what people call it.
func (d *Optimal) Name() string { return "optimal" }

// HashOf returns the hash of the trace of x, as the search sees it.
func (d *Optimal) HashOf(o *depend.Order, x *trace.Execution) uint64 {
	if d.observed {
		o.Observe(x, d.least, d.joining)
		return o.Hash()
	}
	return hashOf(o, x)
}

// HashOf is that of the search.
func (y *Symmetric) HashOf(o *depend.Order, x *trace.Execution) uint64 {
	if s, ok := y.search.(*Optimal); ok {
		return s.HashOf(o, x)
	}
	return hashOf(o, x)
}

// GaveUp is that of the search.
func (y *Symmetric) GaveUp() bool {
	s, ok := y.search.(*Optimal)
	return ok && s.GaveUp()
}

// GaveUp is that of the systematic search.
func (a *Auto) GaveUp() bool {
	s, ok := a.systematic.(interface{ GaveUp() bool })
	return ok && s.GaveUp()
}

// Joints are those of the systematic search, if it knows of them.
func (a *Auto) Joints() map[int32]int {
	if s, ok := a.systematic.(interface{ Joints() map[int32]int }); ok {
		return s.Joints()
	}
	return nil
}

// Unseen is what the systematic search says, if it knows of such events.
func (a *Auto) Unseen() int {
	if s, ok := a.systematic.(interface{ Unseen() int }); ok {
		return s.Unseen()
	}
	return 0
}

// Repeats reports whether the last execution was redundant to the systematic search.
func (a *Auto) Repeats() bool {
	r, ok := a.systematic.(interface{ Repeats() bool })
	return ok && !a.sampling && r.Repeats()
}
