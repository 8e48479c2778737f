package search

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Held has the alternatives of a state that are held back, by number; it is empty if none is.
type Held []bool

// See takes down what f holds back in state s.
func (h *Held) See(s *trace.State, f *explore.Fair) {
	*h = (*h)[:0]
	for i := range s.Alts {
		if !f.Waits(&s.Alts[i]) {
			continue
		}
		if !h.Any() {
			*h = append(*h, make([]bool, len(s.Alts))...)
		}
		(*h)[i] = true
	}
}

// Any reports whether some alternative is held back.
func (h Held) Any() bool { return len(h) > 0 }

// Has reports whether alternative i is held back.
func (h Held) Has(i int) bool { return h.Any() && h[i] }

// Rivalled reports whether a process of a has another one of the alternatives, too. If a has ended
// an execution, it must not sleep then. When the other alternative is taken, a would be gone, and
// so would the end after the events that are still to be seen.
func Rivalled(alts []trace.Alt, a trace.Alt) bool {
	return slices.ContainsFunc(alts, func(b trace.Alt) bool {
		return b != a && (b.Involves(a.Proc) || a.Partner >= 0 && b.Involves(a.Partner))
	})
}

// Alone calls add for each partner of a that could also do something alone. If a is explored for
// one partner, the other one must be seen doing that.
func Alone(alts []trace.Alt, a trace.Alt, add func(proc int32)) {
	if a.Partner < 0 {
		return
	}
	for _, b := range alts {
		if b.Partner < 0 && a.Involves(b.Proc) {
			add(b.Proc)
		}
	}
}

// Takers returns s as the set of the processes that take part in an alternative of a state with n
// processes.
func (s Procset) Takers(alts []trace.Alt, n int) Procset {
	s = s.Empty(n)
	for _, a := range alts {
		s.Add(a.Proc)
		if a.Partner >= 0 {
			s.Add(a.Partner)
		}
	}
	return s
}

// LateOnes counts the alternatives of s, at the end, that are Late: firings of timers above all.
func LateOnes(s *trace.State) (n int) {
	for n < len(s.Alts) && s.Procs[s.Alts[len(s.Alts)-1-n].Proc].Kind.Late() {
		n++
	}
	return n
}
