package strategy

import (
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Random takes each alternative with the same probability. It never ends by itself.
type Random struct{ rng *rand.Rand }

// NewRandom returns a source of executions that depends on seed alone.
func NewRandom(seed uint64) *Random { return &Random{rand.New(rand.NewPCG(seed, 0x7265686561727365))} }

// Begin implements explore.Strategy.
func (s *Random) Begin() bool { return true }

// Choose implements explore.Strategy.
func (s *Random) Choose(st *trace.State) int { return s.rng.IntN(len(st.Alts)) }

// End implements explore.Strategy.
func (s *Random) End(*trace.Execution) {}
