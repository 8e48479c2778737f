package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/auto"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestAdaptive: wherever optimal gives up, nothing is lost.
func TestAdaptive(t *testing.T) {
	defer setTried(setTried(2))
	names := map[string]int{}
	for p := range trials(6, micro.Random, *largest/4) {
		restore := setEffort(int(p.number%32), 0, 1<<(8+p.number%9))
		s := newAdaptive()
		got := run(p.m, s, 5**largest)
		restore()
		names[s.Summary().Name]++
		if why := adaptiveFault(s, got, p.want); why != "" {
			t.Fatalf("program %d, %s: %s\n%s", p.number, s.Summary().Name, why, p.text)
		}
	}
	t.Logf("at the end at work: %v", names)
	for _, name := range []string{"optimal", "dpor", "optimal, then dpor", "optimal, then pop",
		"dpor, then optimal"} {
		if names[name] == 0 {
			t.Errorf("never at work: %s", name)
		}
	}
}

// adaptiveFault says what is wrong with the executions of s. The strategy at work at the end has
// seen all outcomes and traces.
func adaptiveFault(s *auto.Adaptive, got, want *seen) string {
	switch why := outcomesFault(got.outcomes, want.outcomes); {
	case why != "":
		return why
	case !got.complete, s.Summary().Partial != "":
		return "not complete: " + s.Summary().Partial
	case want.crashes > 0:
		return ""
	case len(missing(want.traces, got.traces)) > 0:
		return fmt.Sprintf("%d of %d traces lost", len(missing(want.traces, got.traces)),
			len(want.traces))
	case s.Last().Distinct && got.twice:
		return "a trace was run twice"
	case s.Ran() != len(want.traces):
		return fmt.Sprintf("%d executions of %d traces", s.Ran(), len(want.traces))
	}
	return ""
}

// TestExact: one execution for each trace, also by pop when the trees have become too large, and so
// in its first attempt as far as that went. With mailboxes, and when time may pass, pop refuses the
// program, maybe late, and dpor goes on.
func TestExact(t *testing.T) {
	names := map[string]int{}
	for _, kind := range []func(*rand.Rand) string{micro.Random, family, mail("bag"),
		mail("pairs")} {
		for p := range trials(9, kind, *largest/4) {
			restore := setEffort(0, 0, 1<<(8+p.number%7))
			s := newExact()
			got := run(p.m, s, 5**largest)
			restore()
			names[s.Summary().Name]++
			why := adaptiveFault(s, got, p.want)
			if why == "" && p.want.crashes == 0 && got.blocked > 0 &&
				!strings.HasSuffix(s.Summary().Name, "dpor") {
				why = fmt.Sprintf("%d blocked", got.blocked)
			}
			if why != "" {
				t.Fatalf("program %d, %s: %s\n%s", p.number, s.Summary().Name, why, p.text)
			}
		}
	}
	t.Logf("at the end at work: %v", names)
	for _, name := range []string{"optimal", "optimal, then pop", "optimal, then pop, then dpor"} {
		if names[name] == 0 {
			t.Errorf("never at work: %s", name)
		}
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
		{"idle(14)", "optimal", idle(14)},
	} {
		ex := executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{})
		s := newAdaptive()
		r := explore.Run(ex, s, explore.Limits{MaxExecutions: 20}, nil)
		if s.Summary().Name != c.want || again(s) {
			t.Errorf("%s: %s, want %s; began again: %t (%s)", c.name, s.Summary().Name, c.want,
				again(s),
				r.Reason)
		}
	}
}

// idle has n workers whose jobs never come, and which look for one once more at the end: no order
// of these looks matters.
func idle(n int) func(gate.TB) {
	return func(gate.TB) {
		jobs, done := hook.Made(make(chan int, 1)), hook.Made(make(chan int))
		for range n {
			hook.Go("worker", func() {
				hook.Select(false, hook.R(done), hook.R(jobs))
				hook.Select(true, hook.R(jobs))
			})
		}
		hook.Close(done)
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
