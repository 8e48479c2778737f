package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
)

// NewJoint returns auto that takes sends of equal values as one (Search.Equal), and gives up where
// that takes too much.
func NewJoint(o Options) explore.Strategy {
	o.Equal = true
	make := func() *optimal.Search {
		s := plainOptimal(o)
		s.Hasty, s.Bounded = true, true
		return s
	}
	if o.Symmetry {
		return NewAuto(NewSymmetric(make), o)
	}
	return NewAuto(make(), o)
}
