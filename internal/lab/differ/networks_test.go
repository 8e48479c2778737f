package differ

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	networkPrograms = flag.Int("networks", 6,
		"compare `n` programs whose processes meet over the network of one host, or in net/http")
	servicePrograms = flag.Int("services", 6,
		"compare `n` programs that use the network as services do")
	clientPrograms = flag.Int("clients", 2,
		"compare `n` programs with net/http with and without its commuting sections")
	networkMost = flag.Int("networkmost", 400, "let a search of one of those end after `n` executions")
)

// TestNetworks compares the search over whole steps with exhaustive search, and native runs, on the
// kernel's network, with what is found.
//
//	go test ./internal/lab/differ -run Networks -networks 2000 -networkmost 2500 -timeout 0
func TestNetworks(t *testing.T) { compareNetworks(t, goprog.NewNetworks, *networkPrograms) }

// TestServices does so with programs of another kind.
//
//	go test ./internal/lab/differ -run Services -services 300 -networkmost 2500 -timeout 0
func TestServices(t *testing.T) { compareNetworks(t, goprog.NewServices, *servicePrograms) }

func compareNetworks(t *testing.T, kind func(uint64) *goprog.Program, n int) {
	programs := networked(t, kind, n)
	defer func(most int) { *mixedMost = most }(*mixedMost)
	*mixedMost = *networkMost
	m := &mix{scores: map[string]*score{}}
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

// networked are n programs of a kind, from the first seed on.
func networked(t *testing.T, kind func(uint64) *goprog.Program, n int) (list []*goprog.Program) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	for seed := *firstSeed; seed < *firstSeed+uint64(n); seed++ {
		list = append(list, kind(seed))
	}
	return list
}

// TestSections compares searches in which critical sections of net/http commute with searches in
// which all sections have an order: there must be the same outcomes. The first program by
// default is one that is searched to the end both ways.
//
//	go test ./internal/lab/differ -run TestSections -clients 300 -networkmost 2500 -timeout 0
func TestSections(t *testing.T) {
	programs := networked(t, func(seed uint64) *goprog.Program {
		return goprog.NewClients(seed + 5)
	}, *clientPrograms)
	defer func(most int) { *mixedMost = most }(*mixedMost)
	*mixedMost = *networkMost
	m := &mix{scores: map[string]*score{}}
	usual, none := way{flags: "-clock=idle"}, way{flags: "-clock=idle -independence=none"}
	both, saved := 0, 0
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) {
			b := buildMixed(t, some, true)
			got := exploreAll(t, b, namesOf(some), usual)
			ended := slices.DeleteFunc(slices.Clone(some), func(p *goprog.Program) bool {
				return got[p.Name()].trouble == "" && !got[p.Name()].complete
			})
			want := exploreAll(t, b, namesOf(ended), none)
			for _, p := range ended {
				is, all := got[p.Name()], want[p.Name()]
				if is.trouble != "" {
					m.fail(t, p, usual.flags+": "+is.trouble)
				} else if all.complete {
					both, saved = both+1, saved+all.executions-is.executions
					m.judge(t, p, usual, is, all, nil)
				} else {
					m.include(t, p, usual, is, all)
				}
			}
		})
	}
	t.Logf("%d programs; %d searched to the end both ways, with %d executions less", len(programs),
		both, saved)
	if saved <= 0 {
		t.Errorf("%d executions less", saved)
	}
}

// TestPools compares searches in which each process has idle connections of its own with searches
// in which all processes have them in common: there must be the same outcomes.
//
//	go test ./internal/lab/differ -run TestPools -services 300 -networkmost 2500 -timeout 0
func TestPools(t *testing.T) {
	if *servicePrograms < 8 {
		t.Skip("script border has a program for each condition: compare 8 random programs or more")
	}
	compareBuilds(t, goprog.NewPools, "-X=rehearse/runtime/library.pool=common")
}

// TestIdle compares searches in which an idle server learns of an end at once with searches in
// which that is a choice (hook.choices): there must be the same outcomes.
//
//	go test ./internal/lab/differ -run Idle -services 300 -networkmost 2500 -timeout 0
func TestIdle(t *testing.T) {
	compareBuilds(t, goprog.NewServers, "-X=rehearse/runtime/hook.choices=all")
}

// compareBuilds compares searches of programs of a kind with searches of binaries that the linker
// has been given flags for: there must be the same outcomes, and more executions.
func compareBuilds(t *testing.T, kind func(uint64) *goprog.Program, flags string) {
	programs := networked(t, kind, *servicePrograms)
	defer func(most int) { *mixedMost = most }(*mixedMost)
	*mixedMost = *networkMost
	m := &mix{scores: map[string]*score{}}
	usual, both, saved := way{flags: "-clock=idle"}, 0, 0
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) {
			o := options.Default()
			got := exploreAll(t, buildWith(t, some, o), namesOf(some), usual)
			o.LDFlags = flags
			want := exploreAll(t, buildWith(t, some, o), namesOf(some), usual)
			for _, p := range some {
				is, all := got[p.Name()], want[p.Name()]
				if !is.complete {
					continue
				} else if !all.complete {
					m.include(t, p, usual, is, all)
					continue
				}
				both, saved = both+1, saved+all.executions-is.executions
				m.judge(t, p, usual, is, all, nil)
			}
		})
	}
	t.Logf("%d programs; %d searched to the end both ways, with %d executions less", len(programs),
		both, saved)
	if 2*both < len(programs) || saved <= 0 {
		t.Errorf("%d programs compared, %d executions saved", both, saved)
	}
}
