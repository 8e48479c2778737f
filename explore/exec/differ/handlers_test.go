package differ

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec/goprog"
)

var handlerPrograms = flag.Int("handlers", 100, "compare `n` programs with processes that serve channels")

// handlerWays are the ways to search that take tasks to commute, behind one that does not.
var handlerWays = []way{
	{flags: "-clock=idle -independence=none -strategy=dpor"},
	{flags: "-clock=idle -independence=none"},
	{flags: "-clock=idle"},
	{flags: "-clock=idle -strategy=optimal -independence=sections"},
	{flags: "-clock=idle -strategy=dpor -sleep -independence=sections"},
	{flags: "-clock=idle -strategy=optimal -independence=sections,observed,equal,symmetry"},
}

// TestHandlers compares searches in which the tasks of loops that serve channels commute with one
// in which they do not, and native runs with what is found.
func TestHandlers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	m := &mix{scores: map[string]*score{}}
	var programs []*goprog.Program
	for seed := *firstSeed; seed < *firstSeed+uint64(*handlerPrograms); seed++ {
		programs = append(programs, goprog.NewHandlers(seed))
	}
	m.generated = len(programs)
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) { m.compare(t, some, [][]way{handlerWays}) })
		m.packages++
	}
	t.Logf("\n%s", m.table([][]way{handlerWays}))
	if m.programs < m.generated/2 {
		t.Errorf("only %d of %d programs are searched exhaustively", m.programs, m.generated)
	}
}
