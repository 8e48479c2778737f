package strategy_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
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

// TestReplay: a seed gives the same executions, a schedule the same execution, and one that is not
// possible an error.
func TestReplay(t *testing.T) {
	m := micro.New(micro.Parse(nsenders(5)))
	first := explore.Choices(m.Execute(strategy.NewRandom(3), false))
	if again := explore.Choices(m.Execute(strategy.NewRandom(3), false)); !equal(first, again) {
		t.Error("one seed, two executions")
	}
	if again := explore.Choices(m.Execute(strategy.NewReplay(first, false), false)); !equal(first, again) {
		t.Error("the replay differs")
	}
	wrong := append([]trace.Alt{{Proc: 9, Partner: -1}}, first...)
	r := explore.Run(m, strategy.NewReplay(wrong, false), explore.Limits{}, nil)
	if len(r.Findings) != 1 || r.Findings[0].Kind != explore.Nondeterminism {
		t.Errorf("an impossible choice: %+v", r)
	}
	lenient := strategy.NewReplay(wrong, true)
	if again := explore.Choices(m.Execute(lenient, false)); !equal(first, again) || lenient.Skipped() != 1 {
		t.Errorf("the lenient replay skips %d choices and differs", lenient.Skipped())
	}
}

func equal(a, b []trace.Alt) bool {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
