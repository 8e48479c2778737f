package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
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
