package strategy_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestEstimate compares what is said of the size of a search on the way with what it turns out to
// be. Each ratio has to be within the factor.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   func(gate.TB)
		s      explore.Strategy
		total  int
		factor float64
	}{
		{"nsenders(8)", senders(8), dpor.New(true), 40320, 1.3},
		{"philok(4)", philosophers(4, true), dpor.New(true), 336, 1.3},
		{"bbuf(5)", buffer(5), dpor.New(true), 15840, 1.3},
		{"optimal: nsenders(7)", senders(7), optimal.New(), 5040, 1.3},
		{"optimal: philok(4)", philosophers(4, true), optimal.New(), 336, 1.3},
		{"optimal: bbuf(5)", buffer(5), optimal.New(), 15840, 1.3},
	} {
		ex, s := executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{}), c.s
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
			sum := s.Summary()
			got, spread := sum.Total, sum.Spread
			t.Logf(
				"%s: after %2.0f %% (%d): estimate / true number = %.2f, said to be within a factor of %.2f",
				c.name, 100*shares[0], done, got/total, spread)
			if off := math.Abs(math.Log(got / total)); off > math.Log(c.factor) {
				t.Errorf("%s: after %.0f %%: estimate %.0f of %d", c.name, 100*shares[0], got,
					c.total)
			}
			shares = shares[1:]
		}
		if sum := s.Summary(); done != c.total {
			t.Errorf("%s: %d executions, want %d, estimate %.0f %.2f", c.name, done, c.total,
				sum.Total,
				sum.Spread)
		}
	}
}

// TestEstimateElsewhere: other programs, where less is foreseen, above all if locks exclude what
// rivals says could be.
func TestEstimateElsewhere(t *testing.T) {
	locks := "mutex m\nmutex n\n" + strings.Join([]string{"A", "B", "C", "D", "E"},
		": lock m; unlock m; lock n; unlock n\n") + ": lock n; unlock n; lock m; unlock m"
	for _, c := range []struct {
		name, text string
		factor     float64
	}{
		{"unbuffered", strings.Replace(nsenders(7), "chan c 7", "chan c", 1), 1.5},
		{"small buffer", strings.Replace(nsenders(6), "chan c 6", "chan c 2", 1), 4},
		{"locks", locks, 4},
		{"two stages",
			"chan a 4\nchan b 4\nmain: <-b; <-b; <-b; <-b\nS: <-a; b<-$; <-a; b<-$\nR: <-a; b<-$; <-a; b<-$\nA: a<-1\nB: a<-2\nC: a<-3\nD: a<-4",
			4},
		{"selects",
			"chan a 3\nchan b 3\nmain: select <-a | <-b; select <-a | <-b; select <-a | <-b; select <-a | <-b\nA: a<-1; b<-1\nB: b<-2; a<-2\nC: a<-3",
			6},
		{"readers",
			"rw r\nA: rlock r; runlock r; rlock r; runlock r\nB: rlock r; runlock r\nC: wlock r; wunlock r\nD: wlock r; wunlock r\nE: wlock r; wunlock r",
			20},
	} {
		m := micro.New(micro.Parse(c.text))
		all := run(m, dpor.New(true), 200000)
		s, done, shares := dpor.New(true), 0, []float64{0.01, 0.05, 0.2, 0.5}
		for s.Begin() && len(shares) > 0 {
			x := m.Execute(s, false)
			if s.End(x); x.End != trace.Cut {
				done++
			}
			if float64(done) < shares[0]*float64(all.executions) {
				continue
			}
			sum := s.Summary()
			got, spread := sum.Total, sum.Spread
			ratio := got / float64(all.executions)
			t.Logf(
				"%s (%d executions, %d blocked): after %.0f %%: estimate / true number = %.2f, within %.2f",
				c.name, all.executions, all.blocked, 100*shares[0], ratio, spread)
			if ratio > c.factor || ratio < 1/c.factor {
				t.Errorf("%s: after %.0f %%: estimate %.0f of %d", c.name, 100*shares[0], got,
					all.executions)
			}
			shares = shares[1:]
		}
	}
}
