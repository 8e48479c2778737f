package strategy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/optimal/tasks"
	"github.com/rehearse-go/rehearse/internal/lab/actorprog"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// knowledge is what the facts of a program of actors say of a run of it.
type knowledge struct {
	m     *actorprog.Machine
	p     *actorprog.Program
	model int32
	names []string // of classes and kinds, by the numbers of handlers.Ref
}

func (k *knowledge) number(name string) int {
	i := slices.Index(k.names, name)
	if i < 0 {
		i = len(k.names)
		k.names = append(k.names, name)
	}
	return i
}

// DeliveryBy implements strategy.Facts, as does what follows.
func (k *knowledge) DeliveryBy(_ *trace.Op, a trace.Alt) (d handlers.Delivery, ok bool) {
	ref := handlers.Ref{Actor: k.number(k.m.Class(a.Proc)), Handler: k.number(k.m.Kind(a))}
	return handlers.Delivery{Handlers: []handlers.Ref{ref}}, true
}

func (k *knowledge) Hopeful(*handlers.Delivery) bool { return true }

func (k *knowledge) Plain(*handlers.Delivery) bool { return true }

func (k *knowledge) Commute(a, b *handlers.Delivery) (why handlers.Why, ok bool) {
	x, y := a.Handlers[0], b.Handlers[0]
	return handlers.Why{First: x, Second: y},
		k.p.Independent(k.model, k.names[x.Actor], k.names[x.Handler], k.names[y.Handler])
}

func (k *knowledge) Rounds(d *handlers.Delivery) (sends int, ok bool) {
	class := k.names[d.Handlers[0].Actor]
	if k.p.End[class] == nil {
		sends = math.MaxInt
	}
	return sends, k.p.Rounds[class] > 0
}

func (k *knowledge) InOrder(a, b *handlers.Delivery) bool { return true }

func (k *knowledge) Sent(trace.Message) (v any, ok bool) { return nil, true }

// TestOptimalTasksExamples: the paper's Fig. 3 (Albert et al.), where p commutes with both m and t,
// which do not commute, and so two orders are left: if only neighbours were in a race, one of m, p,
// t would never be reversed. In Pi no two tasks commute, and in Fib neither. The keeper is told of
// the target before it has to tell (then add and double have two orders) or after.
func TestOptimalTasksExamples(t *testing.T) {
	for _, c := range []struct {
		p          *actorprog.Program
		executions int
	}{{actorprog.Registry(), 2}, {actorprog.Pi(5), 120}, {actorprog.Fib(4), 16},
		{actorprog.Keeper(), 3}} {
		m := actorprog.New(c.p, trace.Bag)
		for _, order := range orderNames {
			s := tasks.New(&knowledge{m: m, p: c.p, model: trace.Bag}, orderOf(t, order))
			r := perform(m, s)
			if r.executions != c.executions || len(r.traces) != c.executions || r.blocked > 0 {
				t.Errorf("order %q: %d executions and %d blocked, want %d", order, r.executions,
					r.blocked,
					c.executions)
			}
		}
	}
}

// TestOptimalTasksRandom: with facts, one execution is run for each class of orders, and no final
// state is lost.
func TestOptimalTasksRandom(t *testing.T) {
	for i, random := range []func(*rand.Rand) *actorprog.Program{actorprog.Random,
		actorprog.RandomCounted} {
		var compared, executions, steps int
		for seed := range *troupes {
			p := random(rand.New(rand.NewPCG(seed, uint64(31+i))))
			for _, model := range []int32{trace.Bag, trace.Pairs} {
				want, ok := actorprog.Classes(p, model, 1000)
				if !ok {
					continue
				}
				compared++
				s := compareOptimalTasks(t, fmt.Sprintf("%d/%d", i, seed), p, model, want)
				executions += want
				steps += s
			}
		}
		t.Logf("%d programs, %d executions, %d without facts", compared, executions, steps)
		if executions > steps*9/10 && *troupes > 20 {
			t.Error("facts leave out too little")
		}
	}
}

// compareOptimalTasks explores p, whose orders are of so many classes, and returns how many
// executions there are without facts.
func compareOptimalTasks(t *testing.T, name string, p *actorprog.Program, model int32,
	classes int) (steps int) {
	t.Helper()
	finals, _ := actorprog.All(p, model, 100000, 30)
	m := actorprog.New(p, model)
	for _, order := range orderNames {
		s := tasks.New(&knowledge{m: m, p: p, model: model}, orderOf(t, order))
		got := perform(m, s)
		why := outcomesFault(got.finals, finals)
		if why == "" {
			why = s.Summary().Partial
		}
		if got.executions != classes || got.blocked > 0 || len(got.traces) != classes ||
			why != "" ||
			!s.Last().Distinct {
			t.Errorf(
				"program %s, model %d, order %q: %d executions and %d blocked, of %d traces, want %d; %s",
				name, model, order, got.executions, got.blocked, len(got.traces), classes, why)
		}
	}
	return perform(m, tasks.New(ignorance{}, nil)).executions
}

// ignorance knows nothing of any task.
type ignorance struct{ *knowledge }

func (ignorance) DeliveryBy(*trace.Op, trace.Alt) (d handlers.Delivery, ok bool) { return d, false }

// TestOptimalTasksWithoutFacts: without facts what is run is what optimal runs, in programs whose
// actors may wait for one mailbox and then another, end, or crash.
func TestOptimalTasksWithoutFacts(t *testing.T) {
	compared, executions := 0, 0
	for i, model := range []string{"bag", "pairs"} {
		for n := range *troupes {
			text := micro.RandomActors(rand.New(rand.NewPCG(n, uint64(40+i))), model, 3)
			if n%5 == 4 {
				text += fmt.Sprintf("\nZ: <-a0; %s", []string{"panic x", "exit 1", "a0<-1"}[n%3])
			}
			m := micro.New(micro.Parse(text))
			want := run(m, optimal.New(), 20000)
			if !want.complete {
				continue
			}
			for _, name := range orderNames {
				s := tasks.New(ignorance{}, orderOf(t, name))
				got := run(m, unhashed{s}, 40000)
				if s.Summary().Refusal != nil {
					continue
				}
				compared++
				executions += got.executions
				why := outcomesFault(got.outcomes, want.outcomes)
				switch {
				case why != "":
				case len(missing(want.traces, got.traces))+
					len(missing(got.traces, want.traces)) > 0:
					why = "not the same traces"
				case s.Summary().Partial != "":
					why = s.Summary().Partial
				case want.crashes == 0 && (got.executions != want.executions || got.blocked > 0):
					why = fmt.Sprintf("%d executions and %d blocked, want %d", got.executions,
						got.blocked,
						want.executions)
				}
				if why != "" {
					t.Errorf("%s, program %d, order %q: %s\n%s", model, n, name, why, text)
				}
			}
		}
	}
	t.Logf("%d searches, %d executions", compared, executions)
}

// unhashed is a strategy without its hash.
type unhashed struct{ explore.Strategy }

// Last implements explore.Strategy.
func (unhashed) Last() explore.Last { return explore.Last{} }
