package strategy_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	endings "github.com/rehearse-go/rehearse/explore/ends"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// essences returns the essences of the executions that are cut off, with and without their logs;
// nil if there are too many executions.
func essences(m *micro.Machine, s explore.Strategy) map[[2]uint64]bool {
	set := map[[2]uint64]bool{}
	var o depend.Order
	for n := 0; s.Begin(); n++ {
		x := m.Execute(s, false)
		if s.End(x); n == *largest {
			return nil
		}
		if endings.CutOff(x) {
			explore.Sight{}.HashOf(&o, x)
			set[[2]uint64{endings.Of(&o, x, true).Hash, endings.Of(&o, x, false).Hash}] = true
		}
	}
	return set
}

// TestEnds: every complete search meets the same essences as all orders do, and counts as many
// executions as another one.
func TestEnds(t *testing.T) {
	compared := 0
	for i, random := range []func(*rand.Rand) string{micro.Random, micro.RandomCrashes,
		micro.RandomStreams, mail("bag"), mail("pairs")} {
		for n := range uint64(150) {
			text := random(rand.New(rand.NewPCG(n, uint64(211+i))))
			m := micro.New(micro.Parse(text))
			want := essences(m, exhaustive.New())
			if len(want) == 0 {
				continue
			}
			compared++
			count := explore.Run(m, optimal.New(), explore.Limits{}, nil).Executions
			for name, again := range map[string]func() explore.Strategy{
				"optimal": func() explore.Strategy { return optimal.New() },
				"dpor":    func() explore.Strategy { return dpor.New(true) },
				"pieces":  func() explore.Strategy { return newInPieces(n) },
				"others":  func() explore.Strategy { return newInPieces(n + 1) },
			} {
				if got := essences(m, again()); !maps.Equal(got, want) {
					t.Errorf("kind %d, program %d, %s: %d essences, want %d\n%s", i, n, name,
						len(got), len(want), text)
				}
				r := explore.Run(m, again(), explore.Limits{}, nil)
				if r.Executions != count {
					t.Errorf("kind %d, program %d, %s: %d executions, want %d\n%s", i, n, name,
						r.Executions, count, text)
				}
			}
		}
	}
	t.Logf("%d programs that can crash", compared)
	if compared < 50 {
		t.Error("too few programs tell anything")
	}
}
