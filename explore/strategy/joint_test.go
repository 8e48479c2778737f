package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// joint explores m with optimal and joint receives.
func joint(m *micro.Machine, limit int) (*optimal.Search, *observing) {
	s := optimal.New()
	s.Equal()
	return s, watch(m, s, limit, s.Least, true)
}

// TestJointRandom compares with exhaustive search, and with observers alone: the same outcomes, an
// execution of each class, and not more executions.
func TestJointRandom(t *testing.T) { compareJoint(t, micro.RandomEqual, 25) }

// compareJoint does it for one kind of random programs.
func compareJoint(t *testing.T, random func(*rand.Rand) string, seed uint64) {
	var compared, executions, blocked, classes, plain, failed int
	for n := *firstOne; n < *firstOne+uint64(*programs)/2 && failed < *keepGoing; n++ {
		text := random(rand.New(rand.NewPCG(n, seed)))
		p := micro.Parse(text)
		m := micro.New(p)
		want := watch(m, exhaustive.New(), *largest/4, none, true)
		if !want.complete {
			continue
		}
		s, got := joint(m, 2**largest)
		if s.Least() != 0 {
			want = watch(m, exhaustive.New(), *largest/4, s.Least, true)
		}
		_, without := observed(m, 2**largest)
		compared++
		if why := jointFault(s, got, want, without, oneLooks(p)); why != "" {
			failed++
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
		if want.crashes == 0 {
			executions, blocked, classes, plain = executions+got.executions, blocked+got.blocked,
				classes+len(want.classes), plain+without.executions
		}
	}
	t.Logf(
		"%d programs; those that cannot crash have %d classes: %d executions, %d more are cut off; %d with observers alone",
		compared, classes, executions, blocked, plain)
}

func none() int32 { return 0 }

// TestJointOrders: nor is anything lost if other processes go on first.
func TestJointOrders(t *testing.T) {
	for n := range uint64(*programs) / 6 {
		random := [...]func(*rand.Rand) string{micro.RandomEqual, micro.RandomSums, meetings(false),
			meetings(true)}[n%4]
		text := random(rand.New(rand.NewPCG(n, 26)))
		p := micro.Parse(text)
		m := micro.New(p)
		for shift := range 3 {
			s := optimal.New()
			s.Equal()
			s.Prefer(rotated{shift, shift})
			got := watch(m, s, *largest, s.Least, true)
			want := watch(m, exhaustive.New(), *largest/8, s.Least, true)
			if why := jointFault(s, got, want, nil, oneLooks(p)); want.complete && why != "" {
				t.Fatalf("program %d, from alternative %d on: %s\n%s", n, shift, why, text)
			}
		}
	}
}

// jointFault compares the results of a program with those of exhaustive search and, if there are
// any, with those without joint receives. Without exact, only outcomes are compared: what commutes
// in a part of an execution may not commute in the whole of it, because another process looks at
// the channel then, and one execution stands for classes that differ in nothing that anybody can
// tell.
func jointFault(s *optimal.Search, got, want, without *observing, exact bool) string {
	switch why := outcomesFault(got.outcomes, want.outcomes); {
	case !got.complete:
		return "the search does not end"
	case why != "":
		return why
	case exact && len(missing(want.classes, got.classes)) > 0:
		return fmt.Sprintf("%d of %d classes lost", len(missing(want.classes, got.classes)),
			len(want.classes))
	case s.Summary().Partial != "":
		return s.Summary().Partial
	case without != nil && got.executions > without.executions:
		return fmt.Sprintf("%d executions, and %d without joint receives", got.executions,
			without.executions)
	case without != nil && want.crashes == 0 &&
		got.executions+got.blocked > without.executions+without.blocked:
		return fmt.Sprintf("%d executions, %d cut off; without joint receives %d, %d",
			got.executions,
			got.blocked, without.executions, without.blocked)
	}
	return ""
}

// oneLooks reports whether no channel of p is looked at by more than one process, in any execution.
func oneLooks(p *micro.Program) bool {
	looks := map[int32]int{}
	several := false
	see := func(q int, obj int32) {
		if by, known := looks[obj]; known && by != q {
			several = true
		}
		looks[obj] = q
	}
	for q := range p.Procs {
		for _, s := range p.Procs[q].Code {
			if s.Kind == trace.Recv || s.Kind == trace.Len {
				see(q, s.Obj)
			}
			for _, c := range s.Cases {
				if s.Default || c.Kind == trace.Recv {
					see(q, c.Obj)
				}
			}
		}
	}
	return !several
}

// manySend is a program in which main does what it says, and n processes send a digit of values
// each.
func manySend(values, main string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "chan c %d\nchan d 2\natomic v\nmain: %s\n", len(values), main)
	for i, v := range values {
		fmt.Fprintf(&b, "S%d: c<-%c\n", i, v)
	}
	return b.String()
}

// take is n receives.
func take(n int) string { return strings.Repeat("<-c; ", n) }

