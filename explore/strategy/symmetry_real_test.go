package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The check of symmetry with the operations that the micro language does not have: random programs
// whose processes come in groups of twins, under the controlled runtime. The test compares what
// each process has seen, in no order.

func startTwin(k int, f func()) { hook.Twin(k); hook.Go("process", f) }

// explore returns the outcomes that s sees of run, a text of a line for each process, and how many
// executions it needs, or nil if they are too many.
func (a *alike) explore(s explore.Strategy,
	run func() (outcome func() string)) (outcomes map[string]bool, executions int) {
	var outcome func() string
	c := world.Config{MaxSteps: 10000, Clock: a.clock}
	ex := executor.New(gate.Test{Name: "Test", Run: func(gate.TB) { outcome = run() }}, c)
	outcomes = map[string]bool{}
	for s.Begin() {
		if executions++; executions > 800 {
			return nil, 0
		}
		x := ex.Execute(s, false)
		s.End(x)
		if x.End != trace.Cut {
			lines := strings.Split(outcome(), "\n")
			slices.Sort(lines)
			outcomes[strings.Join(lines, "\n")] = true
		}
	}
	return outcomes, executions
}

// alike counts the programs that have been compared, and those with fewer executions with symmetry
// than without.
type alike struct {
	compared, fewer int
	clock           world.Clock // of the programs
}

// compare explores a program with symmetry, without, and exhaustively. It reports what differs.
func (a *alike) compare(run func() func() string) string {
	want, _ := a.explore(exhaustive.New(), run)
	if want == nil {
		return ""
	}
	a.compared++
	_, executions := a.explore(optimal.New(), run)
	s := symmetry.New(optimal.New)
	got, n := a.explore(s, run)
	if n < executions {
		a.fewer++
	}
	switch why := outcomesFault(got, want); {
	case why != "":
		return why
	case n > executions:
		return fmt.Sprintf("%d executions, %d without symmetry", n, executions)
	}
	return s.Summary().Partial
}

func (a *alike) log(t *testing.T) {
	t.Logf("%d programs, fewer executions in %d", a.compared, a.fewer)
}

// TestTwinsShared is about atomic variables, a Cond, a Pool and a Map.
func TestTwinsShared(t *testing.T) {
	var all alike
	defer all.log(t)
	for n := range uint64(*twinPrograms) {
		r := rand.New(rand.NewPCG(n, 41))
		procs, each := randomSteps(r)[:2], 2+r.IntN(2)
		for i, steps := range procs {
			procs[i] = steps[:min(len(steps), 3-each/2)]
		}
		run := func() func() string {
			now := &shared{seen: make([]string, each+1)}
			hook.Twins()
			for i := range each + 1 {
				startTwin(i/each, func() {
					for _, st := range procs[i/each] {
						now.seen[i] += " " + now.do(0, st)
					}
				})
			}
			return func() string { return strings.Join(now.seen, "\n") }
		}
		if why := all.compare(run); why != "" {
			t.Fatalf("program %d, %d twins: %v: %s", n, each, procs, why)
		}
	}
}

// TestTwinsTimed is about clocks, timers and channels.
func TestTwinsTimed(t *testing.T) {
	var all alike
	defer all.log(t)
	for n := range uint64(*twinPrograms) {
		r := rand.New(rand.NewPCG(n, 42))
		each := 2 + r.IntN(2)
		codes := randomTimed(r)
		p := append(slices.Repeat([][]timedOp{codes[0][:min(len(codes[0]), 4-each)]}, each),
			codes[1])
		all.clock.Early = int(n % 2)
		run := func() func() string {
			now := newTimedRun(p, false)
			now.launch = func(i int, f func()) { startTwin(i/each, f) }
			hook.Twins()
			now.begin(func() {})
			return now.unnamed
		}
		if why := all.compare(run); why != "" {
			t.Fatalf("program %d, %d twins: %v: %s", n, each, p, why)
		}
	}
}

// unnamed is outcome without the numbers of the processes.
func (r *timedRun) unnamed() string {
	lines := strings.Split(r.outcome(), "\n")
	for i, l := range lines {
		_, lines[i], _ = strings.Cut(l, ": ")
	}
	return strings.Join(lines, "\n")
}
