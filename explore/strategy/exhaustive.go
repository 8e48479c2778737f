package strategy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Exhaustive is the naive depth-first search through all alternatives: the oracle for all other strategies, on small
// programs.
type Exhaustive struct {
	path  []branch
	fresh bool // nothing has run yet
}

// branch is a state on the current path.
type branch struct {
	taken int       // index of the alternative
	of    int       // how many there are
	alt   trace.Alt // the alternative, for mismatches
}

// NewExhaustive returns the search before its first execution.
func NewExhaustive() *Exhaustive { return &Exhaustive{fresh: true} }

// Begin implements explore.Strategy.
func (s *Exhaustive) Begin() bool {
	if s.fresh {
		s.fresh = false
		return true
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		if b := &s.path[i]; b.taken+1 < b.of {
			b.taken++
			b.alt.Proc = -1
			s.path = s.path[:i+1]
			return true
		}
	}
	return false
}

// Choose implements explore.Strategy.
func (s *Exhaustive) Choose(st *trace.State) int {
	if st.Depth == len(s.path) {
		s.path = append(s.path, branch{of: len(st.Alts), alt: trace.Alt{Proc: -1}})
	}
	b := &s.path[st.Depth]
	if b.alt.Proc < 0 && b.taken < len(st.Alts) {
		b.alt = st.Alts[b.taken]
	}
	if b.of != len(st.Alts) || st.Alts[b.taken] != b.alt {
		panic(explore.Mismatch{Depth: st.Depth, Want: fmt.Sprintf("%d alternatives, of them %v", b.of, b.alt), Got: fmt.Sprint(st.Alts)})
	}
	return b.taken
}

// End implements explore.Strategy.
func (s *Exhaustive) End(*trace.Execution) {}

// Planned counts the alternatives on the current path that are still to be explored.
func (s *Exhaustive) Planned() int {
	n := 0
	for i := range s.path {
		n += s.path[i].of - s.path[i].taken - 1
	}
	return n
}
