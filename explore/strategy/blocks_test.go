package strategy_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
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