// TestJoint has programs whose numbers follow from their definitions.
func TestJoint(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"all of 6", manySend("000000", take(6)), 1},
		{"none of 6", manySend("000000", ""), 1},
		{"all of 6, and there are no more", manySend("000000", take(7)), 1},
		// each of the others comes before or after it
		{"one of 6 is another one", manySend("000001", take(6)), 32},
		{"which of 4 come first", manySend("0000", take(2)+"load v; "+take(2)), 6}, // 4 over 2
		{"which of 4 come before a process starts",
			manySend("0000", take(2)+"go F; "+take(2)) + "*F: <-d\n", 6},
		// which one is left for it
		{"a select is no plain receive", manySend("000", take(2)+"select <-c | <-d"), 3},
		// 5 over 2
		{"two of 5", manySend("00000", take(2)), 10},
		{"who receives asks for len", manySend("000", take(3)+"len c"), 1},
		{"range until a close",
			"chan c 3\nwg w\nmain: add w 3; go S; go S; go S; go C; " + take(4) +
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

// TestJointTwoValues: of 4 sends of two values each class is explored, some more than once, for
// what is asked for is the value that comes next, and not how many of the same are to follow it.
func TestJointTwoValues(t *testing.T) {
	s, got := joint(micro.New(micro.Parse(manySend("0011", take(4)))), 1000)
	// 0011, 1100; 0110, 1001 twice; 0101, 1010 four times
	if len(got.classes) != 14 || got.executions > 19 || s.Summary().Partial != "" {
		t.Errorf("%d executions of %d classes, want at most 19 of 14; %s", got.executions,
			len(got.classes), s.Summary().Partial)
	}
}

// TestJointNot: where others can tell how far a joint receive has come, it is none.
func TestJointNot(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"len", manySend("000", take(3)) + "L: len c\n"},
		{"a select with default that receives",
			manySend("000", take(3)) + "L: select <-c | default\n"},
		{"a select with default that sends",
			manySend("000", take(3)) + "L: select c<-0 | default\n"},
		{"two receivers", manySend("000", take(2)) + "L: <-c\n"},
		{"two receivers, one with select", manySend("000", take(2)) + "L: select <-c | <-d\n"},
		{"no room", strings.Replace(manySend("000", take(3)), "chan c 3", "chan c 2", 1)},
		{"values differ", manySend("012", take(3))},
		{"an operation in between", manySend("000", "<-c; load v; <-c; load v; <-c")},
		{"another channel in between",
			manySend("000", "<-c; <-d; <-c; <-d; <-c") + "D: d<-0; d<-0\n"},
	} {
		m := micro.New(micro.Parse(c.text))
		_, plain := observed(m, 10000)
		if s, got := joint(m, 10000); got.executions != plain.executions ||
			s.Summary().Partial != "" {
			t.Errorf("%s: %d executions, and %d without joint receives; %s", c.name, got.executions,
				plain.executions, s.Summary().Partial)
		}
	}
}

// TestJointTraps has programs that lose an outcome if two sends of equal values commute where more
// than one joint receive, or none, takes them: which one was taken tells who has come how far.
func TestJointTraps(t *testing.T) {
	for _, c := range []struct {
		name, text string
		outcomes   int
	}{
		// P has stored 1 if it is its value that R has got, and may not have if it is that of Q.
		{"one receive", "chan c 2\natomic x\nR: <-c; load x\nP: store x 1; c<-0\nQ: c<-0\n", 2},
		{"in between", "chan c 2\natomic x\nR: <-c; load x; <-c\nP: store x 1; c<-0\nQ: c<-0\n", 2},
		{"who starts",
			"chan c 2\natomic x\nR: <-c; go F; <-c\n*F: load x\nP: store x 1; c<-0\nQ: c<-0\n",
			2},
		{"two channels",
			"chan c 2\nchan d 2\natomic x\nR: <-c; d<-7; <-c\nS: <-d; load x\nP: store x 1; c<-0\nQ: c<-0\n",
			2},
		{"the rest of a run",
			"chan c 3\natomic x\nR: <-c; <-c; load x; <-c\nP: store x 1; c<-0\nQ: c<-0\nS: c<-0\n",
			2},
		{"stuck in a run",
			"chan c 3\nchan d 1\natomic x\nR: <-c; <-c; <-c; load x\nP: store x 1; c<-0\nQ: c<-0\nS: load x; if 1 1; c<-0\n",
			2},
		{"by select",
			"chan c 2\natomic x\nR: select <-c; load x; <-c\nP: store x 1; c<-0\nQ: c<-0\n", 2},
	} {
		m := micro.New(micro.Parse(c.text))
		s, got := joint(m, 1000)
		want := watch(m, exhaustive.New(), *largest, s.Least, true)
		if why := jointFault(s, got, want, nil, true); why != "" ||
			len(got.outcomes) != c.outcomes {
			t.Errorf("%s: %d outcomes, want %d; %s", c.name, len(got.outcomes), c.outcomes, why)
		}
	}
}

// TestUpdatesCommute: calls of Done of a WaitGroup have no order, nor have calls of Add.
func TestUpdatesCommute(t *testing.T) {
	m := micro.New(micro.Parse(
		"wg w\nwg v\nmain: add w 5; go W; go W; go W; go W; go W; wait w; wait v\n*W: add v 1; add w -1\n"))
	if s, got := joint(m, 1000); got.executions != 1 || s.Summary().Partial != "" {
		t.Errorf("%d executions, want 1; %s", got.executions, s.Summary().Partial)
	}
}
