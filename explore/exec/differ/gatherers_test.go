package differ

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec/goprog"
)

var gatherPrograms = flag.Int("gatherers", 60, "compare `n` programs whose processes report by equal values")

// gatherWays are exhaustive search, one without refinements, and those that take sends of equal
// values as one: by default that is decided by what the first execution shows.
var gatherWays = []way{
	{flags: "-clock=idle -strategy=exhaustive"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle", frugal: true},
	{flags: "-clock=idle -strategy=optimal -independence=equal", frugal: true},
}

// TestGatherers compares searches in which sends of equal values commute with exhaustive search,
// and native runs with what is found.
func TestGatherers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	m := &mix{scores: map[string]*score{}}
	var programs []*goprog.Program
	for seed := *firstSeed; seed < *firstSeed+uint64(*gatherPrograms); seed++ {
		programs = append(programs, goprog.NewGatherers(seed))
	}
	m.generated = len(programs)
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) { m.compare(t, some, [][]way{gatherWays}) })
		m.packages++
	}
	t.Logf("\n%s", m.table([][]way{gatherWays}))
	if m.programs < m.generated/4 {
		t.Errorf("only %d of %d programs are searched exhaustively", m.programs, m.generated)
	}
}
