package leaks

import (
	"flag"
	"os"
	"slices"
	"testing"
)

var (
	update  = flag.Bool("update", false, "write docs/LEAKS.md")
	replays = flag.Int("replays", 3, "run every counterexample `n` times; without -update, one that "+
		"took 3 seconds once")
)

// atLeast says how many kernels of the corpus have which verdict. A number that grows is raised
// here.
var atLeast = map[verdict]int{found: 82, silent: 2}

// excused are the kernels of which something is known not to be as it should, with the reason.
var excused = map[string]string{
	"Moby27782": "the channel whose closing is to lead to the leak is closed under a lock that the process that waits for it holds; exhaustive search finds no leak either",
}

// TestLeaks explores all kernels and compares what is found with what Go's own test expects.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores 85 programs")
	}
	var rows []*row
	count := map[verdict]int{}
	kernels := corpus(t)
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			r := judge(t, k)
			r.check(t)
			rows = append(rows, r)
			count[r.verdict]++
		})
	}
	t.Logf("%d kernels: %v", len(rows), count)
	if len(rows) < len(kernels) { // -run names some
		return
	}
	for v, n := range atLeast {
		if count[v] < n {
			t.Errorf("%d kernels are %s, want at least %d", count[v], v, n)
		}
	}
	if *update {
		writeTable(t, rows)
	}
}

// check fails for what must not be.
func (r *row) check(t *testing.T) {
	t.Helper()
	t.Logf("%s after %d executions, %.3f s: %q %q", r.verdict, r.executions, r.seconds, r.leaks,
		r.why)
	complain := t.Errorf
	if why, ok := excused[r.name]; ok {
		complain = t.Logf
		t.Log("excused:", why)
	}
	if r.verdict == missed || r.verdict == wrong || r.others != nil && r.expected {
		complain("%s, want %v; besides %q", r.verdict, r.want.Leaks, r.others)
	}
	if r.first.Schedule == "" {
		return
	}
	times := *replays
	if !*update && r.seconds > 3 {
		times = 1
	}
	if r.replayed = r.replays(t, r.first.Schedule, times); !r.replayed {
		complain("its counterexample does not replay %d times", times)
	}
}

// writeTable writes the documentation, kernels without a result last.
func writeTable(t *testing.T, rows []*row) {
	t.Helper()
	slices.SortStableFunc(rows, func(a, b *row) int { return a.group() - b.group() })
	if err := os.WriteFile("../../../docs/LEAKS.md", table(rows, *replays), 0o666); err != nil {
		t.Fatal(err)
	}
}
