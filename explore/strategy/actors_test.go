package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/internal/actorprog"
	"github.com/rehearse-go/rehearse/explore/stable"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var troupes = flag.Uint64("troupes", 60, "random programs of actors")

// troupe is what an actor-level search found.
type troupe struct {
	executions, blocked int
	orders              []string        // of tasks
	finals              map[string]bool // states
	traces              map[uint64]bool
	selection           strategy.Selection
}

// variant is a way to search. Its name is "dpor fifo", "transdpor stable independent" and so on.
type variant struct {
	freeze  bool
	order   string
	marks   bool
	literal bool
	sleep   bool
}

func (v variant) String() string {
	text := "dpor "
	if v.freeze {
		text = "transdpor "
	}
	text += v.order
	if v.marks {
		text += " independent"
	}
	if v.sleep {
		text += " sleep"
	}
	if v.literal {
		text += " literal"
	}
	return text
}

func searchActors(t *testing.T, p *actorprog.Program, model int32, v variant) *troupe {
	m := actorprog.New(p, model)
	order, err := strategy.NewOrder(v.order)
	if v.order == "stable" {
		order, err = stable.New(p.Calls, m), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var tasks strategy.Tasks
	if v.marks {
		tasks = m
	}
	s := strategy.NewActors(v.freeze, v.sleep, order, tasks)
	if v.literal {
		s.Blind()
	}
	out := &troupe{finals: map[string]bool{}, traces: map[uint64]bool{}}
	for s.Begin() {
		x := m.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut {
			out.blocked++
			continue
		}
		out.executions++
		out.orders = append(out.orders, strings.Join(m.Order, ""))
		out.finals[m.Final()] = true
		out.traces[s.Hash()] = true
	}
	if why := s.Partial(); why != "" {
		t.Errorf("%v is partial: %s", v, why)
	}
	out.selection = s.Selection()
	return out
}

// TestExample1 is the paper's Example 1: from p, q on, Explore adds wk1 to back(S0), and from h on wk2, if there is no freeze flag.
func TestExample1(t *testing.T) {
	for _, v := range []variant{{order: "eca"}, {freeze: true, order: "eca"}, {order: "fifo"}, {order: "lca"}, {order: "stable"}} {
		r := searchActors(t, actorprog.Registry(), trace.Bag, v)
		t.Logf("%v: %d executions of %d traces, %+v, %v", v, r.executions, len(r.traces), r.selection, r.orders)
	}
	for n := 3; n < 5; n++ {
		for _, v := range []variant{{order: "eca"}, {freeze: true, order: "eca"}, {order: "fifo"}, {order: "lca"}, {order: "stable"}} {
			r := searchActors(t, actorprog.Fib(n), trace.Bag, v)
			t.Logf("fib(%d) %v: %d executions of %d traces, %+v", n, v, r.executions, len(r.traces), r.selection)
		}
	}
	for _, v := range []variant{{order: "eca", marks: true}, {freeze: true, order: "eca", marks: true}, {order: "stable", marks: true}} {
		r := searchActors(t, actorprog.Registry(), trace.Bag, v)
		t.Logf("%v: %d executions of %d traces, %+v, %v", v, r.executions, len(r.traces), r.selection, r.orders)
	}
}

// TestRandomTroupes compares every order and selection of tasks with brute force.
func TestRandomTroupes(t *testing.T) {
	paths, lost := map[string]int{}, map[string]int{}
	compared := 0
	for n := range *troupes {
		for _, model := range []int32{trace.Bag, trace.Pairs} {
			p := actorprog.Random(rand.New(rand.NewPCG(n, 11)))
			want, ok := actorprog.All(p, model, 5000, 9)
			if !ok {
				continue
			}
			compared++
			all := searchActors(t, p, model, variant{order: "lca"})
			for _, order := range []string{"fifo", "eca", "lca", "stable"} {
				for i := range 10 {
					v := variant{freeze: i%2 > 0, order: order, marks: i > 1 && i < 8, literal: i > 3 && i < 6, sleep: i > 5}
					r := searchActors(t, p, model, v)
					paths[v.String()] += r.executions
					if len(missing(want, r.finals)) > 0 {
						lost[v.String()]++
						t.Logf("program %d, model %d, %v", n, model, v)
					}
					if more := missing(r.finals, want); len(more) > 0 {
						t.Errorf("program %d, %v: final states invented: %q", n, v, more)
					}
					if !v.marks && len(missing(all.traces, r.traces))+len(missing(r.traces, all.traces)) > 0 {
						t.Errorf("program %d, %v: traces lost", n, v)
					}
					if r.selection.Refuted > 0 {
						t.Errorf("program %d, %v: %+v", n, v, r.selection)
					}
				}
			}
		}
	}
	t.Logf("%d programs", compared)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for k := range paths {
			yield(k)
		}
	}) {
		t.Logf("%-30s %7d paths, final states lost in %d programs", name, paths[name], lost[name])
		if lost[name] > 0 && !strings.Contains(name, "literal") {
			t.Errorf("%s lost final states in %d programs", name, lost[name])
		}
	}
}

var _ = fmt.Sprint
var _ depend.Order
