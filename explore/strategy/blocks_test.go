package strategy_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestBlocks: the parts of a randomised search, cut anywhere between blocks, have the counts,
// outcomes, findings, schedules and specimens of one process, and the same bound.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	for _, name := range randomised {
		for _, text := range []string{nsenders(4), depth3,
			nsenders(3) + "chan u\nR: <-u; select <-u | default\nA: u<-1\nB: select u<-2 | c<-9"} {
			most := 150 + rng.IntN(2000)
			lim := explore.Limits{MaxExecutions: most, Specimens: true}
			one := newSeeded(t, name, 7)
			want := explore.Run(micro.New(micro.Parse(text)), one, lim, nil)

			var chance sample.Chance
			first := 0
			whole := explore.Prepare(nil, newSeeded(t, name, 7), lim, nil)
			got := whole.Gather(func() (explore.Part, bool) {
				room := most - first*sample.Block
				b := newSeeded(t, name, 7).(*sample.Blocks)
				b.Portion(first, min(room, (1+rng.IntN(9))*sample.Block), time.Time{})
				x := explore.PrepareBehind(first*sample.Block, micro.New(micro.Parse(text)), b,
					explore.Limits{Specimens: true})
				x.Run()
				first += b.Done()
				chance = chance.Plus(b.Chance())
				return x.Part(), true
			})
			got.Elapsed = want.Elapsed
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d executions of\n%s\n%+v\nwant\n%+v", name, most, text, got, want)
			}
			if bound := one.Summary().Bound; chance.Bound() != bound {
				t.Errorf("%s: %q, want %q", name, chance.Bound(), bound)
			}
		}
	}
}

// TestRanges: a search hands out each block once, whatever its processes leave undone, and counts
// what they report in the order of the blocks.
func TestRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 2))
	for most := 1; most < 5000; most += 97 + rng.IntN(300) {
		ran, next := 0, 0
		s := &divide.Search{Stop: func() bool { return false },
			Try: func(divide.Task) (r divide.Report) { return r }}
		s.Do = func(task divide.Task) (r divide.Report) {
			n := min(task.Most, (1+rng.IntN(task.Blocks.N))*sample.Block)
			r.Part.Executions, r.Part.MaxDepth = n, task.Blocks.First
			r.Blocks.Done = (n + sample.Block - 1) / sample.Block
			if r.Odd = rng.IntN(5) == 0; !r.Odd {
				ran += n
			}
			return r
		}
		s.BeginRanges(1, most, func(r *divide.Report) {
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
