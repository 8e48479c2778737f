package strategy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Replay runs one execution with given choices, and goes onward after them.
type Replay struct {
	script  explore.Script
	lenient bool
	done    bool
	skipped int
}

// NewReplay returns a strategy that makes the given choices. One that is not possible is a Mismatch
// or, if lenient, is left out.
func NewReplay(choices []trace.Alt, lenient bool) *Replay {
	return &Replay{script: explore.Script{Alts: append([]trace.Alt(nil), choices...)}, lenient: lenient}
}

// Begin implements explore.Strategy.
func (r *Replay) Begin() bool {
	was := r.done
	r.done = true
	return !was
}

// Choose implements explore.Strategy.
func (r *Replay) Choose(s *trace.State) int {
	i := r.script.Choose(s)
	for i < 0 && r.lenient {
		r.script.Alts = append(r.script.Alts[:s.Depth], r.script.Alts[s.Depth+1:]...)
		r.skipped++
		i = r.script.Choose(s)
	}
	if i < 0 {
		a := r.script.Alts[s.Depth]
		panic(explore.Mismatch{Depth: s.Depth, Want: fmt.Sprintf("process %d moves (%+v)", a.Proc, a), Got: r.script.Got})
	}
	return i
}

// End implements explore.Strategy.
func (r *Replay) End(*trace.Execution) {}

// Skipped returns the number of choices that were left out.
func (r *Replay) Skipped() int { return r.skipped }
