package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// classOf describes the execution graph of x: for each process what it has done, and what it has received. So it is all that
// anybody sees, and nothing else.
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
		r.outcomes[outcome(m)] = true
		if g, ok := s.(*strategy.Graph); ok {
			r.deepest = max(r.deepest, g.Depth())
		}
	}
	r.complete = true
	return r
}

var eachProcess = regexp.MustCompile(`[0-9.]*\[[^]]*\][!0-9]*`)

// outcome is what the processes have observed, whatever the order in which they were started.
func outcome(m *micro.Machine) string {
	parts := eachProcess.FindAllString(m.Observed(), -1)
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// graphFault says what is wrong with what graph saw.
func graphFault(got, want *graphs) string {
	switch {
	case got.blocked > 0:
		return fmt.Sprintf("%d cut off", got.blocked)
	case len(missing(want.classes, got.classes)) > 0:
		return fmt.Sprintf("%d of %d classes lost, of them\n%s", len(missing(want.classes, got.classes)), len(want.classes), missing(want.classes, got.classes)[0])
	case len(missing(got.classes, want.classes)) > 0:
		return fmt.Sprintf("classes invented: %s", missing(got.classes, want.classes)[0])
	case got.executions != len(want.classes):
		return fmt.Sprintf("%d executions of %d classes", got.executions, len(want.classes))
	case len(missing(want.outcomes, got.outcomes))+len(missing(got.outcomes, want.outcomes)) > 0:
		return fmt.Sprintf("outcomes %q, want %q", keys(got.outcomes), keys(want.outcomes))
	}
	return ""
}

// TestGraphRandom compares graph with exhaustive search: one execution for each class, and the same outcomes.
func TestGraphRandom(t *testing.T) {
	compared, executions, classes, deepest := 0, 0, 0, 0
	refused := map[string]int{}
	for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
		text := micro.RandomOwned(rand.New(rand.NewPCG(n, 31)), 2+int(n%3))
		m := micro.New(micro.Parse(text))
		s := strategy.NewGraph()
		got := exploreGraphs(m, s, *largest)
		if r := s.Refused(); r != nil {
			refused[r.Why]++
			continue
		}
		want := exploreGraphs(m, strategy.NewExhaustive(), *largest)
		if !want.complete {
			continue
		}
		compared++
		executions, classes, deepest = executions+want.executions, classes+got.executions, max(deepest, got.deepest)
		if why := graphFault(got, want); why != "" {
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
	}
	t.Logf("%d programs, %d classes of %d executions, up to %d graphs on the stack; refused: %v", compared, classes, executions, deepest, refused)
}

// TestGraphAndOptimal compares graph with optimal and observers, on programs that are too large to be searched exhaustively. They
// have nothing in common but what runs the program: each is an oracle for the other. Optimal may run a class twice (see observed.go),
// graph never does.
func TestGraphAndOptimal(t *testing.T) {
	compared, executions, deepest := 0, 0, 0
	var again []string
	for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
		text := micro.RandomOwned(rand.New(rand.NewPCG(n, 32)), 4+int(n%3))
		m := micro.New(micro.Parse(text))
		s := strategy.NewGraph()
		got := exploreGraphs(m, s, *largest)
		if s.Refused() != nil || !got.complete {
			continue
		}
		o := strategy.NewOptimal()
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
		if twice := want.executions + want.blocked - got.executions; twice > 0 {
			again = append(again, fmt.Sprintf("%d: %d of %d", n, twice, want.executions))
		}
	}
	t.Logf("%d programs, %d executions, up to %d graphs on the stack; optimal has run more of %v", compared, executions, deepest, again)
}
