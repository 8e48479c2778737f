package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var keepGoing = flag.Int("failures", 1, "failing programs after which a comparison of random programs ends")

// TestOptimal compares optimal with exhaustive search: the same outcomes, and one execution for each trace, none of
// them cut off. Of a program that can crash only the outcomes are compared: a crash hides what would have come next.
func TestOptimal(t *testing.T) {
	compared, executions, failed := 0, 0, 0
	blocked := map[uint64]int{}
	for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 1)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest)
		if !want.complete {
			continue
		}
		compared++
		s := strategy.NewOptimal()
		got := run(m, s, 2**largest)
		executions += got.executions
		if why := optimalFault(s, got, want); why != "" {
			failed++
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
		if got.blocked > 0 {
			blocked[n] = got.blocked
		}
	}
	t.Logf("%d programs, %d executions, blocked in programs that can crash: %v", compared, executions, blocked)
}

// TestOptimalMail is the same, with mailboxes under either delivery model.
func TestOptimalMail(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		compared, failed := 0, 0
		for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
			text := micro.RandomMail(rand.New(rand.NewPCG(n, uint64(7+i))), model)
			m := micro.New(micro.Parse(text))
			want := run(m, strategy.NewExhaustive(), *largest)
			if !want.complete {
				continue
			}
			compared++
			s := strategy.NewOptimal()
			if why := optimalFault(s, run(m, s, 2**largest), want); why != "" {
				failed++
				t.Errorf("%s, program %d: %s\n%s", model, n, why, text)
			}
		}
		t.Logf("%s: %d programs", model, compared)
	}
}

// optimalFault says what is wrong with what optimal saw.
func optimalFault(s *strategy.Optimal, got, want *seen) string {
	switch {
	case len(missing(want.outcomes, got.outcomes)) > 0:
		return fmt.Sprintf("outcomes lost: %q", missing(want.outcomes, got.outcomes))
	case len(missing(got.outcomes, want.outcomes)) > 0:
		return fmt.Sprintf("outcomes invented: %q", missing(got.outcomes, want.outcomes))
	case len(missing(want.traces, got.traces)) > 0:
		return fmt.Sprintf("%d of %d traces lost", len(missing(want.traces, got.traces)), len(want.traces))
	case s.Partial() != "":
		return s.Partial()
	case want.crashes > 0:
		return ""
	case got.executions != len(want.traces) || got.blocked > 0:
		return fmt.Sprintf("%d executions and %d blocked of %d traces", got.executions, got.blocked, len(want.traces))
	}
	return ""
}

// rotated begins with alternative number shift + depth * step.
type rotated struct{ shift, step int }

// Rank implements strategy.Order.
func (r rotated) Rank(s *trace.State, dst []int32) []int32 {
	n := len(s.Alts)
	for i := range s.Alts {
		dst = append(dst, int32((i-(r.shift+r.step*s.Depth)%n+n)%n))
	}
	return dst
}

// TestOptimalOrders: the number of executions does not depend on which process goes on first.
func TestOptimalOrders(t *testing.T) {
	compared := 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 4)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest/4)
		if !want.complete {
			continue
		}
		compared++
		for shift := range 4 {
			for step := range 3 {
				s := strategy.NewOptimal()
				s.Prefer(rotated{shift, step})
				if why := optimalFault(s, run(m, s, 2**largest), want); why != "" {
					t.Fatalf("program %d, from alternative %d + %d for each step: %s\n%s", n, shift, step, why, text)
				}
			}
		}
	}
	t.Logf("%d programs", compared)
}

// TestOptimalWide: stations that do not keep their alternatives lose nothing without saying so.
func TestOptimalWide(t *testing.T) {
	defer strategy.SetWide(strategy.SetWide(1))
	compared := 0
	for n := range uint64(*programs) / 3 {
		text := micro.Random(rand.New(rand.NewPCG(n, 5)))
		m := micro.New(micro.Parse(text))
		want := run(m, strategy.NewExhaustive(), *largest/4)
		s := strategy.NewOptimal()
		if got := run(m, s, 2**largest); want.complete && s.Partial() == "" {
			compared++
			if why := optimalFault(s, got, want); why != "" {
				t.Fatalf("program %d: %s\n%s", n, why, text)
			}
		}
	}
	t.Logf("%d programs", compared)
}
