package strategy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestMeetingsRandom compares with exhaustive search, and with observers alone, as TestJointRandom does, where channels have no room.
func TestMeetingsRandom(t *testing.T) {
	compareJoint(t, func(r *rand.Rand) string { return micro.RandomMeetings(r, false) }, 28)
}

// TestMeetingSumsRandom is TestMeetingsRandom where most receives add up.
func TestMeetingSumsRandom(t *testing.T) {
	compareJoint(t, func(r *rand.Rand) string { return micro.RandomMeetings(r, true) }, 29)
}

// TestMeetingClasses: executions of one class show one outcome, so that it does not matter which of them is run.
func TestMeetingClasses(t *testing.T) {
	executions, classes := 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs)/2; n++ {
		text := micro.RandomMeetings(rand.New(rand.NewPCG(n, 30)), n%2 == 1)
		m := micro.New(micro.Parse(text))
		shown := map[uint64]string{}
		var order depend.Order
		s := strategy.NewExhaustive()
		for k := 0; k < *largest/20 && s.Begin(); k++ {
			x := m.Execute(s, false)
			s.End(x)
			if x.End != trace.Quiet || order.Observe(x, 0, depend.Together) > 0 {
				continue
			}
			executions++
			if before, known := shown[order.Hash()]; known && before != m.Observed() {
				t.Fatalf("program %d: one class shows %q and %q\n%s", n, before, m.Observed(), text)
			}
			shown[order.Hash()] = m.Observed()
		}
		classes += len(shown)
	}
	t.Logf("%d executions of %d classes", executions, classes)
}

// unbuffered is manySend through a channel without room.
func unbuffered(values, main string) string {
	_, rest, _ := strings.Cut(manySend(values, main), "\n")
	return "chan c\n" + rest
}

// TestMeetings has programs whose numbers follow from their definitions.
func TestMeetings(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"all of 6", unbuffered("000000", take(6)), 1},
		{"none of 6", unbuffered("000000", ""), 1},
		{"all of 6, and there are no more", unbuffered("000000", take(7)), 1},
		{"two of 5", unbuffered("00000", take(2)), 10}, // 5 over 2
		{"which of 4 come first", unbuffered("0000", take(2)+"load v; "+take(2)), 6},
		{"which of 4 come before a process starts", unbuffered("0000", take(2)+"go F; "+take(2)) + "*F: <-d\n", 6},
		{"sums, all of 6", unbuffered("012345", sum(6)), 1},
		{"sums, and there are no more", unbuffered("012345", sum(7)), 1},
		{"sums, two of 5", unbuffered("01234", sum(2)), 10},
		{"sums, which of 4 come first", unbuffered("0123", sum(2)+"load v; "+sum(2)), 6},
		{"the last one is told", unbuffered("0123", sum(3)+"<-c"), 4},
		{"a group and others", unbuffered("012", "<-c; "+sum(2)), 3},
		{"a sum is looked at", unbuffered("0123", sum(2)+"if 3 0; "+sum(2)), 6},
		{"two senders that send twice", "chan c\nmain: +<-c; +<-c; +<-c; +<-c\nS: c<-1; c<-2\nT: c<-3; c<-4\n", 1},
		{"two senders that send twice, of which one is left over", "chan c\nmain: +<-c; +<-c; +<-c\nS: c<-1; c<-2\nT: c<-3; c<-4\n", 2},
		{"range until a close", "chan c\nwg w\nmain: add w 3; go S; go S; go S; go C; " + take(4) + "\n*S: c<-0; add w -1\n*C: wait w; close c\n", 1},
	} {
		s, got := joint(micro.New(micro.Parse(c.text)), 100000)
		if got.executions != c.want || got.blocked > 0 || len(got.classes) != c.want || s.Partial() != "" {
			t.Errorf("%s: %d executions, %d blocked, %d classes, want %d; %s", c.name, got.executions, got.blocked, len(got.classes), c.want, s.Partial())
		}
	}
}

// TestMeetingTraps has programs that lose an outcome if two meetings commute that are of no joint one, or if it is not told who is left
// over.
func TestMeetingTraps(t *testing.T) {
	for _, c := range []struct {
		name, text string
		outcomes   int
	}{
		{"one receive", "chan c\natomic x\nR: <-c; load x\nP: store x 1; c<-0\nQ: c<-0\n", 3},
	} {
		m := micro.New(micro.Parse(c.text))
		s, got := joint(m, 1000)
		want := watch(m, strategy.NewExhaustive(), *largest, s.Least, true)
		if why := jointFault(s, got, want, nil, true); why != "" || len(got.outcomes) != c.outcomes {
			t.Errorf("%s: %d outcomes, want %d; %s", c.name, len(got.outcomes), c.outcomes, why)
		}
	}
}
