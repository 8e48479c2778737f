// Package sample has the randomised strategies: plain random walks, priorities (PCT), partial order
// sampling (POS) and selectively uniform random walks (SURW). None ends by itself.
//
// Vocabulary: a sample is an execution that a randomised strategy makes.
//
// Guarantees: what a strategy does is a function of what it was shown, and of the seed.
package sample

import (
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Random takes each alternative that is not held back with the same probability. It never ends by
// itself.
type Random struct{ walk }

// NewRandom returns a source of executions that depends on seed alone.
func NewRandom(seed uint64) *Random { return &Random{newWalk(seed)} }

// Choose implements explore.Strategy.
func (r *Random) Choose(s *trace.State) int {
	r.see(s)
	return r.open[r.rng.IntN(len(r.open))]
}

// walk is what the randomised strategies share: the source of chance, and explore.Fair. Nothing
// about it is complete, so nothing has to be said of what is held back.
//
// A priority may keep a process waiting for long, and some bugs need that: a process has to come
// after another one has gone through a loop of 100,000 messages. But a loop that waits for
// something must not keep it waiting for ever. So the patience of Fair is the length of the
// shortest execution so far, in which nobody waits more than needed.
type walk struct {
	rng      *rand.Rand
	fair     explore.Fair
	open     []int // alternatives of the present state that are not held back
	shortest int   // events of the shortest execution that came to its end; 0: there was none
}

func newWalk(seed uint64) walk {
	w := walk{rng: rand.New(rand.NewPCG(seed, 0x7265686561727365))}
	w.fair.Reset()
	return w
}

// Begin implements explore.Strategy.
func (w *walk) Begin() bool {
	w.fair.Reset()
	return true
}

// End implements explore.Strategy.
func (w *walk) End(x *trace.Execution) {
	if x.End != trace.Quiet {
		return
	}
	if w.shortest == 0 || len(x.Events) < w.shortest {
		w.shortest = len(x.Events)
	}
	w.fair.Patience = max(explore.DefaultPatience, w.shortest)
}

// SetSpins sets the bound on polls in vain.
func (w *walk) SetSpins(spins int) { w.fair.Bound = spins }

// see finds the alternatives of s that are not held back: at least one.
func (w *walk) see(s *trace.State) {
	w.fair.See(s)
	w.open = w.open[:0]
	for i := range s.Alts {
		if !w.fair.Waits(&s.Alts[i]) {
			w.open = append(w.open, i)
		}
	}
}

// draw gives each of n processes that has none a priority.
func (w *walk) draw(priority []uint64, n int) []uint64 {
	for len(priority) < n {
		priority = append(priority, w.high())
	}
	return priority
}

// high is a priority above all small numbers.
func (w *walk) high() uint64 { return w.rng.Uint64() | 1<<63 }

// highest returns an alternative of the process with the highest priority among those that can
// move, and the process. It does one of the things that it can do now, with the partner that has
// the highest priority, if it needs one.
func (w *walk) highest(s *trace.State, priority []uint64) (i int, mover int32) {
	mover = -1
	for _, i := range w.open {
		for _, q := range [...]int32{s.Alts[i].Proc, s.Alts[i].Partner} {
			if q >= 0 && (mover < 0 || priority[q] > priority[mover]) {
				mover = q
			}
		}
	}
	some := w.oneOf(func(i int) bool { return s.Alts[i].Involves(mover) })
	which := caseOf(s.Alts[some], mover)
	first := uint64(0) // priority of the best partner
	fits := func(i int) bool { return s.Alts[i].Involves(mover) && caseOf(s.Alts[i], mover) == which }
	for _, i := range w.open {
		if p := other(s.Alts[i], mover); fits(i) && p >= 0 {
			first = max(first, priority[p])
		}
	}
	return w.oneOf(func(i int) bool {
		p := other(s.Alts[i], mover)
		return fits(i) && (p < 0 || priority[p] == first)
	}), mover
}

// oneOf returns one of the open alternatives that fit, each with the same probability; -1 if there
// is none.
func (w *walk) oneOf(fits func(i int) bool) int {
	n, chosen := 0, -1
	for _, i := range w.open {
		if fits(i) {
			if n++; w.rng.IntN(n) == 0 {
				chosen = i
			}
		}
	}
	return chosen
}

// caseOf returns the case of process q, which takes part in a.
func caseOf(a trace.Alt, q int32) int32 {
	if a.Proc == q {
		return a.Case
	}
	return a.PartnerCase
}

// other returns the process that takes part in a beside q, -1 if there is none.
func other(a trace.Alt, q int32) int32 {
	if a.Proc == q {
		return a.Partner
	}
	return a.Proc
}

// Last implements explore.Strategy.
func (w *walk) Last() explore.Last { return explore.Last{} }

// Summary implements explore.Strategy.
func (w *walk) Summary() explore.Summary { return explore.Summary{Planned: -1} }
