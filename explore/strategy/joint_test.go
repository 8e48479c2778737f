package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
)

// joint explores m with optimal and joint receives.
func joint(m *micro.Machine, limit int) (*strategy.Optimal, *observing) {
	s := strategy.NewOptimal()
	s.Equal()
	return s, watch(m, s, limit, s.Least, true)
}

// TestJointRandom compares with exhaustive search: the same outcomes, and an execution of each class; and not more
// executions than without joint receives.
func TestJointRandom(t *testing.T) {
	var compared, executions, blocked, classes, plain, failed int
	for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
		text := micro.RandomEqual(rand.New(rand.NewPCG(n, 25)))
		m := micro.New(micro.Parse(text))
		s, got := joint(m, 2**largest)
		want := watch(m, strategy.NewExhaustive(), *largest, s.Least, true)
		if !want.complete {
			continue
		}
		_, without := observed(m, 2**largest)
		compared++
		if why := jointFault(s, got, want, without); why != "" {
			failed++
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
		if want.crashes == 0 {
			executions, blocked, classes, plain = executions+got.executions, blocked+got.blocked, classes+len(want.classes), plain+without.executions
		}
	}
	t.Logf("%d programs; those that cannot crash have %d classes: %d executions, %d more are cut off; %d with observers alone", compared, classes, executions, blocked, plain)
}

func jointFault(s *strategy.Optimal, got, want, without *observing) string {
	switch {
	case !got.complete:
		return "the search does not end"
	case len(missing(want.outcomes, got.outcomes)) > 0:
		return fmt.Sprintf("outcomes lost: %q", missing(want.outcomes, got.outcomes))
	case len(missing(got.outcomes, want.outcomes)) > 0:
		return fmt.Sprintf("outcomes invented: %q", missing(got.outcomes, want.outcomes))
	case len(missing(want.classes, got.classes)) > 0:
		return fmt.Sprintf("%d of %d classes lost", len(missing(want.classes, got.classes)), len(want.classes))
	case s.Partial() != "":
		return s.Partial()
	case got.executions+got.blocked > without.executions+without.blocked:
		return fmt.Sprintf("%d executions, %d blocked, and without joint receives %d, %d", got.executions, got.blocked, without.executions, without.blocked)
	}
	return ""
}
