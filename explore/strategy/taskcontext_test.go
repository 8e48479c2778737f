package strategy_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/optimal/tasks"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/internal/lab/actorprog"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// tasksOf returns optimal search over whole tasks for runs of p on m, with facts or without.
func tasksOf(t *testing.T, p *actorprog.Program, m *actorprog.Machine, model int32, order string,
	facts bool) *tasks.Search {
	t.Helper()
	if !facts {
		return tasks.New(ignorance{}, orderOf(t, order))
	}
	return tasks.New(&knowledge{m: m, p: p, model: model}, orderOf(t, order))
}

// searchTasksContext explores p by optimal search over whole tasks with contexts. adapt says how,
// beyond that; nil: no further.
func searchTasksContext(t *testing.T, p *actorprog.Program, model int32, order string, facts bool,
	adapt func(*tasks.Search)) (*troupe, *tasks.Search) {
	t.Helper()
	m := actorprog.New(p, model)
	s := tasksOf(t, p, m, model, order, facts).Compare(m.Look, order == "")
	if adapt != nil {
		adapt(s)
	}
	return perform(m, s), s
}

// merged sums up what contexts save.
type merged struct{ compared, all, executions, blocked int }

// TestTasksContextRandom: with contexts the final states of random programs are all there are, with
// facts and without.
func TestTasksContextRandom(t *testing.T) {
	for i, random := range []func(*rand.Rand) *actorprog.Program{actorprog.Random,
		actorprog.RandomCounted} {
		var without, with merged
		for seed := range uint64(*contextPrograms) / 2 {
			seed += *firstContext
			p := random(rand.New(rand.NewPCG(seed, uint64(1+i))))
			for _, model := range []int32{trace.Bag, trace.Pairs} {
				if want, ok := actorprog.All(p, model, 300, 14); ok {
					without.compare(t, seed, p, model, false, want)
					with.compare(t, seed, p, model, true, want)
				}
			}
		}
		t.Logf(
			"%d programs: %d executions, with contexts %d and %d redundant ones; with facts %d, %d and %d",
			with.compared, without.all, without.executions, without.blocked, with.all,
			with.executions,
			with.blocked)
		if without.executions+without.blocked >= without.all {
			t.Error("nothing was saved")
		}
	}
}

// compare explores p, which has the final states wanted, without contexts and with them, in several
// orders.
func (c *merged) compare(t *testing.T, seed uint64, p *actorprog.Program, model int32, facts bool,
	want map[string]bool) {
	t.Helper()
	m := actorprog.New(p, model)
	c.compared++
	c.all += perform(m, tasksOf(t, p, m, model, "", facts)).executions
	for _, order := range orderNames {
		r, s := searchTasksContext(t, p, model, order, facts, nil)
		if why := outcomesFault(r.finals, want); why != "" || s.Summary().Partial != "" ||
			!s.Last().Distinct {
			t.Errorf("program %d, model %d, order %q, facts %v: %s %s", seed, model, order, facts,
				why,
				s.Summary().Partial)
		}
		if order == "" {
			c.executions += r.executions
			c.blocked += r.blocked
		}
	}
}

// TestTasksContextFib: see TestContextFib.
func TestTasksContextFib(t *testing.T) {
	for _, c := range []struct{ n, executions, blocked int }{{3, 2, 1}, {4, 2, 3}, {5, 2, 6},
		{6, 2, 11}, {7, 2, 19}} {
		r, _ := searchTasksContext(t, actorprog.Fib(c.n), trace.Bag, "", true, nil)
		if r.executions != c.executions || r.blocked != c.blocked || len(r.finals) != 1 {
			t.Errorf("fib(%d): %d executions and %d redundant ones, want %d and %d", c.n,
				r.executions,
				r.blocked, c.executions, c.blocked)
		}
	}
}

// TestTrapOptimalContext: if the races with what follows a state are not looked for, or if a
// sleeper counts as covering what it is no part of, final states are lost.
func TestTrapOptimalContext(t *testing.T) {
	hasty := func(c *revisit.Contexts) { c.Hasty = true }
	lax := func(c *revisit.Contexts) { c.Lax = true }
	for _, c := range []struct {
		seed, stream uint64
		tasks        bool
		trap         func(*revisit.Contexts)
		lost         int
	}{
		{42, 1, true, hasty, 3}, {245, 1, true, hasty, 4}, {72, 1, false, hasty, 3},
		{221, 1, false, hasty, 2},
		{49, 2, true, lax, 1}, {128, 12, false, lax, 12},
	} {
		random := actorprog.Random
		if c.stream%10 == 2 {
			random = actorprog.RandomCounted
		}
		p := random(rand.New(rand.NewPCG(c.seed, c.stream)))
		want, _ := actorprog.All(p, trace.Bag, 2000, 14)
		search := func(adapt func(*revisit.Contexts)) *troupe {
			if c.tasks {
				r, _ := searchTasksContext(t, p, trace.Bag, "", false,
					func(s *tasks.Search) { adapt(&s.Context) })
				return r
			}
			m := actorprog.New(p, trace.Bag)
			s := optimal.New().Compare(m.Look, true)
			adapt(&s.Context)
			return perform(m, s)
		}
		if n := len(missing(want, search(c.trap).finals)); n != c.lost {
			t.Errorf("program %d/%d: %d final states are lost, want %d", c.stream, c.seed, n,
				c.lost)
		}
		if r := search(func(*revisit.Contexts) {}); !maps.Equal(r.finals, want) {
			t.Errorf("program %d/%d: final states missing %v", c.stream, c.seed,
				missing(want, r.finals))
		}
	}
}
