package differ

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec/goprog"
)

var monitorPrograms = flag.Int("monitors", 60, "compare `n` programs whose processes meet under mutexes")

// monitorWays are the ways to search that take critical sections to commute, behind one that does
// not: exhaustive search would come to the end of few of these programs, and TestMixed compares the
// two.
var monitorWays = []way{
	{flags: "-clock=idle -independence=none -strategy=dpor"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle"},
	{flags: "-clock=idle -strategy=optimal -independence=sections"},
	{flags: "-clock=idle -strategy=dpor -sleep -independence=sections"},
	{flags: "-clock=idle -strategy=optimal -independence=sections,observed,equal,symmetry"},
}

// TestMonitors compares searches in which critical sections commute with exhaustive search, and
// native runs with what is found.
func TestMonitors(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	m := &mix{scores: map[string]*score{}}
	var programs []*goprog.Program
	for seed := *firstSeed; seed < *firstSeed+uint64(*monitorPrograms); seed++ {
		programs = append(programs, goprog.NewMonitors(seed))
	}
	m.generated = len(programs)
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) { m.compare(t, some, [][]way{monitorWays}) })
		m.packages++
	}
	t.Logf("\n%s", m.table([][]way{monitorWays}))
	if m.programs < m.generated/2 {
		t.Errorf("only %d of %d programs are searched exhaustively", m.programs, m.generated)
	}
}
