package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/internal/lab/graph"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// classOf describes the execution graph of x: for each process what it has done, and what it has
// received. So it is all that anybody sees, and nothing else.
func classOf(x *trace.Execution) string {
	moves, at := make([]int, len(x.Procs)), map[int32][]string{}
	procs := make([]string, len(x.Procs))
	taken, logs := map[int32]int{}, 0
	for i := range x.Events {
		e := &x.Events[i]
		id := fmt.Sprintf("%s#%d", x.Procs[e.Proc].Path, moves[e.Proc])
		moves[e.Proc]++
		what := e.Kind.String()
		switch {
		case e.Kind == trace.Send:
			at[e.Obj] = append(at[e.Obj], id)
		case e.Kind == trace.Recv && !e.Closed:
			what = fmt.Sprintf("case %d from %s", e.Case, at[e.Obj][taken[e.Obj]])
			taken[e.Obj]++
		case e.Kind == trace.Recv:
			what = fmt.Sprintf("case %d closed", e.Case)
		case e.Kind == trace.Log:
			what = fmt.Sprintf("log %d", logs)
			logs++
		}
		procs[e.Proc] += what + " "
	}
	for q := range procs {
		procs[q] = x.Procs[q].Path + ": " + procs[q]
	}
	slices.Sort(procs)
	return strings.Join(procs, "\n")
}

// graphs is what a strategy saw of a program.
type graphs struct {
	executions, blocked, deepest, longest int
	classes, outcomes                     map[string]bool
	complete                              bool
}

func exploreGraphs(m *micro.Machine, s explore.Strategy, limit int) *graphs {
	r := &graphs{classes: map[string]bool{}, outcomes: map[string]bool{}}
	for s.Begin() {
		if r.executions+r.blocked >= limit {
			return r
		}
		x := m.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut {
			r.blocked++
			continue
		}
		r.executions++
		r.longest = max(r.longest, len(x.Events))
		r.classes[classOf(x)] = true
		r.outcomes[m.Observed()] = true
		if g, ok := s.(*graph.Search); ok {
			r.deepest = max(r.deepest, g.Depth())
		}
	}
	r.complete = true
	return r
}

// graphFault says what is wrong with what graph saw.
func graphFault(got, want *graphs) string {
	switch {
	case got.deepest > max(1, got.longest):
		return fmt.Sprintf("%d graphs on the stack, of executions of %d events", got.deepest,
			got.longest)
	case got.blocked > 0:
		return fmt.Sprintf("%d cut off", got.blocked)
	case len(missing(want.classes, got.classes)) > 0:
		return fmt.Sprintf("%d of %d classes lost, of them\n%s",
			len(missing(want.classes, got.classes)),
			len(want.classes), missing(want.classes, got.classes)[0])
	case len(missing(got.classes, want.classes)) > 0:
		return fmt.Sprintf("classes invented: %s", missing(got.classes, want.classes)[0])
	case got.executions != len(want.classes):
		return fmt.Sprintf("%d executions of %d classes", got.executions, len(want.classes))
	case len(missing(want.outcomes, got.outcomes))+len(missing(got.outcomes, want.outcomes)) > 0:
		return fmt.Sprintf("outcomes %q, want %q", keys(got.outcomes), keys(want.outcomes))
	}
	return ""
}

// TestGraphRandom compares graph with exhaustive search: one execution for each class, and the same
// outcomes.
func TestGraphRandom(t *testing.T) {
	compared, executions, classes, deepest := 0, 0, 0, 0
	refused := map[string]int{}
	for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
		text := micro.RandomOwned(rand.New(rand.NewPCG(n, 31)), 2+int(n%3))
		m := micro.New(micro.Parse(text))
		s := graph.New()
		got := exploreGraphs(m, s, *largest)
		if r := s.Summary().Refusal; r != nil {
			refused[r.Why]++
			continue
		}
		want := exploreGraphs(m, exhaustive.New(), *largest/8)
		if !want.complete {
			continue
		}
		compared++
		executions, classes, deepest = executions+want.executions, classes+got.executions,
			max(deepest, got.deepest)
		if why := graphFault(got, want); why != "" {
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
	}
	t.Logf("%d programs, %d classes of %d executions, up to %d graphs on the stack; refused: %v",
		compared, classes, executions, deepest, refused)
}

