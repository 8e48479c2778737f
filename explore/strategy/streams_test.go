package strategy_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestStreams compares all searches with exhaustive search in programs about connections and
// addresses: nothing is lost, and optimal and pop run one execution for each trace.
func TestStreams(t *testing.T) {
	all := 0
	for n := range trials(43, micro.RandomStreams, *largest/40) {
		all++
		for name, s := range map[string]explore.Strategy{
			"dpor": dpor.New(false), "dpor -sleep": dpor.New(true), "optimal": optimal.New(),
			"pop": pop.New(), "auto": newAdaptive(),
		} {
			got := run(n.m, s, *largest)
			if why := outcomesFault(got.outcomes, n.want.outcomes); why != "" {
				t.Errorf("program %d, %s: %s\n%s", n.number, name, why, n.text)
			}
			if lost := len(missing(n.want.traces, got.traces)); name != "auto" &&
				(lost > 0 || name != "dpor" && got.executions != len(n.want.traces)) {
				t.Errorf("program %d, %s: %d of %d traces lost, %d executions\n%s", n.number, name,
					lost,
					len(n.want.traces), got.executions, n.text)
			}
		}
	}
	t.Logf("%d programs", all)
}

// TestStreamCounts has programs whose traces can be counted by hand.
func TestStreamCounts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		traces     int
	}{
		{"writes and reads commute",
			"tcp c\nA: write c 0 1; write c 0 1; write c 0 1\nB: read c 1 9; read c 1 9; read c 1 9",
			1},
		{"both directions", "unix c\nA: write c 0 1; read c 0 9\nB: write c 1 1; read c 1 9", 1},
		{"who reads first", "tcp c\nA: write c 0 1; write c 0 1\nB: read c 1 9\nC: read c 1 9", 2},
		{"who writes first", "pipe c\nA: write c 0 1\nB: write c 0 2\nC: read c 1 9; read c 1 9",
			2},
		{"an end is read after what was written",
			"tcp c\nA: write c 0 1; shut c 0 0\nB: read c 1 9; read c 1 9", 1},
		// before the write, before the read, after both: the other side closes
		{"a close beside a write", "unix c\nA: write c 0 1\nB: shut c 1 0", 2},
		// who is refused, and the order of the two
		{"dials and accepts",
			"address p\nA: listen p 1 0; accept p 1 1; accept p 1 1\nB: dial p 0 0\nC: dial p 0 0",
			6},
	} {
		got := run(micro.New(micro.Parse(c.text)), optimal.New(), 1000)
		if got.executions != c.traces {
			t.Errorf("%s: %d executions, want %d", c.name, got.executions, c.traces)
		}
	}
}
