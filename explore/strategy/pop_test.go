package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// TestPOP compares pop with exhaustive search, as TestOptimal does.
func TestPOP(t *testing.T) {
	compared, executions, failed := 0, 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 1)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest)
		if !want.complete {
			continue
		}
		compared++
		s := strategy.NewPOP()
		got := run(m, s, 2**largest)
		executions += got.executions
		if why := popFault(s, got, want); why != "" {
			failed++
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
	}
	t.Logf("%d programs, %d executions", compared, executions)
}

// popFault says what is wrong with what pop saw.
func popFault(s *strategy.POP, got, want *seen) string {
	switch {
	case len(missing(want.outcomes, got.outcomes)) > 0:
		return fmt.Sprintf("outcomes lost: %q", missing(want.outcomes, got.outcomes))
	case len(missing(got.outcomes, want.outcomes)) > 0:
		return fmt.Sprintf("outcomes invented: %q", missing(got.outcomes, want.outcomes))
	case len(missing(want.traces, got.traces)) > 0:
		return fmt.Sprintf("%d of %d traces lost", len(missing(want.traces, got.traces)), len(want.traces))
	case s.Partial() != "" || s.Refused() != nil:
		return fmt.Sprint(s.Partial(), s.Refused())
	case want.crashes > 0:
		return ""
	case got.executions != len(want.traces) || got.blocked > 0:
		return fmt.Sprintf("%d executions and %d blocked of %d traces", got.executions, got.blocked, len(want.traces))
	}
	return ""
}

// TestPOPOrders: the number of executions does not depend on which process goes on first.
func TestPOPOrders(t *testing.T) {
	compared := 0
	for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 4)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest/4)
		if !want.complete {
			continue
		}
		compared++
		for seed := range uint64(4) {
			for _, turns := range [...]int{1, 2, 100} {
				s := strategy.NewPOP()
				s.Shuffle(100*n+seed, turns)
				if why := popFault(s, run(m, s, 2**largest), want); why != "" {
					t.Fatalf("program %d, seed %d, %d turns: %s\n%s", n, seed, turns, why, text)
				}
			}
		}
	}
	t.Logf("%d programs", compared)
}

// TestPOPSubjects: programs of real Go code whose number of traces is known.
func TestPOPSubjects(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(gate.TB)
		want int
	}{
		{"nsenders(5)", senders(5), 120},
		{"nsenders(7)", senders(7), 5040},
		{"philok(3)", philosophers(3, true), 36},
		{"philok(4)", philosophers(4, true), 336},
		{"bbuf(2)", buffer(2), 10},
		{"bbuf(3)", buffer(3), 84},
		{"bbuf(4)", buffer(4), 1008},
		{"sieve(5)", sieve(5), 1},
	} {
		ex := hook.NewExecutor(gate.Test{Name: "Test", Run: c.body}, "coroutine", 0)
		s := strategy.NewPOP()
		r := explore.Run(ex, s, explore.Limits{MaxExecutions: 200000}, nil)
		steps, depth, checks := s.Alive()
		t.Logf("%s: %d in %v; at most %d steps of schedules, depth %d, %d checks", c.name, r.Executions, r.Elapsed, steps, depth, checks)
		if !r.Complete || r.Executions != c.want || r.Traces != c.want || r.Blocked != 0 {
			t.Errorf("%s: %d executions, %d blocked, of %d traces (%s), want %d", c.name, r.Executions, r.Blocked, r.Traces, r.Reason, c.want)
		}
	}
}
