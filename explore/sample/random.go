// Package sample has the randomised strategies: plain random walks, priorities (PCT), partial order
// sampling (POS) and selectively uniform random walks (SURW). None ends by itself.
//
// Vocabulary: a sample is an execution that a randomised strategy makes.
//
// Guarantees: the choices of a strategy are a function of the states and executions that it was
// shown, and of the seed.
package sample

import (
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Random takes each alternative that is not held back with the same probability. It never ends by
// itself.
type Random struct{ Walk }

// NewRandom returns a source of executions that depends on seed alone.
func NewRandom(seed uint64) *Random { return &Random{NewWalk(seed)} }

// Choose implements explore.Strategy.
func (r *Random) Choose(s *trace.State) int {
	r.See(s)
	return r.Open[r.Rng.IntN(len(r.Open))]
}
