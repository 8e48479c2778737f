package strategy_test

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestEstimate compares what is said of the size of a search on the way with what it turns out to be. Each ratio has to
// be within the factor.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   func(gate.TB)
		total  int
		factor float64
	}{
		{"nsenders(8)", senders(8), 40320, 1.3},
		{"philok(4)", philosophers(4, true), 336, 1.3},
		{"bbuf(5)", buffer(5), 15840, 1.3},
	} {
		ex := hook.NewExecutor(gate.Test{Name: "Test", Run: c.body}, "coroutine", 0)
		s := strategy.NewDPOR(true)
		done, total := 0, float64(c.total)
		shares := []float64{0.01, 0.05, 0.2, 0.5, 0.9}
		for s.Begin() {
			x := ex.Execute(s, false)
			s.End(x)
			if x.End == trace.Cut {
				continue
			}
			done++
			if len(shares) == 0 || float64(done) < shares[0]*total {
				continue
			}
			got, spread, ok := s.Estimate()
			t.Logf("%s: after %2.0f %% (%d): estimate / true number = %.2f, said to be within a factor of %.2f, %v", c.name, 100*shares[0], done, got/total, spread, ok)
			if off := math.Abs(math.Log(got / total)); !ok || off > math.Log(c.factor) {
				t.Errorf("%s: after %.0f %%: estimate %.0f of %d", c.name, 100*shares[0], got, c.total)
			}
			shares = shares[1:]
		}
		if got, spread, _ := s.Estimate(); done != c.total {
			t.Errorf("%s: %d executions, want %d, estimate %.0f %.2f", c.name, done, c.total, got, spread)
		}
	}
}
