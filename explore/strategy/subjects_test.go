package strategy_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestOptimalSubjects: programs of real Go code whose number of traces is known.
func TestOptimalSubjects(t *testing.T) {
	searchSubjects(t, 20, func() explore.Strategy { return optimal.New() })
}

// searchSubjects demands one execution for each trace, with a sieve of so many numbers.
func searchSubjects(t *testing.T, numbers int, search func() explore.Strategy) {
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
		{"sieve", sieve(numbers), 1},
	} {
		ex := executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{})
		r := explore.Run(ex, search(), explore.Limits{MaxExecutions: 200000}, nil)
		t.Logf("%s: %d in %v", c.name, r.Executions, r.Elapsed)
		if !r.Complete || r.Executions != c.want || r.Traces != c.want || r.Blocked != 0 {
			t.Errorf("%s: %d executions, %d blocked, of %d traces (%s), want %d", c.name,
				r.Executions,
				r.Blocked, r.Traces, r.Reason, c.want)
		}
	}
}