// TestGraphAndOptimal compares graph with optimal and observers, on programs that are too large to
// be searched exhaustively. They have nothing in common but what runs the program: each is an
// oracle for the other.
func TestGraphAndOptimal(t *testing.T) {
	compared, executions, deepest := 0, 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
		text := micro.RandomOwned(rand.New(rand.NewPCG(n, 32)), 4+int(n%3))
		m := micro.New(micro.Parse(text))
		s := graph.New()
		got := exploreGraphs(m, s, *largest)
		if s.Summary().Refusal != nil || !got.complete {
			continue
		}
		o := optimal.New()
		o.Observers()
		want := exploreGraphs(m, o, 2**largest)
		if !want.complete || o.Least() > 0 {
			continue
		}
		compared++
		executions, deepest = executions+got.executions, max(deepest, got.deepest)
		if why := graphFault(got, want); why != "" {
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
		if want.executions != got.executions || want.blocked > 0 {
			t.Errorf("program %d: %d executions of optimal, %d blocked, and %d of graph\n%s", n,
				want.executions, want.blocked, got.executions, text)
		}
	}
	t.Logf("%d programs, %d executions, up to %d graphs on the stack", compared, executions,
		deepest)
}

// TestGraphs has the programs whose numbers follow from their definitions.
func TestGraphs(t *testing.T) {
	senders := func(n, received int) string {
		return fmt.Sprintf("chan c %d\nmain: %s\n", n, strings.Repeat("<-c; ", received)) +
			numbered(n, "S%d: c<-%d\n")
	}
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nsenders(5)", senders(5, 5), 120},
		{"firstof(8)", senders(8, 1), 8},
		{"two of 5", senders(5, 2), 20},
		{"nobody receives", senders(6, 0), 1},
		{"one is missing", senders(4, 5), 24},
		{"ordered(3)",
			"chan a 1\nchan b 1\nchan c 1\nmain: <-a; <-b; <-c\nA: a<-1\nB: b<-1\nC: c<-1", 1},
		{"nworkers(3)", "chan in 2\nchan co 3\nmain: in<-1; <-in\nco: <-co; <-co; <-co; in<-2\n" +
			numbered(3, "W%d: co<-%d\n"), 12},
		{"XCHG", "chan a 2\nchan b 2\nT0: a<-1; b<-2\nT1: b<-3; a<-4\nT2: <-a; <-a\nT3: <-b; <-b",
			3},
		{"Ex3.1", "chan b 1\nchan c 2\nT0: c<-1; b<-2\nT1: <-b; c<-3\nT2: <-c; <-c", 1},
		{"a room of one, and an answer",
			"chan a 1\nchan b 1\nT0: a<-1; <-b; a<-2; <-b\nT1: <-a; b<-1; <-a; b<-2", 1},
		{"two inboxes",
			"chan a 1\nchan b 1\nmain: select <-a | <-b; select <-a | <-b\nA: a<-1\nB: b<-1",
			2},
		{"a close, and a message",
			"chan a 1\nchan b 0\nmain: select <-a | <-b; select <-a | <-b\nA: a<-1\nB: close b", 3},
		{"a close for all",
			"chan b 0\nchan c 2\nmain: <-c; <-c\nA: <-b; c<-1\nB: <-b; c<-2\nC: close b",
			2},
		{"three log", "chan a 1\nmain: log 0\nA: log 1\nB: log 2", 6},
		// The first value that main takes decides whether it logs before or after the others send.
		{"what a junk receive takes orders others",
			"chan a 2\nchan b 4\nchan c 2\nT0: b<-0; c<-1\nT1: c<-2; b<-3\nT2: <-b; a<-4\nT3: <-a; <-c; <-c\nT4: a<-5",
			6},
	} {
		m := micro.New(micro.Parse(c.text))
		s := graph.New()
		got := exploreGraphs(m, s, 100000)
		if s.Summary().Refusal != nil {
			t.Errorf("%s: %s", c.name, s.Summary().Refusal.Why)
			continue
		}
		if got.executions != c.want || got.blocked > 0 || len(got.classes) != c.want {
			t.Errorf("%s: %d executions, %d blocked, %d classes, want %d", c.name, got.executions,
				got.blocked, len(got.classes), c.want)
		}
		if all := exploreGraphs(m, exhaustive.New(), 2000); all.complete &&
			graphFault(got, all) != "" {
			t.Errorf("%s: %s", c.name, graphFault(got, all))
		}
	}
}

// numbered prints a format for each of n numbers.
func numbered(n int, format string) (text string) {
	for i := range n {
		text += fmt.Sprintf(format, i, i)
	}
	return text
}

