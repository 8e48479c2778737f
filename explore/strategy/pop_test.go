package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var (
	sharedPrograms = flag.Int("shared", 5, "random programs over shared variables, for pop")
	sharedCompared = flag.Int("sharedall", 20, "the same, for dpor and optimal")
)

// TestPOP compares pop with exhaustive search, as TestOptimal does.
func TestPOP(t *testing.T) {
	compared, executions := 0, 0
	for p := range trials(1, micro.Random, *largest) {
		s := pop.New()
		got := run(p.m, s, 2**largest)
		compared, executions = compared+1, executions+got.executions
		if why := popFault(s, got, p.want); why != "" {
			t.Fatalf("program %d: %s\n%s", p.number, why, p.text)
		}
	}
	t.Logf("%d programs, %d executions", compared, executions)
}

// popFault says what is wrong with what pop saw.
func popFault(s *pop.Search, got, want *seen) string {
	_, levels, events := s.Alive()
	switch {
	case s.Summary().Refusal != nil:
		return fmt.Sprint(s.Summary().Refusal)
	case levels > events*events && want.crashes == 0:
		return "more levels than the square of the events"
	}
	return fault(s.Summary().Partial, got, want)
}

// TestPOPOrders: the number of executions does not depend on which process goes on first.
func TestPOPOrders(t *testing.T) {
	compared := 0
	for p := range trials(4, micro.Random, *largest/4) {
		compared++
		for seed := range uint64(4) {
			for _, turns := range [...]int{1, 2, 100} {
				s := pop.New()
				s.Shuffle(100*p.number+seed, turns)
				if why := popFault(s, run(p.m, s, 2**largest), p.want); why != "" {
					t.Fatalf("program %d, seed %d, %d turns: %s\n%s", p.number, seed, turns, why,
						p.text)
				}
			}
		}
	}
	t.Logf("%d programs", compared)
}

// TestPOPSubjects is TestOptimalSubjects for pop.
func TestPOPSubjects(t *testing.T) {
	searchSubjects(t, 5, func() explore.Strategy { return pop.New() })
}

// TestPOPShared compares pop with exhaustive search on programs over atomic variables, a Cond, a
// Pool and a Map. If the guess about a CompareAndSwap is wrong, an execution is cut off or
// redundant.
func TestPOPShared(t *testing.T) {
	compared := 0
	for n := range uint64(*sharedPrograms) {
		procs := randomSteps(rand.New(rand.NewPCG(n, 8)))
		want, wantTraces := exploreShared(procs, exhaustive.New())
		if want == nil {
			continue
		}
		compared++
		s := pop.New()
		o := &tallied{Strategy: s}
		got, gotTraces := exploreShared(procs, o)
		if len(missing(want, got)) > 0 || len(missing(got, want)) > 0 ||
			len(gotTraces) != len(wantTraces) || s.Summary().Partial != "" {
			t.Fatalf("program %d: %v:\n%d traces of %d, outcomes %v,\nwant %v %s", n, procs,
				len(gotTraces),
				len(wantTraces), keys(got), keys(want), s.Summary().Partial)
		}
		if o.n != len(wantTraces) {
			t.Errorf("program %d: %v: %d executions of %d traces", n, procs, o.n, len(wantTraces))
		}
	}
	t.Logf("%d programs", compared)
}

// lastZero is testdata/lastzero.
func lastZero(n int) func(gate.TB) {
	return func(gate.TB) {
		a := make([]atomic.Int32, n+1)
		for j := 1; j <= n; j++ {
			hook.Go("writer", func() {
				hook.AtInt32(&a[j]).Store(hook.AtInt32(&a[j-1]).Load() + 1)
			})
		}
		for i := n; hook.AtInt32(&a[i]).Load() != 0; i-- {
		}
	}
}

// indexer is testdata/indexer, without the look at the table in the end.
func indexer(n int) func(gate.TB) {
	return func(gate.TB) {
		table := make([]atomic.Int32, 128)
		for t := range n {
			hook.Go("thread", func() {
				for m := int32(1); m <= 4; m++ {
					w := 11*m + int32(t)
					h := 7 * w % 128
					for !hook.AtInt32(&table[h]).CompareAndSwap(0, w) {
						h = (h + 1) % 128
					}
				}
			})
		}
	}
}

// TestPOPMemory: what is kept grows with the length of an execution, not with the number of
// executions.
func TestPOPMemory(t *testing.T) {
	for _, c := range []struct {
		name       string
		body       func(gate.TB)
		executions int
	}{
		{"lastzero(6)", lastZero(6), 144}, {"lastzero(7)", lastZero(7), 320},
		{"lastzero(8)", lastZero(8), 704}, {"lastzero(9)", lastZero(9), 1536},
		{"indexer(11)", indexer(11), 1}, {"indexer(12)", indexer(12), 8},
		{"indexer(13)", indexer(13), 64},
		{"nsenders(6)", senders(6), 720}, {"nsenders(7)", senders(7), 5040},
	} {
		s := pop.New()
		r := explore.Run(executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{}), s,
			explore.Limits{}, nil)
		steps, depth, n := s.Alive()
		t.Logf(
			"%s: %d executions of at most %d steps; %d steps of schedules are kept, on %d levels",
			c.name, r.Executions, n, steps, depth)
		if !r.Complete || r.Executions != c.executions || r.Traces != c.executions ||
			r.Blocked != 0 {
			t.Errorf("%s: %d executions, %d blocked, of %d traces (%s), want %d", c.name,
				r.Executions,
				r.Blocked, r.Traces, r.Reason, c.executions)
		}
		if steps > n*n || depth > n*n/4 {
			t.Errorf("%s: %d steps of schedules on %d levels, for executions of %d steps", c.name,
				steps,
				depth, n)
		}
	}
}
