package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/race"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// vidal1 is Fig. 1 of the paper on race variants. p2 receives {val,M} with M > 0, or an error.
// Mailboxes stand for the constraints here, so {val,0}, which matches none, is in a mailbox of its
// own.
const vidal1 = `
pairs val
pairs zero
pairs error
p1: go p2; go p3; val<-1
*p2: select <-val | <-error
*p3: zero<-0; val<-2`

// TestVidalFigure1: messages 1 and 3 race, message 2 does not match. So there are two traces, and
// in each one or two orphans.
func TestVidalFigure1(t *testing.T) {
	s := race.New(nil)
	r := run(micro.New(micro.Parse(vidal1)), s, 100)
	if want := []string{"0[] 0.0[100 1] 0.1[] [] 0",
		"0[] 0.0[100 2] 0.1[] [] 0"}; !slices.Equal(keys(r.outcomes), want) || r.executions != 2 {
		t.Errorf("%d executions, outcomes %q, want 2 and %q", r.executions, keys(r.outcomes), want)
	}
	if o := s.Summary().Orphans; o.Executions != 2 || o.Choices[o.Step].Takes.Number > 0 {
		t.Errorf("orphans: %+v", o)
	}
}

// vidal4 is the program of Example 4 and Fig. 3: message i is i, and message 4 does not match the
// receive of message 2.
const vidal4 = `
pairs p1box
pairs p3box
pairs p3four
pairs p4box
p1: <-p1box; p3box<-7
p2: p3box<-2
p3: <-p3box; p4box<-3; <-p3box; <-p3four; p1box<-5; <-p3box
p4: <-p4box; p3box<-6
p5: p3box<-1; p3four<-4; p3box<-8`

// vidal4Order is the interleaving that the paper gives for Example 4: who moves.
var vidal4Order = []int32{4, 2, 1, 2, 2, 4, 2, 3, 2, 3, 0, 2, 0, 4}

// inTurn lets processes move as they are listed. If a process may take several messages, it takes
// the one that was sent first.
type inTurn []int32

// Choose implements trace.Chooser.
func (list inTurn) Choose(s *trace.State) int {
	return slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return a.Proc == list[s.Depth] })
}

// TestVidalExamples computes the race set of Example 5, {6, 8}, and the race variant of Example 6.
func TestVidalExamples(t *testing.T) {
	m := micro.New(micro.Parse(vidal4))
	x := m.Execute(inTurn(vidal4Order), false)
	if seen := m.Observed(); seen != "0[5] 1[] 2[1 2 4 6] 3[3] 4[] [] 0" {
		t.Fatalf("%v: %s", x.End, seen)
	}
	const r2 = 4 // the second receive of p3
	var set []string
	for _, a := range race.RaceSet(x, r2) {
		set = append(set, fmt.Sprintf("p%d's %d", a.Takes.Sender+1, a.Takes.Number))
	}
	if got := strings.Join(set, ", "); got != "p4's 1, p5's 3" {
		t.Errorf("the race set is %s, want messages 6 and 8: p4's 1, p5's 3", got)
	}
	got := map[int32]string{}
	for _, k := range race.Rdep(x, r2) {
		e := &x.Events[k]
		got[e.Proc] += fmt.Sprintf("%v ", e.Kind)
	}
	want := map[int32]string{1: "send ", 2: "recv send ", 3: "recv send ", 4: "send send send "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the variant has %v, want %v", got, want)
	}
}

// TestRaceSubjects has the executions that race variants need for the papers' subjects, with their
// own order and with fifo: as many as there are inequivalent ones, and some for variants that are
// beginnings of what was run.
func TestRaceSubjects(t *testing.T) {
	for _, subject := range []struct {
		name, text             string
		executions, fifo, sure int
	}{
		{"registry", registry, 6, 6, 6}, {"fib(3)", fib(3), 4, 5, 4},
		{"fib(4)", fib(4), 16, 17, 16},
		{"fib(5)", fib(5), 142, 163, 128}, {"quicksort6", quicksort(6), 34, 36, 32},
		{"pi3", pi(3), 6, 6, 6}, {"pi5", pi(5), 120, 120, 120},
	} {
		for order, want := range map[string]int{"": subject.executions, "fifo": subject.fifo} {
			s := race.New(orderOf(t, order))
			r := run(micro.New(micro.Parse(subject.text)), s, 100000)
			if len(r.traces) != subject.sure || r.executions != want || r.blocked > 0 ||
				s.Summary().Partial != "" {
				t.Errorf("%s, %s: %d executions of %d traces, want %d of %d; %s",
					subject.name, order, r.executions, len(r.traces), want, subject.sure,
					s.Summary().Partial)
			}
		}
	}
}

