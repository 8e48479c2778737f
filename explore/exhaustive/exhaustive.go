// Package exhaustive is the naive depth-first search: the oracle of all other strategies.
package exhaustive

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the naive depth-first search through all alternatives: the oracle for all other
// strategies, on small programs. Only endless polling is bounded: see explore.Fair.
type Search struct {
	path  []branch
	order depend.Order
	fresh bool // nothing has run yet
	fair  explore.Fair
	spun  bool // an alternative was held back
}

// branch is a state on the current path.
type branch struct {
	taken int // index of the alternative
	of    int // how many there are
	held  search.Held
	alt   trace.Alt // the alternative, for mismatches
}

// advance moves b to the next alternative that is not held back, and reports whether there is one.
func (b *branch) advance() bool {
	for b.taken++; b.taken < b.of; b.taken++ {
		if !b.held.Has(b.taken) {
			b.alt.Proc = -1
			return true
		}
	}
	return false
}

// New returns the search before its first execution.
func New() *Search { return &Search{fresh: true} }

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (s *Search) SetSpins(n int) { s.fair.Bound = n }

// Begin implements explore.Strategy.
func (s *Search) Begin() bool {
	s.fair.Reset()
	if s.fresh {
		s.fresh = false
		return true
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i].advance() {
			s.path = s.path[:i+1]
			s.order.Rewind(i)
			return true
		}
	}
	return false
}

// Choose implements explore.Strategy.
func (s *Search) Choose(st *trace.State) int {
	s.fair.See(st)
	if st.Depth == len(s.path) {
		s.path = append(s.path, s.newBranch(st))
	}
	b := &s.path[st.Depth]
	if b.alt.Proc < 0 && b.taken < len(st.Alts) {
		b.alt = st.Alts[b.taken]
	}
	if b.of != len(st.Alts) || st.Alts[b.taken] != b.alt {
		panic(explore.Mismatch{Depth: st.Depth,
			Want: fmt.Sprintf("%d alternatives, of them %v", b.of, b.alt),
			Got:  fmt.Sprint(st.Alts)})
	}
	return b.taken
}

func (s *Search) newBranch(st *trace.State) branch {
	b := branch{taken: -1, of: len(st.Alts)}
	b.held.See(st, &s.fair)
	s.spun = s.spun || b.held.Any()
	b.advance()
	b.alt.Proc = -1
	return b
}

// End implements explore.Strategy.
func (s *Search) End(x *trace.Execution) {
	for s.order.Len() < len(x.Events) {
		s.order.Add(x)
	}
}

// planned counts the alternatives on the current path that are still to be explored.
func (s *Search) planned() int {
	n := 0
	for i := range s.path {
		for b := s.path[i]; b.advance(); {
			n++
		}
	}
	return n
}

// Last implements explore.Strategy.
func (s *Search) Last() explore.Last { return explore.Last{Hash: s.order.Hash(), Hashed: true} }

// Summary implements explore.Strategy.
func (s *Search) Summary() explore.Summary {
	return explore.Summary{Partial: search.SpinBound(s.spun, &s.fair), Planned: s.planned()}
}
