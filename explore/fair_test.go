package explore

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestPatienceGrowsWithProcesses: where many goroutines have something to do, the last one waits
// for all the others, and nobody spins; one that waits for as long beside few is kept waiting.
func TestPatienceGrowsWithProcesses(t *testing.T) {
	for _, c := range []struct {
		procs, steps int
		held         bool
	}{
		{3, 400, false}, {3, 1100, true}, {200, 6, false}, {200, 12, false}, {200, 40, true},
	} {
		f, s := Fair{}, trace.State{Procs: make([]*trace.Op, c.procs)}
		for p := range c.procs {
			s.Procs[p] = &trace.Op{Kind: trace.Lock}
			s.Alts = append(s.Alts, trace.Alt{Proc: int32(p), Partner: -1})
		}
		f.Reset()
		held := false
		for p := 1; p < c.procs; p++ {
			for range c.steps {
				f.See(&s)
				a := trace.Alt{Proc: int32(p), Partner: -1}
				held = held || f.Waits(&a)
				s.Events = append(s.Events, trace.Event{Alt: a, Op: *s.Procs[p], Kind: trace.Lock})
				s.Depth++
			}
		}
		if held != c.held {
			t.Errorf("%d processes, %d steps each: held back %v", c.procs, c.steps, held)
		}
	}
}
