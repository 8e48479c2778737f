package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestRaceSubjects has the executions that race variants need for the papers' subjects: as many as there are inequivalent ones.
func TestRaceSubjects(t *testing.T) {
	for _, subject := range []struct {
		name, text string
		traces     int
	}{
		{"registry", registry, 6}, {"fib(3)", fib(3), 4}, {"fib(4)", fib(4), 16}, {"quicksort6", quicksort(6), 32},
		{"pi3", pi(3), 6}, {"pi5", pi(5), 120},
	} {
		for _, order := range orderNames {
			s := strategy.NewRace()
			s.Prefer(orderOf(t, order))
			r := run(micro.New(micro.Parse(subject.text)), s, 100000)
			if len(r.traces) != subject.traces || r.executions != subject.traces || r.blocked > 0 || s.Partial() != "" {
				t.Errorf("%s, %s: %d executions of %d traces, want %d; %s", subject.name, order, r.executions, len(r.traces), subject.traces, s.Partial())
			}
		}
	}
}

// TestRaceActors explores random programs of actors: all outcomes, all traces, no execution cut off, and few run twice.
func TestRaceActors(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		compared, executions, traces, most := 0, 0, 0, 0
		for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
			text := micro.RandomActors(rand.New(rand.NewPCG(n, uint64(31+i))), model, 1+int(n%3))
			m := micro.New(micro.Parse(text))
			want := run(m, strategy.NewExhaustive(), *largest)
			if !want.complete {
				continue
			}
			compared++
			s := strategy.NewRace()
			s.Prefer(orderOf(t, orderNames[n%uint64(len(orderNames))]))
			got := run(m, s, 2**largest)
			check(t, fmt.Sprintf("%s, program %d", model, n), text, got, want)
			if len(got.traces) != len(want.traces) || got.blocked > 0 || got.executions < len(got.traces) || s.Partial() != "" {
				t.Errorf("program %d: %d executions of %d traces, want %d; %d blocked; %s\n%s",
					n, got.executions, len(got.traces), len(want.traces), got.blocked, s.Partial(), text)
			}
			executions, traces, most = executions+got.executions, traces+len(got.traces), max(most, len(got.traces))
		}
		t.Logf("%s: %d programs, %d executions of %d traces, of one program up to %d", model, compared, executions, traces, most)
	}
}

// TestRacePartial: in programs in which other things are in a race, nothing is invented, and what is said to be complete is.
func TestRacePartial(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		complete, compared := 0, 0
		for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
			text := micro.RandomMail(rand.New(rand.NewPCG(n, uint64(7+i))), model)
			m := micro.New(micro.Parse(text))
			want := run(m, strategy.NewExhaustive(), *largest)
			if !want.complete {
				continue
			}
			compared++
			s := strategy.NewRace()
			got := run(m, s, 2**largest)
			if s.Partial() == "" {
				complete++
				check(t, fmt.Sprintf("%s, program %d", model, n), text, got, want)
			} else if more := missing(got.outcomes, want.outcomes); len(more) > 0 {
				t.Errorf("%s, program %d: outcomes invented: %q\n%s", model, n, more, text)
			}
		}
		t.Logf("%s: %d programs, %d of them complete", model, compared, complete)
	}
}

var _ = slices.Sort[[]int]
var _ = strings.Join
var _ trace.Kind
