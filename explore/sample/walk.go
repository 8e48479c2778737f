package sample

import (
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Walk is what the randomised strategies share, all but Choose: the source of chance, and
// explore.Fair. A walk is never complete, so it need not report the processes that it holds back.
//
// A priority may keep a process waiting for long, and some bugs need such a wait: a process has to
// come after another one has gone through a loop of 100,000 messages. But a loop that waits for
// something must not keep it waiting for ever. So the patience of Fair is the length of the
// shortest execution so far, in which nobody waits more than needed.
type Walk struct {
	Rng      *rand.Rand // the only source of chance
	fair     explore.Fair
	Open     []int // alternatives of the present state that are not held back
	shortest int   // events of the shortest execution that came to its end; 0: there was none
}

// NewWalk returns what depends on seed alone.
func NewWalk(seed uint64) Walk {
	w := Walk{Rng: rand.New(rand.NewPCG(seed, 0x7265686561727365))}
	w.fair.Reset()
	return w
}

// Begin implements explore.Strategy.
func (w *Walk) Begin() bool {
	w.fair.Reset()
	return true
}

// End implements explore.Strategy.
func (w *Walk) End(x *trace.Execution) {
	if x.End != trace.Quiet {
		return
	}
	if w.shortest == 0 || len(x.Events) < w.shortest {
		w.shortest = len(x.Events)
	}
	w.fair.Patience = max(explore.DefaultPatience, w.shortest)
}

// SetSpins sets the bound on polls in vain.
func (w *Walk) SetSpins(spins int) { w.fair.Bound = spins }

// Chance implements Walker: nothing is known.
func (w *Walk) Chance() Chance { return Chance{} }

// See finds the alternatives of s that are not held back: at least one.
func (w *Walk) See(s *trace.State) {
	w.fair.See(s)
	w.Open = w.Open[:0]
	for i := range s.Alts {
		if !w.fair.Waits(&s.Alts[i]) {
			w.Open = append(w.Open, i)
		}
	}
}

// draw gives each of n processes that has none a priority.
func (w *Walk) draw(priority []uint64, n int) []uint64 {
	for len(priority) < n {
		priority = append(priority, w.high())
	}
	return priority
}

// high is a priority above all small numbers.
func (w *Walk) high() uint64 { return w.Rng.Uint64() | 1<<63 }

// highest returns an alternative of the process with the highest priority among those that can
// move, and the process. It does one of the things that it can do now, with the partner that has
// the highest priority, if it needs one.
func (w *Walk) highest(s *trace.State, priority []uint64) (i int, mover int32) {
	mover = -1
	for _, i := range w.Open {
		for _, q := range [...]int32{s.Alts[i].Proc, s.Alts[i].Partner} {
			if q >= 0 && (mover < 0 || priority[q] > priority[mover]) {
				mover = q
			}
		}
	}
	some := w.OneOf(func(i int) bool { return s.Alts[i].Involves(mover) })
	which := caseOf(s.Alts[some], mover)
	first := uint64(0) // priority of the best partner
	fits := func(i int) bool {
		return s.Alts[i].Involves(mover) && caseOf(s.Alts[i], mover) == which
	}
	for _, i := range w.Open {
		if p := other(s.Alts[i], mover); fits(i) && p >= 0 {
			first = max(first, priority[p])
		}
	}
	return w.OneOf(func(i int) bool {
		p := other(s.Alts[i], mover)
		return fits(i) && (p < 0 || priority[p] == first)
	}), mover
}

// OneOf returns one of the open alternatives that fit, each with the same probability; -1 if there
// is none.
func (w *Walk) OneOf(fits func(i int) bool) int {
	n, chosen := 0, -1
	for _, i := range w.Open {
		if fits(i) {
			if n++; w.Rng.IntN(n) == 0 {
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
func (w *Walk) Last() explore.Last { return explore.Last{} }

// Summary implements explore.Strategy.
func (w *Walk) Summary() explore.Summary { return explore.Summary{Planned: -1} }
