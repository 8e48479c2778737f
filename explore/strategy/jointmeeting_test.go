package strategy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestMeetingsRandom compares with exhaustive search, and with observers alone, as TestJointRandom
// does, where channels have no room, or little.
func TestMeetingsRandom(t *testing.T) { compareJoint(t, meetings(false), 28) }

// TestMeetingSumsRandom is TestMeetingsRandom where most receives add up.
func TestMeetingSumsRandom(t *testing.T) { compareJoint(t, meetings(true), 29) }

func meetings(sums bool) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return micro.RandomMeetings(r, sums) }
}

// TestMeetingClasses: executions of one class show one outcome, so that it does not matter which of
// them is run.
func TestMeetingClasses(t *testing.T) {
	executions, classes := 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs)/2; n++ {
		text := micro.RandomMeetings(rand.New(rand.NewPCG(n, 30)), n%2 == 1)
		m := micro.New(micro.Parse(text))
		shown := map[uint64]string{}
		var order depend.Order
		s := exhaustive.New()
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
		{"which of 4 come before a process starts",
			unbuffered("0000", take(2)+"go F; "+take(2)) + "*F: <-d\n", 6},
		{"sums, all of 6", unbuffered("012345", sum(6)), 1},
		{"sums, and there are no more", unbuffered("012345", sum(7)), 1},
		{"sums, two of 5", unbuffered("01234", sum(2)), 10},
		{"sums, which of 4 come first", unbuffered("0123", sum(2)+"load v; "+sum(2)), 6},
		{"the last one is told", unbuffered("0123", sum(3)+"<-c"), 4},
		{"a part of equal values is a group", unbuffered("0000", take(2)+sum(2)), 6},
		{"a group and others", unbuffered("012", "<-c; "+sum(2)), 3},
		{"a sum is looked at", unbuffered("0123", sum(2)+"if 3 0; "+sum(2)), 6},
		{"two senders that send twice",
			"chan c\nmain: +<-c; +<-c; +<-c; +<-c\nS: c<-1; c<-2\nT: c<-3; c<-4\n", 1},
		{"two senders that send twice, of which one is left over",
			"chan c\nmain: +<-c; +<-c; +<-c\nS: c<-1; c<-2\nT: c<-3; c<-4\n", 2},
		{"range until a close", "chan c\nwg w\nmain: add w 3; go S; go S; go S; go C; " + take(4) +
			"\n*S: c<-0; add w -1\n*C: wait w; close c\n", 1},
	} {
		s, got := joint(micro.New(micro.Parse(c.text)), 100000)
		if got.executions != c.want || got.blocked > 0 || len(got.classes) != c.want ||
			s.Summary().Partial != "" {
			t.Errorf("%s: %d executions, %d blocked, %d classes, want %d; %s", c.name,
				got.executions,
				got.blocked, len(got.classes), c.want, s.Summary().Partial)
		}
	}
}

// TestMeetingTraps has programs that lose an outcome, or run something twice, by a rule that is too
// simple.
func TestMeetingTraps(t *testing.T) {
	for _, c := range []struct {
		name, text         string
		outcomes, expected int
	}{
		// All meetings of a receiver commute: it would not be told who is left over, or comes only
		// after a look at something.
		{"one receive", "chan c\natomic x\nR: <-c; load x\nP: store x 1; c<-0\nQ: c<-0\n", 3, 3},
		{"in between", "chan c\natomic x\nR: +<-c; load x; +<-c\nP: store x 1; c<-1\nQ: c<-2\n", 3,
			3},
		{"who starts",
			"chan c\natomic x\nR: <-c; go F; <-c\n*F: load x\nP: store x 1; c<-0\nQ: c<-0\n",
			2, 3},
		{"the rest of a run",
			"chan c\natomic x\nR: <-c; <-c; load x; <-c\nP: store x 1; c<-0\nQ: c<-0\nS: c<-0\n",
			2, 4},
		{"nobody receives from one", "chan c\nR: +<-c; +<-c\nP: c<-1\nQ: c<-2\nS: c<-3\n", 3, 3},
		{"the second send is left over",
			"chan c\natomic x\nR: +<-c; +<-c\nP: c<-1; store x 1; c<-2\nQ: load x; c<-3\n", 4, 4},
		{"another receiver",
			"chan c\natomic x\nR: +<-c; +<-c; load x\nO: +<-c\nP: c<-1; store x 1\nQ: c<-2\nS: c<-3\n",
			6,
			6},
		{"another value", "chan c\nR: <-c; <-c; <-c\nP: c<-0\nQ: c<-0\nS: c<-1\n", 3, 4},
		{"by select", "chan c\natomic x\nR: select <-c; load x; <-c\nP: store x 1; c<-0\nQ: c<-0\n",
			2,
			3},
		{"a sender that may do something else",
			"chan c\nchan d 1\nR: +<-c; +<-c\nP: select c<-1 | d<-1\nQ: c<-2\nS: c<-3\n", 3, 5},
		{"closed in between", "chan c\nR: +<-c; +<-c; +<-c\nP: c<-1\nQ: c<-2; close c\n", 2, 2},
		// They are done when the last one is: who sends first could not do anything that another
		// sender waits for.
		{"one waits for another one",
			"chan c\natomic x\nR: +<-c; +<-c\nP: c<-1; store x 1\nQ: load x; if 1 1; c<-2\n", 2, 2},
		{"all in a row",
			"chan c\nchan d 2\nR: +<-c; +<-c; +<-c\nP: c<-1; d<-0\nQ: <-d; c<-2; d<-0\nS: <-d; c<-3\n",
			2,
			2},
		// A value in the buffer is as good as received: of two senders only one goes on
		// before the receiver comes, and it is seen which.
		{"room for one",
			"chan c 1\natomic x\nR: store x 1; +<-c; +<-c\nP: c<-1; load x\nQ: c<-2; load x\n", 3,
			4},
	} {
		m := micro.New(micro.Parse(c.text))
		s, got := joint(m, 1000)
		want := watch(m, exhaustive.New(), *largest, s.Least, true)
		if why := jointFault(s, got, want, nil, true); why != "" ||
			len(got.outcomes) != c.outcomes ||
			got.executions != c.expected {
			t.Errorf("%s: %d outcomes, want %d; %d executions, want %d; %s", c.name,
				len(got.outcomes),
				c.outcomes, got.executions, c.expected, why)
		}
	}
}
