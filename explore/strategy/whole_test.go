package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// whole makes every test of random programs of this package run 1000 of each kind, as continuous
// integration does not:
//
//	go test ./explore/strategy -whole -timeout 0
//
// TestEvery compares each strategy under each order; the others also what only some strategies
// promise. Two that need real programs are in packages internal/lab/states (stateful search that
// compares) and internal/lab/differ (facts).
var whole = flag.Bool("whole", false, "1000 random programs of each kind")

func TestMain(m *testing.M) {
	flag.Parse()
	if *whole {
		*programs, *troupes, *timedPrograms, *each = 1000, 1000, 1000, 1000
	}
	os.Exit(m.Run())
}

var each = flag.Int("each", 10,
	"random programs of each kind that are explored with every strategy")

// kind is a kind of random programs.
type kind struct {
	name  string
	model string // delivery model
	make  func(r *rand.Rand) string
}

// kinds has all delivery models: channels with and without buffers, select, close, locks, several
// receivers; channels of one receiver that are never full, which are what graph is for; mailboxes
// among the former; and actors that do nothing but send and receive.
func kinds() []kind {
	list := []kind{{"channels", "go", micro.Random}, {"roomy", "go", micro.RandomRoomy},
		{"owned", "go", owned}}
	for model, name := range map[string]string{"actor": "bag", "pairs": "pairs"} {
		list = append(list,
			kind{"mail " + name, model, func(r *rand.Rand) string {
				return micro.RandomMail(r, name)
			}},
			kind{"actors " + name, model, func(r *rand.Rand) string {
				return micro.RandomActors(r, name, 1)
			}})
	}
	slices.SortFunc(list, func(a, b kind) int { return strings.Compare(a.name, b.name) })
	return list
}

func owned(r *rand.Rand) string { return micro.RandomOwned(r, 2+r.IntN(3)) }

// way is a strategy as the command's flags make it.
type way struct {
	name    string // of the strategy
	options strategy.Plan
	samples int // executions of one that never ends; 0: it ends
	auto    bool
}

func (w way) String() string {
	text := w.name
	if w.auto {
		return "auto"
	}
	if w.options.Sleep {
		text += "+sleep"
	}
	if w.options.Observed {
		text += "+observed"
	}
	if w.options.Stateful.Breadth {
		text += "+bfs"
	}
	if w.options.Stateful.Big {
		text += "+big"
	}
	return strings.TrimSpace(text + " " + w.options.Order)
}

// ways lists every strategy of the table under every order that applies to it, and stateful search
// in every way but those that compare.
func ways(model string, seed uint64) (list []way) {
	list = append(list, way{name: "optimal", options: strategy.Plan{Observed: true}})
	for i := range strategy.Table {
		r := &strategy.Table[i]
		switch {
		case !slices.Contains(r.Models, model), r.Name == "exhaustive":
		case r.Name == "auto" && model != "go": // see options.Plan
			list = append(list, way{name: "dpor", options: strategy.Plan{Seed: seed, Sleep: true},
				auto: true})
		case r.Name == "auto":
			list = append(list, way{name: "auto", options: strategy.Plan{Seed: seed}, auto: true})
		case r.Endless:
			list = append(list, way{name: r.Name, options: strategy.Plan{Seed: seed}, samples: 40})
		case slices.Contains(r.Takes, "order"):
			list = append(list, ordered(r, model)...)
		case r.Name == "stateful":
			for i := range 4 {
				o := stateful.Options{Breadth: i%2 > 0, Big: i/2 > 0, Macro: model != "go"}
				list = append(list, way{name: r.Name, options: strategy.Plan{Stateful: o}})
			}
		default:
			list = append(list, way{name: r.Name})
		}
	}
	return list
}

// ordered lists a strategy under every order, with sleep sets and without.
func ordered(r *strategy.Row, model string) (list []way) {
	for _, order := range orderNames {
		o := strategy.Plan{Order: order, Model: model}
		if list = append(list, way{name: r.Name, options: o}); slices.Contains(r.Takes, "sleep") {
			o.Sleep = true
			list = append(list, way{name: r.Name, options: o})
		}
	}
	return list
}

// score is what a way has done on all programs of a kind.
type score struct {
	complete, refused, partial, executions, blocked int
	saw                                             int // outcomes
}

// TestEvery explores random programs of each kind with every strategy under every order: the same
// outcomes as exhaustive search. A strategy that samples, that refuses a program or says that it
// has left something out, invents none.
func TestEvery(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			scores, order := map[string]*score{}, []string{}
			compared, outcomes := 0, 0
			for n := *firstOne; n < *firstOne+uint64(*each); n++ {
				text := k.make(rand.New(rand.NewPCG(n, 31)))
				m := micro.New(micro.Parse(text))
				want := run(m, exhaustive.New(), *largest/4)
				if !want.complete {
					continue
				}
				compared, outcomes = compared+1, outcomes+len(want.outcomes)
				for _, w := range ways(k.model, n) {
					if scores[w.String()] == nil {
						scores[w.String()], order = &score{}, append(order, w.String())
					}
					if why := scores[w.String()].compare(t, m, w, want); why != "" {
						t.Fatalf("program %d, %v: %s\n%s", n, w, why, text)
					}
				}
			}
			t.Logf("%d of %d programs, %d outcomes", compared, *each, outcomes)
			for _, name := range order {
				t.Logf("%-20s %+v", name, *scores[name])
			}
			if compared < *each/2 {
				t.Error("too few programs are small enough")
			}
		})
	}
}

// compare explores m in one way, and says what is wrong with what that has seen.
func (c *score) compare(t *testing.T, m *micro.Machine, w way, want *seen) string {
	w.options.Name = w.name
	s, err := strategy.New(w.options)
	if err != nil {
		t.Fatal(err)
	}
	limit := 20 * *largest
	if w.samples > 0 {
		limit = w.samples
	}
	runs := s
	if w.options.Observed {
		runs = unhashed{s} // its traces are others
	}
	got := run(m, runs, limit)
	c.executions, c.blocked, c.saw = c.executions+got.executions, c.blocked+got.blocked,
		c.saw+len(got.outcomes)
	left := leftOut(s)
	switch {
	case w.samples > 0:
	case left == "refused":
		c.refused++
	case left != "":
		c.partial++
	case got.complete:
		c.complete++
	default:
		return fmt.Sprintf("not at an end after %d executions", limit)
	}
	if more := missing(got.outcomes, want.outcomes); len(more) > 0 {
		return fmt.Sprintf("outcomes invented: %q", more)
	}
	if lost := missing(want.outcomes, got.outcomes); len(lost) > 0 && left == "" && w.samples == 0 {
		return fmt.Sprintf("outcomes lost: %q", lost)
	}
	return ""
}

// leftOut says what s has left out, if it says so.
func leftOut(s explore.Strategy) string {
	sum := s.Summary()
	if sum.Refusal != nil {
		return "refused"
	}
	return sum.Partial
}
