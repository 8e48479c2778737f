package strategy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// TestAdaptive: wherever optimal gives up, nothing is lost.
func TestAdaptive(t *testing.T) {
	names, again := map[string]int{}, 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 6)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest/4)
		if !want.complete {
			continue
		}
		restore := strategy.SetEffort(int(n%32), 0, 1<<(n%7))
		s := strategy.NewAdaptive()
		got := run(m, s, 4**largest)
		restore()
		names[s.Name()]++
		switch {
		case len(missing(want.outcomes, got.outcomes)) > 0, len(missing(got.outcomes, want.outcomes)) > 0:
			t.Fatalf("program %d: outcomes %v, want %v\n%s", n, got.outcomes, want.outcomes, text)
		case want.crashes > 0:
		case len(missing(want.traces, got.traces)) > 0:
			t.Fatalf("program %d: %d of %d traces lost\n%s", n, len(missing(want.traces, got.traces)), len(want.traces), text)
		case s.Distinct() && got.twice:
			t.Fatalf("program %d: a trace was run twice\n%s", n, text)
		case s.Again():
			again++
		case got.executions < len(want.traces):
			t.Fatalf("program %d: %d executions of %d traces\n%s", n, got.executions, len(want.traces), text)
		}
	}
	t.Logf("at the end at work: %v; %d had to begin again", names, again)
	if names["optimal"] == 0 || names["dpor"] == 0 || again == 0 || names["dpor"] == again {
		t.Error("not all ways were taken")
	}
}

// TestAdaptiveSubjects: which programs are too much for optimal.
func TestAdaptiveSubjects(t *testing.T) {
	for _, c := range []struct {
		name, want string
		body       func(gate.TB)
	}{
		{"nsenders(8)", "optimal", senders(8)},
		{"nsenders(500)", "dpor", senders(500)},
		{"philok(5)", "optimal", philosophers(5, true)},
		{"bbuf(6)", "optimal", buffer(6)},
		{"sieve(60)", "dpor", sieve(60)},
		{"pollers", "dpor", polled(12)},
	} {
		ex := hook.NewExecutor(gate.Test{Name: "Test", Run: c.body}, "coroutine", 0)
		s := strategy.NewAdaptive()
		r := explore.Run(ex, s, explore.Limits{MaxExecutions: 20}, nil)
		if s.Name() != c.want || s.Again() {
			t.Errorf("%s: %s, want %s; began again: %t (%s)", c.name, s.Name(), c.want, s.Again(), r.Reason)
		}
	}
}

// polled has a select with default that may come after any set of the sends of n processes.
func polled(n int) func(gate.TB) {
	return func(gate.TB) {
		ready := hook.Made(make(chan int, 1))
		hook.Send(ready).V(1)
		cases := []hook.Case{hook.R(ready)}
		for i := range n {
			ch := hook.Made(make(chan int, 1))
			hook.Go("sender", func() { hook.Send(ch).V(i) })
			cases = append(cases, hook.R(ch))
		}
		hook.Select(true, cases...)
	}
}
