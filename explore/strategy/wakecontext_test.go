package strategy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/actorprog"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestContextSteps: with contexts the outcomes of random programs of the micro language are all
// there are, under all delivery models: in optimal, and those of dpor without contexts in dpor.
func TestContextSteps(t *testing.T) {
	for _, c := range []struct {
		name   string
		random func(*rand.Rand) string
	}{{"go", micro.Random}, {"roomy", micro.RandomRoomy}, {"bag", mail("bag")},
		{"pairs", mail("pairs")}} {
		var sum steps
		for p := range trials(70, c.random, *largest/4) {
			if sum.compared++; sum.compared > *programs/5 {
				break
			}
			sum.all += run(p.m, optimal.New(), 2**largest).executions
			for _, order := range []string{"nested", "", "fifo", "lca"} {
				sum.compareSteps(t, p, order)
			}
		}
		t.Logf("%s: %d programs, %d executions; with contexts %d and %d redundant ones", c.name,
			sum.compared, sum.all, sum.executions, sum.blocked)
		if sum.executions >= sum.all {
			t.Error("nothing was saved")
		}
	}
}

// steps sums comparisons up.
type steps struct{ compared, all, executions, blocked int }

// compareSteps explores p with contexts, in an order.
func (c *steps) compareSteps(t *testing.T, p trial, order string) {
	t.Helper()
	nested := order == "nested"
	s, d, plain := optimal.New().Compare(p.m.Look, nested),
		dpor.New(true).Compare(p.m.Look, nested),
		dpor.New(true)
	if !nested {
		s.Prefer(orderOf(t, order))
		d.Prefer(orderOf(t, order))
		plain.Prefer(orderOf(t, order))
	}
	got := run(p.m, s, 4**largest)
	if why := outcomesFault(got.outcomes, p.want.outcomes); why != "" ||
		s.Summary().Partial != "" ||
		!got.complete || got.twice {
		t.Errorf("program %d, order %q, optimal: %s %s, a trace twice: %v\n%s", p.number, order,
			why,
			s.Summary().Partial, got.twice, p.text)
	}
	want, merged := run(p.m, plain, 4**largest), run(p.m, d, 4**largest)
	if why := outcomesFault(merged.outcomes, want.outcomes); why != "" ||
		d.Summary().Partial != "" ||
		!merged.complete {
		t.Errorf("program %d, order %q, dpor: %s %s\n%s", p.number, order, why, d.Summary().Partial,
			p.text)
	}
	if nested {
		c.executions += got.executions
		c.blocked += got.blocked
	}
}

// TestContextStepsActors: likewise of random programs of actors.
func TestContextStepsActors(t *testing.T) {
	for i, random := range []func(*rand.Rand) *actorprog.Program{actorprog.Random,
		actorprog.RandomCounted} {
		compared, executions, blocked := 0, 0, 0
		for seed := range uint64(*contextPrograms) / 2 {
			seed += *firstContext
			p := random(rand.New(rand.NewPCG(seed, uint64(11+i))))
			for _, model := range []int32{trace.Bag, trace.Pairs} {
				want, ok := actorprog.All(p, model, 2000, 14)
				if !ok {
					continue
				}
				compared++
				for k, order := range []string{"", "fifo", "lca"} {
					m := actorprog.New(p, model)
					s := optimal.New().Compare(m.Look, k == 0)
					if k > 0 {
						s.Prefer(orderOf(t, order))
					}
					r := perform(m, s)
					if why := outcomesFault(r.finals, want); why != "" ||
						s.Summary().Partial != "" {
						t.Errorf("program %d/%d, model %d, order %q: %s %s", i, seed, model, order,
							why,
							s.Summary().Partial)
					}
					if k == 0 {
						executions += r.executions
						blocked += r.blocked
					}
				}
			}
		}
		t.Logf("%d programs, %d executions and %d redundant ones", compared, executions, blocked)
	}
}
