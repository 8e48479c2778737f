package strategy_test

import (
	"flag"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/internal/lab/actorprog"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var (
	contextPrograms = flag.Int("contexts", 24,
		"explore `n` random programs of actors with context-sensitive independence")
	firstContext = flag.Uint64("firstcontext", 0, "number of the first of them")
)

// searchContext explores p by dpor with sleep sets. adapt says what it does with contexts; nil:
// there are none.
func searchContext(p *actorprog.Program, model int32, order string,
	adapt func(*dpor.Search)) *troupe {
	m := actorprog.New(p, model)
	s := dpor.New(true)
	if adapt != nil {
		s.Compare(m.Look, true)
		adapt(s)
	}
	if o, _ := search.NewOrder(order); o != nil {
		s.Prefer(o)
	}
	return perform(m, s)
}

// contextual is how the strategy is made for the command.
func contextual(*dpor.Search) {}

// TestContextFib: the two results that an actor of Fib waits for meet again in one state. With the
// order of calls each pair is reversed once and cut off there, and each other order is a matter of
// more executions.
func TestContextFib(t *testing.T) {
	for _, c := range []struct{ n, all, executions, blocked, fifo int }{{3, 4, 2, 1, 4},
		{4, 16, 2, 3, 14}, {5, 128, 2, 6, 58}, {6, 4096, 2, 11, 631}} {
		if c.n < 6 {
			if r := searchContext(actorprog.Fib(c.n), trace.Bag, "", nil); r.executions != c.all {
				t.Errorf("fib(%d): %d executions without contexts, want %d", c.n, r.executions,
					c.all)
			}
		}
		r := searchContext(actorprog.Fib(c.n), trace.Bag, "", contextual)
		f := searchContext(actorprog.Fib(c.n), trace.Bag, "fifo", contextual)
		if r.executions != c.executions || r.blocked != c.blocked ||
			f.executions+f.blocked != c.fifo ||
			len(r.finals) != 1 {
			t.Errorf("fib(%d): %d executions and %d redundant ones, %d and %d fifo", c.n,
				r.executions,
				r.blocked, f.executions, f.blocked)
		}
	}
}

// TestContextRandom: with contexts the final states of random programs are all there are.
func TestContextRandom(t *testing.T) {
	var compared, executions, all int
	for seed := range uint64(*contextPrograms) {
		seed += *firstContext
		p := actorprog.Random(rand.New(rand.NewPCG(seed, 1)))
		for _, model := range []int32{trace.Bag, trace.Pairs} {
			want, ok := actorprog.All(p, model, 2000, 14)
			if !ok {
				continue
			}
			compared++
			plain := searchContext(p, model, "", nil)
			all += plain.executions + plain.blocked
			for _, order := range []string{"", "fifo", "lca"} {
				r := searchContext(p, model, order, contextual)
				if !maps.Equal(r.finals, want) {
					t.Errorf("program %d, model %d, order %q: final states missing %v", seed, model,
						order,
						missing(want, r.finals))
				}
				if order == "" {
					executions += r.executions + r.blocked
				}
			}
		}
	}
	t.Logf("%d programs, %d executions, redundant ones included, without contexts, %d with them",
		compared, all, executions)
	if compared < *contextPrograms || executions >= all {
		t.Error("too little was compared, or nothing was saved")
	}
}

// TestTrapContext: if the races with what follows a state are not looked for, final states are
// lost.
func TestTrapContext(t *testing.T) {
	for seed, lost := range map[uint64]int{90: 1, 221: 2, 235: 1} {
		p := actorprog.Random(rand.New(rand.NewPCG(seed, 1)))
		want, _ := actorprog.All(p, trace.Bag, 500, 14)
		hasty := searchContext(p, trace.Bag, "", func(s *dpor.Search) { s.Context.Hasty = true })
		if n := len(missing(want, hasty.finals)); n != lost {
			t.Errorf("program %d: %d final states are lost, want %d", seed, n, lost)
		}
		if r := searchContext(p, trace.Bag, "", contextual); !maps.Equal(r.finals, want) {
			t.Errorf("program %d: final states missing %v", seed, missing(want, r.finals))
		}
	}
}
