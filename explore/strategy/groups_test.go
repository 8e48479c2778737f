package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// grouping notes whether the groups of all executions were matched.
type grouping struct {
	explore.Strategy
	groups    depend.Groups
	unmatched bool
}

func (g *grouping) End(x *trace.Execution) {
	if x.End != trace.Cut && !g.groups.Matched(x) {
		g.unmatched = true
	}
	g.Strategy.End(x)
}

// withGroups makes random programs with two WaitGroups, whose Dones have Adds of their own most of
// the time.
func withGroups(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("group v\ngroup w\nchan a 2\nmutex m\natomic n\n")
	var names []string
	for i := range 2 + r.IntN(2) {
		names = append(names, fmt.Sprintf("*W%d", i))
	}
	stmt := func(child bool) string {
		w := string("vw"[r.IntN(2)])
		k := r.IntN(15)
		switch {
		case k < 3:
			return "add " + w + " 1"
		case k < 5 && !child:
			return "add " + w + " 1; go W" + fmt.Sprint(r.IntN(len(names)))
		case k < 6:
			return "wait " + w
		case k < 7:
			return "add " + w + " 1; add " + w + " -1"
		case k < 8 && r.IntN(3) == 0:
			return "add " + w + " -1"
		case k < 9:
			return fmt.Sprintf("store n %d", r.IntN(3))
		case k < 10:
			return "load n"
		case k < 11:
			return "lock m; unlock m"
		case k < 14:
			return []string{"sum", "sum", "unite"}[r.IntN(3)] + " n 1"
		}
		return []string{"a<-1", "<-a", "add " + w + " 2"}[r.IntN(3)]
	}
	code := func(n int, child bool) string {
		var list []string
		for range n {
			list = append(list, stmt(child))
		}
		if child && r.IntN(4) > 0 {
			list = append(list, fmt.Sprintf("add %c -1", "vw"[r.IntN(2)]))
		}
		return strings.Join(list, "; ")
	}
	fmt.Fprintf(&b, "main: %s\n", code(2+r.IntN(3), false))
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "other: %s\n", code(1+r.IntN(2), false))
	}
	for _, name := range names {
		fmt.Fprintf(&b, "%s: %s\n", name, code(r.IntN(3), true))
	}
	return b.String()
}

// TestNestedGroups: each of three members of a group starts three more, and each of these three
// more. There are thousands of ways to part the Adds from their Dones, and no Wait can come before
// all of them.
func TestNestedGroups(t *testing.T) {
	text := "group w\nmain: " + strings.Repeat("add w 1; go A; ", 3) + "wait w\n" +
		"*A: " + strings.Repeat("add w 1; go B; ", 3) + "add w -1\n" +
		"*B: " + strings.Repeat("add w 1; go C; ", 3) + "add w -1\n" +
		"*C: add w -1\n"
	for name, s := range map[string]explore.Strategy{"optimal": optimal.New(), "pop": pop.New()} {
		if got := run(micro.New(micro.Parse(text)), s, 100); !got.complete || got.executions != 1 {
			t.Errorf("%s: %d executions, complete: %v; want 1", name, got.executions, got.complete)
		}
		if why := s.Summary().Partial; why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// TestGroups explores random programs with the order of Adds and Dones and without: the outcomes
// are the same, or both see that some group is not matched. Without the order there is one
// execution for each trace.
func TestGroups(t *testing.T) {
	matched, all, fewer := 0, 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
		text := withGroups(rand.New(rand.NewPCG(n, 21)))
		strict := run(micro.New(micro.Parse(strings.ReplaceAll(text, "group", "wg"))),
			exhaustive.New(),
			*largest)
		m := micro.New(micro.Parse(text))
		full := &grouping{Strategy: exhaustive.New()}
		want := run(m, full, *largest)
		if !strict.complete || !want.complete {
			continue
		}
		all++
		for name, s := range map[string]explore.Strategy{
			"dpor": dpor.New(false), "dpor -sleep": dpor.New(true), "optimal": optimal.New(),
			"pop": pop.New(),
		} {
			g := &grouping{Strategy: s}
			got := run(m, g, *largest)
			if g.unmatched != full.unmatched {
				t.Errorf("program %d, %s: unmatched is %v, want %v\n%s", n, name, g.unmatched,
					full.unmatched,
					text)
			}
			if full.unmatched {
				continue
			}
			if why := outcomesFault(got.outcomes, strict.outcomes); why != "" {
				t.Errorf("program %d, %s: %s\n%s", n, name, why, text)
			}
			if lost := len(missing(want.traces, got.traces)); lost > 0 ||
				name != "dpor" && got.executions != len(want.traces) {
				t.Errorf("program %d, %s: %d of %d traces lost, %d executions\n%s", n, name, lost,
					len(want.traces), got.executions, text)
			}
		}
		if !full.unmatched {
			matched++
			if len(want.traces) < len(strict.traces) {
				fewer++
			}
		}
	}
	t.Logf("%d programs, %d of them matched, %d of those with fewer traces", all, matched, fewer)
	if matched < all/10 || fewer == 0 {
		t.Errorf("too few programs tell anything")
	}
}
