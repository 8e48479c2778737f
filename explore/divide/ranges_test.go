package divide

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/sample"
)

// TestRanges: a search hands out each block once, whatever its processes leave undone, and counts
// what they report in the order of the blocks.
func TestRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 2))
	for most := 1; most < 5000; most += 97 + rng.IntN(300) {
		ran, next := 0, 0
		s := &Search{Stop: func() bool { return false },
			Try: func(Task) (r Report) { return r }}
		s.Do = func(task Task) (r Report) {
			n := min(task.Most, (1+rng.IntN(task.Blocks.N))*sample.Block)
			r.Part.Executions, r.Part.MaxDepth = n, task.Blocks.First
			r.Blocks.Done = (n + sample.Block - 1) / sample.Block
			if r.Odd = rng.IntN(5) == 0; !r.Odd {
				ran += n
			}
			return r
		}
		s.BeginRanges(1, most, func(r *Report) {
			if r.Part.MaxDepth != next {
				t.Fatalf("block %d comes before block %d", r.Part.MaxDepth, next)
			}
			next += r.Blocks.Done
		})
		counted := 0
		for p, ok := s.Next(); ok; p, ok = s.Next() {
			counted += p.Executions
		}
		if counted != most || ran != most {
			t.Errorf("%d executions, %d counted, want %d", ran, counted, most)
		}
	}
}
