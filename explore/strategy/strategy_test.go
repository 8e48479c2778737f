package strategy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestRows: each row makes a strategy that explores, and is written as the other ones are.
func TestRows(t *testing.T) {
	m := micro.New(micro.Parse(nsenders(3)))
	for i := range strategy.Table {
		r := &strategy.Table[i]
		s, err := strategy.New(strategy.Plan{Name: r.Name, Model: r.Models[0]})
		if err != nil {
			t.Fatal(err)
		}
		got := explore.Run(m, s, explore.Limits{MaxExecutions: 100}, nil)
		if sum := s.Summary(); got.Executions == 0 ||
			sum.Partial == "" && r.Endless == got.Complete {
			t.Errorf("%s: %d executions, complete: %v", r.Name, got.Executions, got.Complete)
		}
		if strategy.Find(r.Name) != r || r.Help == "" || len(r.Help) > 90 ||
			strings.ContainsAny(r.Help, "\n") {
			t.Errorf("%s: help %q", r.Name, r.Help)
		}
		for list, of := range map[*[]string][]string{&r.Takes: strategy.Flags,
			&r.Models: strategy.Models,
			&r.Words:  strategy.Words} {
			for _, word := range *list {
				if !slices.Contains(of, word) {
					t.Errorf("%s: %s is none of %v", r.Name, word, of)
				}
			}
		}
	}
}

func TestNew(t *testing.T) {
	for want, p := range map[string]strategy.Plan{
		`there is no strategy "best"`: {Name: "best"},
		`there is no order "lifo"`:    {Name: "dpor", Order: "lifo"},
	} {
		if s, err := strategy.New(p); s != nil || err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestSeed: a seed gives the same executions.
func TestSeed(t *testing.T) {
	m := micro.New(micro.Parse(nsenders(5)))
	first := explore.Choices(m.Execute(sample.NewRandom(3), false))
	if again := explore.Choices(m.Execute(sample.NewRandom(3), false)); !slices.Equal(first,
		again) {
		t.Error("one seed, two executions")
	}
}
