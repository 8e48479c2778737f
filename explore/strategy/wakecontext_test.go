package strategy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/internal/actorprog"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestContextSteps: with contexts the outcomes of random programs of the micro language are all there are, in optimal and in dpor,
// under all delivery models.
func TestContextSteps(t *testing.T) {
	for name, random := range map[string]func(*rand.Rand) string{"go": micro.Random, "bag": mail("bag"), "pairs": mail("pairs"), "roomy": micro.RandomRoomy} {
		var compared, all, executions, blocked, dpor, dporBlocked int
		for p := range trials(70, random, *largest/4) {
			compared++
			all += run(p.m, strategy.NewOptimal(), 2**largest).executions
			for k, order := range []string{"nested", "", "fifo", "lca"} {
				s := strategy.NewOptimal().Compare(p.m.Look, k == 0)
				d := strategy.NewDPOR(true).Compare(p.m.Look)
				if k > 0 {
					s.Prefer(orderOf(t, order))
					d.Prefer(orderOf(t, order))
				} else {
					d.Nest()
				}
				got, dgot := run(p.m, s, 4**largest), run(p.m, d, 4**largest)
				if why := outcomesFault(got.outcomes, p.want.outcomes); why != "" || s.Partial() != "" || !got.complete || got.twice {
					t.Errorf("program %d, order %q: optimal: %s %s %v\n%s", p.number, order, why, s.Partial(), got.twice, p.text)
				}
				if why := outcomesFault(dgot.outcomes, p.want.outcomes); why != "" || d.Partial() != "" || !dgot.complete {
					t.Errorf("program %d, order %q: dpor: %s %s\n%s", p.number, order, why, d.Partial(), p.text)
				}
				if k == 0 {
					executions += got.executions
					blocked += got.blocked
					dpor += dgot.executions
					dporBlocked += dgot.blocked
				}
			}
		}
		t.Logf("%s: %d programs, %d executions; with contexts %d and %d redundant ones, dpor %d and %d", name, compared, all, executions, blocked, dpor, dporBlocked)
	}
}

// TestContextStepsActors: likewise of random programs of actors.
func TestContextStepsActors(t *testing.T) {
	for i, random := range []func(*rand.Rand) *actorprog.Program{actorprog.Random, actorprog.RandomCounted} {
		compared, executions, blocked := 0, 0, 0
		for seed := range uint64(*contextPrograms) {
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
					s := strategy.NewOptimal().Compare(m.Look, k == 0)
					if k > 0 {
						s.Prefer(orderOf(t, order))
					}
					r := perform(m, s)
					if why := outcomesFault(r.finals, want); why != "" || s.Partial() != "" {
						t.Errorf("program %d/%d, model %d, order %q: %s %s", i, seed, model, order, why, s.Partial())
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

var _ explore.Strategy
