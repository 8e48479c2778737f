package strategy_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/internal/actorprog"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// searchTasksContext explores p by optimal search over whole tasks with contexts. adapt may change it further; nil: it does not.
func searchTasksContext(t *testing.T, p *actorprog.Program, model int32, order string, facts bool, adapt func(*strategy.OptimalTasks)) (*troupe, *strategy.OptimalTasks) {
	t.Helper()
	m := actorprog.New(p, model)
	var f strategy.Facts = ignorance{}
	if facts {
		f = &knowledge{m: m, p: p, model: model}
	}
	s := strategy.NewOptimalTasks(f, orderOf(t, order)).Compare(m.Look, order == "")
	if adapt != nil {
		adapt(s)
	}
	return perform(m, s), s
}

// TestTasksContextRandom: with contexts the final states of random programs are all there are, with facts and without.
func TestTasksContextRandom(t *testing.T) {
	for i, random := range []func(*rand.Rand) *actorprog.Program{actorprog.Random, actorprog.RandomCounted} {
		var compared, all, executions, blocked [2]int
		for seed := range uint64(*contextPrograms) {
			seed += *firstContext
			p := random(rand.New(rand.NewPCG(seed, uint64(1+i))))
			for _, model := range []int32{trace.Bag, trace.Pairs} {
				want, ok := actorprog.All(p, model, 2000, 14)
				if !ok {
					continue
				}
				for k, facts := range []bool{false, true} {
					m := actorprog.New(p, model)
					plain := strategy.NewOptimalTasks(ignorance{}, nil)
					if facts {
						plain = strategy.NewOptimalTasks(&knowledge{m: m, p: p, model: model}, nil)
					}
					compared[k]++
					all[k] += perform(m, plain).executions
					for _, order := range orderNames {
						r, s := searchTasksContext(t, p, model, order, facts, nil)
						if why := outcomesFault(r.finals, want); why != "" || s.Partial() != "" || !s.Distinct() {
							t.Errorf("program %d/%d, model %d, order %q, facts %v: %s %s", i, seed, model, order, facts, why, s.Partial())
						}
						if order == "" {
							executions[k] += r.executions
							blocked[k] += r.blocked
						}
					}
				}
			}
		}
		t.Logf("%v programs without facts and with: %v executions; with contexts %v and %v redundant ones", compared, all, executions, blocked)
		if executions[0]+blocked[0] >= all[0] {
			t.Error("nothing was saved")
		}
	}
}

// TestTasksContextFib: see TestContextFib.
func TestTasksContextFib(t *testing.T) {
	for n := 3; n < 7; n++ {
		r, _ := searchTasksContext(t, actorprog.Fib(n), trace.Bag, "", true, nil)
		f, _ := searchTasksContext(t, actorprog.Fib(n), trace.Bag, "fifo", true, nil)
		t.Log(n, r.executions, r.blocked, f.executions, f.blocked)
	}
}

var _ = maps.Equal[map[int]int, map[int]int]
