package strategy_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// Receives that add up, +<-c: whoever receives several in a row can tell the sum only.

// TestSumsRandom compares with exhaustive search, and with observers alone, as TestJointRandom
// does.
func TestSumsRandom(t *testing.T) { compareJoint(t, micro.RandomSums, 27) }

// sum is n receives that add up.
func sum(n int) string { return strings.Repeat("+<-c; ", n) }

// TestSums has programs whose numbers follow from their definitions.
func TestSums(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"all of 6", manySend("012345", sum(6)), 1},
		{"and there are no more", manySend("012345", sum(7)), 1},
		{"which of 4 come first", manySend("0123", sum(2)+"load v; "+sum(2)), 6}, // 4 over 2
		{"two of 5", manySend("01234", sum(2)), 10},                              // 5 over 2
		{"the last one is told", manySend("0123", sum(3)+"<-c"), 4},
		{"a sum is looked at", manySend("0123", sum(2)+"if 3 0; "+sum(2)), 6},
		{"equal values without a group", manySend("0000", take(4)), 1},
		// which two come first
		{"a part of equal values is a group", manySend("0000", take(2)+sum(2)), 6},
		{"a group and others", manySend("012", "<-c; "+sum(2)), 3},
	} {
		s, got := joint(micro.New(micro.Parse(c.text)), 100000)
		if got.executions != c.want || got.blocked > 0 || len(got.classes) != c.want ||
			s.Summary().Partial != "" {
			t.Errorf("%s: %d executions, %d blocked, %d classes, want %d; %s",
				c.name, got.executions, got.blocked, len(got.classes), c.want, s.Summary().Partial)
		}
	}
}
