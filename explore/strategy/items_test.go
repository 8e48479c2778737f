package strategy_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// inPieces is a search by items, each for a random number of executions, as one strategy.
type inPieces struct {
	*dpor.Search // of the item under way
	k            *items.Keeper
	rnd          *rand.Rand
	id           uint64
	left         int
	done         int              // items
	twins        bool             // begin one after the other
	chained      explore.Strategy // Search, if so
}

func newInPieces(seed uint64) *inPieces {
	return &inPieces{k: items.New(), rnd: rand.New(rand.NewPCG(seed, 3))}
}

// Begin implements explore.Strategy.
func (p *inPieces) Begin() bool {
	for {
		if p.Search != nil && p.left > 0 && p.chained.Begin() {
			p.left--
			return true
		}
		if p.Search != nil {
			left := p.Search.Leave(p.rnd.IntN(3))
			if !p.k.Accept(p.id, &left) {
				panic("a result is refused: " + left.Whole)
			}
			p.done++
		}
		if p.k.Done() {
			return false
		}
		p.id, _ = p.k.Take()
		p.Search, p.left = dpor.Below(p.k.Item(p.id)), 1+p.rnd.IntN(9)
		if p.chained = p.Search; p.twins {
			p.chained = symmetry.NewPiece(p.Search)
		}
	}
}

// Choose implements explore.Strategy.
func (p *inPieces) Choose(s *trace.State) int { return p.chained.Choose(s) }

// End implements explore.Strategy.
func (p *inPieces) End(x *trace.Execution) { p.chained.End(x) }

// TestItemsTwins: items in which twins begin one after the other see what one search in which they
// do sees: each trace once, and the outcomes with their counts.
func TestItemsTwins(t *testing.T) {
	compared, pieces, fewer := 0, 0, 0
	for i, model := range []string{"go", "bag", "pairs"} {
		for n := range uint64(80) {
			text := micro.RandomTwins(rand.New(rand.NewPCG(n, uint64(131+i))),
				strings.TrimPrefix(model, "go"))
			m := micro.New(micro.Parse(text))
			all := compareTwins(m, unhashed{&symmetry.Chained{Strategy: exhaustive.New()}},
				*largest/20, nil)
			if !all.complete || all.crashes > 0 {
				continue
			}
			one := run(m, unhashed{symmetry.New(func() *dpor.Search { return dpor.New(true) })},
				1<<20)
			s := newInPieces(n)
			s.twins = true
			got := run(m, unhashed{s}, 1<<20)
			if got.executions != len(all.traces) || !maps.Equal(got.outcomes, one.outcomes) ||
				!maps.Equal(got.traces, one.traces) {
				t.Fatalf("%s, program %d: %d executions of %d traces; %v, want %v\n%s", model, n,
					got.executions, len(all.traces), got.outcomes, one.outcomes, text)
			}
			compared, pieces = compared+1, pieces+s.done
			if plain := run(m, dpor.New(true), 1<<20); plain.executions > got.executions {
				fewer++
			}
		}
	}
	t.Logf("%d programs in %d items, %d with fewer executions than without twins", compared,
		pieces, fewer)
	if 2*pieces < 3*compared || fewer*10 < compared {
		t.Error("too few items, or twins, tell anything")
	}
}

// TestItemsReal: items over the controlled runtime see what exhaustive search over the machine
// does, also where there are more processes than a state keeps; and no trace twice.
func TestItemsReal(t *testing.T) {
	const programs = 200
	compared, pieces := 0, 0
	for n := range uint64(programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 91)))
		m := micro.Parse(text)
		want := run(micro.New(m), exhaustive.New(), 5000)
		if !want.complete || want.crashes > 0 {
			continue
		}
		compared++
		s := newInPieces(n)
		compareReal(t, &real{p: m}, s, want, text)
		pieces += s.done
		got := run(micro.New(m), newInPieces(n), 1<<20)
		if got.twice || got.executions != len(want.traces) {
			t.Fatalf("program %d: %d executions of %d traces, twice: %v\n%s", n, got.executions,
				len(want.traces), got.twice, text)
		}
	}
	t.Logf("%d programs in %d items", compared, pieces)
	if pieces < 2*compared {
		t.Error("too few items tell anything")
	}
}

// TestItemsModels: likewise under the other delivery models.
func TestItemsModels(t *testing.T) {
	for _, model := range []string{"actor", "pairs"} {
		for c := range trials(92, mail(model), 4000) {
			s := newInPieces(c.number)
			got := run(c.m, s, 1<<20)
			if why := outcomesFault(got.outcomes, c.want.outcomes); why != "" {
				t.Fatalf("program %d, %s: %s\n%s", c.number, model, why, c.text)
			}
			if c.want.crashes == 0 && (got.twice || got.executions != len(c.want.traces)) {
				t.Fatalf("program %d, %s: %d executions of %d traces\n%s", c.number, model,
					got.executions,
					len(c.want.traces), c.text)
			}
		}
	}
}

// TestItemsSpinning: what is held back at a node is left out, as it is at a station of one search.
func TestItemsSpinning(t *testing.T) {
	for name, body := range map[string]func(gate.TB){
		"polling": polling, "yielding": yielding, "tryingLock": tryingLock,
	} {
		ex := executor.New(gate.Test{Name: "Test", Run: body}, world.Config{MaxSteps: 10000})
		want := explore.Run(ex, dpor.New(true), explore.Limits{MaxExecutions: 1100}, nil)
		for seed := range uint64(20) {
			s := newInPieces(seed)
			got := explore.Run(ex, s, explore.Limits{MaxExecutions: 1100}, nil)
			if s.k.Partial(0) != want.Reason || got.Executions != want.Executions {
				t.Errorf("%s in %d items: %d executions, %q, want %d, %q", name, s.done,
					got.Executions, s.k.Partial(0), want.Executions, want.Reason)
			}
		}
	}
}
