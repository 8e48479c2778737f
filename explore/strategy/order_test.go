package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
)

// orderNames are the values of -order that are built; the empty one is none.
var orderNames = []string{"", "fifo", "eca", "lca"}

func orderOf(t *testing.T, name string) strategy.Order {
	o, err := strategy.NewOrder(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// refuser is a strategy that is not for all programs.
type refuser interface {
	explore.Strategy
	Refused() string
}

// TestRandomActors compares both forms of Fig. 2, with and without sleep sets, under each order, with exhaustive search: the same
// outcomes and the same traces, and TransDPOR never needs more than DPOR. With sleep sets no trace is run twice. Larger
// programs are compared with dpor and sleep sets.
func TestRandomActors(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		for size := 1; size <= 2; size++ {
			compared, executions := 0, map[string]int{}
			for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
				text := micro.RandomActors(rand.New(rand.NewPCG(n, uint64(20+i))), model, size)
				oracle := explore.Strategy(strategy.NewExhaustive())
				if size > 1 {
					oracle = strategy.NewDPOR(true)
				}
				want := run(micro.New(micro.Parse(text)), oracle, *largest/10)
				if !want.complete {
					continue
				}
				compared++
				executions["exhaustive"] += want.executions
				executions["traces"] += len(want.traces)
				compareActors(t, fmt.Sprintf("%s, size %d, program %d", model, size, n), text, want, executions)
			}
			t.Logf("%s, size %d: %d programs: %v", model, size, compared, executions)
		}
	}
}

func compareActors(t *testing.T, what, text string, want *seen, executions map[string]int) {
	m := micro.New(micro.Parse(text))
	for _, order := range orderNames[1:] {
		for _, sleep := range []bool{false, true} {
			dpor, trans := strategy.NewActorDPOR(sleep, orderOf(t, order)), strategy.NewTransDPOR(sleep, orderOf(t, order))
			all, some := run(m, dpor, 20**largest), run(m, trans, 20**largest)
			what := fmt.Sprintf("%s, order %s, sleep sets %v", what, order, sleep)
			check(t, what+", dpor", text, all, want)
			check(t, what+", transdpor", text, some, want)
			if !sleep && trans.Steps() > dpor.Steps() || some.executions > all.executions {
				t.Errorf("%s: transdpor %d/%d, dpor %d/%d\n%s", what, some.executions, trans.Steps(), all.executions, dpor.Steps(), text)
			}
			if sleep && (all.twice || some.twice) {
				t.Errorf("%s: some trace was run twice\n%s", what, text)
			}
			if why := dpor.Refused() + trans.Refused(); why != "" {
				t.Errorf("%s: %s\n%s", what, why, text)
			}
			executions[fmt.Sprint("dpor ", sleep)] += all.executions
			executions[fmt.Sprint("transdpor ", sleep)] += some.executions
		}
	}
}
