package strategy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestKeyed compares all searches with exhaustive search in programs about keys of a map and values
// of stores: nothing is lost, and optimal and pop run one execution for each trace. An offer that
// finds an entry only looks; where it was foreseen to change something, an execution may be cut
// off, and pop may run a trace twice.
func TestKeyed(t *testing.T) {
	for _, offers := range []bool{false, true} {
		all := 0
		for n := range trials(41, func(r *rand.Rand) string {
			return micro.RandomKeyed(r, offers)
		}, *largest) {
			all++
			for name, s := range map[string]explore.Strategy{
				"dpor": dpor.New(false), "dpor -sleep": dpor.New(true), "optimal": optimal.New(),
				"pop": pop.New(),
			} {
				got := run(n.m, s, *largest)
				if why := outcomesFault(got.outcomes, n.want.outcomes); why != "" {
					t.Errorf("program %d, %s: %s\n%s", n.number, name, why, n.text)
				}
				if lost := len(missing(n.want.traces, got.traces)); lost > 0 ||
					name != "dpor" && !(name == "pop" && offers) &&
						got.executions != len(n.want.traces) {
					t.Errorf("program %d, %s: %d of %d traces lost, %d executions\n%s", n.number,
						name, lost,
						len(n.want.traces), got.executions, n.text)
				}
				if !offers && name == "optimal" && got.blocked > 0 {
					t.Errorf("program %d, %s: %d executions are cut off\n%s", n.number, name,
						got.blocked, n.text)
				}
			}
		}
		t.Logf("%d programs", all)
	}
}

// TestKeyedCounts has programs whose traces can be counted by hand.
func TestKeyedCounts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		traces     int
	}{
		// D's two looks, each before or after its put
		{"four keys", "map m\nA: put m 1 1\nB: put m 2 1\nC: put m 3 1\nD: get m 1; get m 2", 4},
		{"one key, three puts", "map m\nA: put m 1 1\nB: put m 1 2\nC: put m 1 3", 6},
		// 2^3 sets of puts
		{"range sees each put", "map m\nA: put m 1 1\nB: put m 2 1\nC: put m 3 1\nD: all m", 8},
		// who is first
		{"one of three offers", "map m\nA: offer m 1 1\nB: offer m 1 2\nC: offer m 1 3", 3},
		{"equal stores", "flag v\nA: store v 1\nB: store v 1\nC: store v 1\nD: store v 1", 1},
		// which of the equal ones come before the other one
		{"two values", "flag v\nA: store v 1\nB: store v 1\nC: store v 2", 4},
		{"equal stores and a load", "flag v\nA: store v 1\nB: store v 1\nC: load v", 4},
	} {
		got := run(micro.New(micro.Parse(c.text)), optimal.New(), 1000)
		if got.executions != c.traces {
			t.Errorf("%s: %d executions, want %d", c.name, got.executions, c.traces)
		}
	}
}
