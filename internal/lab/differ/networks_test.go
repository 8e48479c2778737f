package differ

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	networkPrograms = flag.Int("networks", 8,
		"compare `n` programs whose processes meet over the network of one host, or in net/http")
	networkMost = flag.Int("networkmost", 400, "let a search of one of those end after `n` executions")
)

// TestNetworks compares the search over whole steps with exhaustive search, and native runs, on the
// kernel's network, with what is found.
//
//	go test ./internal/lab/differ -run Networks -networks 2000 -networkmost 2500 -timeout 0
func TestNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	defer func(most int) { *mixedMost = most }(*mixedMost)
	*mixedMost = *networkMost
	m := &mix{scores: map[string]*score{}}
	var programs []*goprog.Program
	for seed := *firstSeed; seed < *firstSeed+uint64(*networkPrograms); seed++ {
		programs = append(programs, goprog.NewNetworks(seed))
	}
	oracle, usual := way{flags: "-clock=idle -strategy=exhaustive"}, way{flags: "-clock=idle"}
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) {
			b := buildMixed(t, some, true)
			all, want := m.exhaust(t, b, some, oracle)
			got := exploreAll(t, b, namesOf(some), usual)
			var whole []*goprog.Program // that the usual search has come to the end of
			for _, p := range some {
				if slices.Contains(all, p) {
					m.judge(t, p, usual, got[p.Name()], want[p.Name()], nil)
				} else if m.partly++; got[p.Name()].trouble != "" {
					m.fail(t, p, usual.flags+": "+got[p.Name()].trouble)
				} else {
					m.include(t, p, usual, got[p.Name()], want[p.Name()])
				}
				if got[p.Name()].complete {
					whole = append(whole, p)
				}
			}
			m.native(t, b, whole, got)
		})
	}
	t.Logf("\n%s", m.table([][]way{{oracle, usual}}))
	t.Logf("%d programs; %d searched to the end, %d exhaustively; %d native runs", len(programs),
		m.programs, len(programs)-m.partly, m.runs)
	if m.programs < len(programs)*3/4 {
		t.Errorf("only %d of %d programs are searched to the end", m.programs, len(programs))
	}
}