// TestGraphRefuses has what is not for graph, with the step or the process that is to blame.
func TestGraphRefuses(t *testing.T) {
	for _, c := range []struct {
		text, want string
		step       int
		declared   int32
	}{
		{"mutex m\nA: yield; lock m", "another operation than those of channels (lock)", 1, 0},
		{"wg w\nA: add w 1", "(wgadd)", 0, 0},
		{"atomic v\nA: load v", "(load)", 0, 0},
		{"chan a 1\nA: len a", "(len)", 0, 0},
		{"chan a 1\nA: a<-1; a<-2", "a send may have to wait", -1, 1},
		{"chan a 1\nA: a<-1\nB: a<-2\nC: <-a; <-a", "a send may have to wait", 2, 0},
		{"chan a 2\nA: a<-1; a<-2; a<-3\nC: yield; yield; <-a; <-a; <-a", "a send may have to wait",
			5,
			0},
		{"chan a 2\nA: a<-1\nB: <-a\nC: <-a", "a channel has several receivers", -1, 3},
		{"chan a 2\nchan b 1\nA: a<-1\nB: <-a\nC: select <-b | <-a",
			"a channel has several receivers",
			-1, 3},
		{"chan a\nA: a<-1\nB: <-a", "a channel has no buffer", 0, 0},
		{"chan a 1\nA: select <-a | default", "a select has a default branch", 0, 0},
		{"chan a 1\nA: select a<-1", "a select has a case that sends", 0, 0},
		{"chan a 2\nA: a<-1; close a; a<-1", "a send panics", 2, 0},
		{"chan a 2\nA: a<-1\nB: close a", "a send may come after the close of its channel", 1, 0},
		{"chan a 2\nA: close a; close a", "a close panics", 1, 0},
		{"A: yield; panic out", "a process ends the program", 1, 0},
		{"A: yield; exit 1", "a process ends the program", 1, 0},
	} {
		s := graph.New()
		r := explore.Run(micro.New(micro.Parse(c.text)), s, explore.Limits{}, nil)
		got := s.Summary().Refusal
		switch {
		case got == nil:
			t.Errorf("%q is not refused: %d executions", c.text, r.Executions)
		case r.Complete || r.Reason != got.Why || !strings.Contains(got.Why, c.want):
			t.Errorf("%q: complete: %v, %q, want %q", c.text, r.Complete, got.Why, c.want)
		case got.Step != c.step || got.Declared != c.declared:
			t.Errorf("%q: step %d, process %d to blame, want %d and %d", c.text, got.Step,
				got.Declared,
				c.step, c.declared)
		}
	}
}

// TestGraphMemory: what is remembered grows with the length of an execution, and not with the
// number of executions: of n senders there are n!, and at most n graphs at a time, of 3n events
// each.
func TestGraphMemory(t *testing.T) {
	for n := 3; n <= 7; n++ {
		s := graph.New()
		m := micro.New(micro.Parse(nsenders(n)))
		most := 0
		for s.Begin() {
			x := m.Execute(s, false)
			s.End(x)
			most = max(most, s.Size())
			if s.Depth() > n || s.Size() > s.Depth()*len(x.Events) {
				t.Fatalf("%d senders: %d graphs of %d events", n, s.Depth(), s.Size())
			}
		}
		t.Logf("%d senders: up to %d events", n, most)
	}
}

// TestGraphShared has two workers, each with a machine of its own, that share nothing but nodes:
// together they run each class once.
func TestGraphShared(t *testing.T) {
	const text = "chan a 4\nchan b 3\nmain: <-a; <-a; <-a; <-b\nS0: a<-0; b<-0\nS1: a<-1; b<-1\nS2: <-c; a<-2\nS3: a<-3; b<-3; c<-1\nchan c 1"
	p := micro.Parse(text)
	want := exploreGraphs(micro.New(p), graph.New(), 100000)
	nodes, done := make(chan *graph.Graph, 10000), make(chan string, 10000)
	nodes <- &graph.Graph{}
	for range 2 {
		go func() {
			m := micro.New(p)
			for node := range nodes {
				s := graph.Below(node)
				s.Begin()
				x := m.Execute(s, false)
				s.End(x)
				class := classOf(x)
				for n := s.Share(); n != nil; n = s.Share() {
					nodes <- n
				}
				done <- class
			}
		}()
	}
	classes := map[string]bool{}
	for range want.executions {
		classes[<-done] = true
	}
	close(nodes)
	if len(missing(want.classes, classes)) > 0 || len(classes) != want.executions ||
		want.executions < 20 {
		t.Errorf("%d classes, want %d", len(classes), want.executions)
	}
	if n := len(nodes) + len(done); n > 0 {
		t.Errorf("%d executions more than those of one worker", n)
	}
}