// TestRaceActors explores random programs of actors: all outcomes, all traces, no execution cut
// off, and few run twice. Larger programs are compared with dpor and sleep sets.
func TestRaceActors(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		for size := 1; size <= 3; size++ {
			compared, executions, traces, most := 0, 0, 0, 0
			for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
				text := micro.RandomActors(rand.New(rand.NewPCG(n, uint64(31+i))), model, size)
				oracle := explore.Strategy(exhaustive.New())
				if size > 1 {
					oracle = dpor.New(true)
				}
				m := micro.New(micro.Parse(text))
				want := run(m, oracle, *largest/20)
				if !want.complete {
					continue
				}
				s := race.New(orderOf(t, orderNames[n%uint64(len(orderNames))]))
				got := run(m, s, *largest)
				check(t, fmt.Sprintf("%s, size %d, program %d", model, size, n), text, got, want)
				if len(got.traces) != len(want.traces) || got.blocked > 0 || !got.complete ||
					s.Summary().Partial != "" {
					t.Errorf(
						"program %d: %d executions and %d blocked, of %d traces, want %d; %s\n%s",
						n, got.executions, got.blocked, len(got.traces), len(want.traces),
						s.Summary().Partial, text)
				}
				compared++
				executions, traces, most = executions+got.executions, traces+len(got.traces),
					max(most, len(got.traces))
			}
			t.Logf("%s, size %d: %d programs, %d executions of %d traces, of one program up to %d",
				model,
				size, compared, executions, traces, most)
		}
	}
}

// TestRacePartial: in programs in which other things are in a race, nothing is invented, and what
// is said to be complete is.
func TestRacePartial(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		complete, compared := 0, 0
		for p := range trials(uint64(7+i), mail(model), *largest) {
			compared++
			s := race.New(nil)
			got := run(p.m, s, 2**largest)
			if s.Summary().Partial == "" {
				complete++
				check(t, fmt.Sprintf("%s, program %d", model, p.number), p.text, got, p.want)
			} else if more := missing(got.outcomes, p.want.outcomes); len(more) > 0 {
				t.Fatalf("%s, program %d: outcomes invented: %q\n%s", model, p.number, more, p.text)
			}
		}
		t.Logf("%s: %d programs, %d of them complete", model, compared, complete)
	}
}

// TestRaceGaps: what else is in a race makes the search incomplete, and is named with its step.
func TestRaceGaps(t *testing.T) {
	for _, c := range []struct {
		program, why string
		step         int
	}{
		{"bag a\nA: <-a\nB: a<-1\nC: a<-2", "", 0},
		// B's comes first in any case
		{"bag a\nmutex m\nA: <-a; lock m; unlock m\nB: lock m; unlock m; a<-1", "", 0},
		{"bag a\nchan c 2\nA: <-a; c<-1\nB: c<-2\nC: a<-1",
			"a send of B and a send of A may come in either order", 1},
		{"bag a\nA: <-a\nB: <-a\nC: a<-1; a<-2",
			"a recv of B and a recv of A may come in either order",
			2},
		{"bag a\nA: select <-a | default\nB: a<-1",
			"a send of B and a select of A may come in either order", 0},
		{"bag a\nchan q 0\nA: select <-a | <-q\nB: a<-1\nC: close q",
			"a select has a choice that is none of messages", 2},
		{"bag a\nA: log x\nB: log y; a<-1", "a log of B and a log of A may come in either order",
			0},
		{"bag a\nA: <-a; panic x\nB: a<-1\nC: log y",
			"a log of C and the end of the program by A may come in either order", 0},
	} {
		m := micro.New(micro.Parse(c.program))
		s := race.New(nil)
		r := run(m, s, 1000)
		if c.why == "" {
			check(t, "complete", c.program, r, run(m, exhaustive.New(), 10000))
		}
		if gap := s.Summary().Gap; (gap == nil) != (c.why == "") ||
			gap != nil && (!strings.Contains(gap.Why, c.why) || s.Summary().Partial != gap.Why ||
				gap.Step != c.step) {
			t.Errorf("%+v, want %s\n%s", gap, c.why, c.program)
		}
	}
}

// TestRaceMemory: with room for few variants the search ends, and says that something was left out.
func TestRaceMemory(t *testing.T) {
	m := micro.New(micro.Parse(pi(4)))
	for _, c := range []struct{ known, waiting int }{{20, 1 << 20}, {1 << 20, 500}} {
		restore := setRaceMemory(c.known, c.waiting)
		s := race.New(nil)
		r := run(m, s, 1000)
		if !r.complete || len(r.traces) >= 24 ||
			!strings.Contains(s.Summary().Partial, "of the race variants") {
			t.Errorf("%+v: %d traces; %s", c, len(r.traces), s.Summary().Partial)
		}
		restore()
	}
}
