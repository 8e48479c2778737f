package strategy_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

func TestNew(t *testing.T) {
	for _, c := range []struct {
		name string
		o    strategy.Options
		want string
	}{
		{"auto", strategy.Options{}, ""},
		{"exhaustive", strategy.Options{}, ""},
		{"dpor", strategy.Options{Sleep: true}, ""},
		{"random", strategy.Options{Seed: 7}, ""},
		{"optimal", strategy.Options{}, ""},
		{"optimal", strategy.Options{Sleep: true}, "-sleep does not apply to strategy optimal"},
		{"pop", strategy.Options{}, ""},
		{"pop", strategy.Options{Order: "fifo"}, "-order does not apply to strategy pop"},
		{"pct", strategy.Options{Seed: 7}, ""},
		{"pos", strategy.Options{}, ""},
		{"surw", strategy.Options{}, ""},
		{"pct", strategy.Options{Sleep: true}, "-sleep does not apply to strategy pct"},
		{"surw", strategy.Options{Order: "lca"}, "-order does not apply to strategy surw"},
		{"best", strategy.Options{}, `there is no strategy "best"`},
		{"random", strategy.Options{Sleep: true}, "-sleep does not apply to strategy random"},
		{"dpor", strategy.Options{Order: "eca"}, ""},
		{"dpor", strategy.Options{Order: "eca", Model: "pairs", Sleep: true}, ""},
		{"transdpor", strategy.Options{Order: "fifo", Model: "actor"}, ""},
		{"race", strategy.Options{Order: "lca", Model: "pairs"}, ""},
		{"race", strategy.Options{Sleep: true}, "-sleep does not apply to strategy race"},
		{"optimal", strategy.Options{Order: "lca"}, ""},
		{"dpor", strategy.Options{Order: "lifo"}, `there is no order "lifo"`},
	} {
		s, err := strategy.New(c.name, c.o)
		if got := text(err); got != c.want || (s == nil) != (err != nil) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestSeed: a seed gives the same executions.
func TestSeed(t *testing.T) {
	m := micro.New(micro.Parse(nsenders(5)))
	first := explore.Choices(m.Execute(sample.NewRandom(3), false))
	if again := explore.Choices(m.Execute(sample.NewRandom(3), false)); !slices.Equal(first, again) {
		t.Error("one seed, two executions")
	}
}
