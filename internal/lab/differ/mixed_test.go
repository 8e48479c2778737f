package differ

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	mixedPrograms = flag.Int("mixed", 6, "compare `n` programs that mix everything")
	mixedRuns     = flag.Int("mixedruns", 20, "run each of those `n` times as plain Go")
	mixedMost     = flag.Int("mixedmost", 2500,
		"let exhaustive search of one of those end after `n` executions")
	mixedOnly = flag.String("mixedonly", "",
		"compare only the ways to search whose flags contain `text`")
	mixedKeep = flag.String("mixedkeep", "", "write programs that differ below `directory`")
	mixedRest = flag.Bool("mixedrest", false,
		"compare programs, too, of which exhaustive search has not come to the end")
	mixedTable = flag.String("mixedtable", "", "write what was compared to `file`, in Markdown")
)

// mixedBatch is how many mixed programs are made at once, for two packages.
const mixedBatch = 120

// way is a way to search. It finds what exhaustive search by the same clock finds, with no more
// executions.
type way struct {
	flags   string
	every   int  // only each n-th package is searched so; 0: all
	samples bool // it does not find everything
	// it runs no more executions than optimal, unless it begins again at data races: when it meets
	// them is chance
	frugal bool
	honest bool // it may say that it has left something out
}

// stepsAtRaces reports whether accesses that are in data races become steps, so that both their
// orders are explored. Other ways to search find the races alone, and not all of what comes after
// the other order.
func (w way) stepsAtRaces() bool {
	// as in package session
	for _, word := range []string{"observed", "equal", "commute", "context", "stateful"} {
		if strings.Contains(w.flags, word) {
			return false
		}
	}
	return true
}

// waits reports whether executions are left out in which a select misses who is about to come,
// although there is time. Ways that do not, explore a larger program, if it has timers.
func (w way) waits() bool {
	return !strings.Contains(w.flags, "stateful") &&
		(!strings.Contains(w.flags, "-independence") ||
			strings.Contains(w.flags, "-independence=none"))
}

// byClock are the ways to search, for each meaning of time; exhaustive search comes first, and
// optimal second. Programs without timers take the first clock only.
var byClock = [][]way{
	{
		{flags: "-clock=idle -strategy=exhaustive"},
		{flags: "-clock=idle -strategy=optimal"},
		{flags: "-clock=idle", frugal: true},
		{flags: "-clock=idle -p=2"},
		{flags: "-clock=idle -independence=none", frugal: true},
		{flags: "-clock=idle -backend=goroutine", frugal: true},
		{flags: "-clock=idle -isolate", every: 5, frugal: true},
		{flags: "-clock=idle -strategy=dpor"},
		{flags: "-clock=idle -strategy=dpor -sleep"},
		{flags: "-clock=idle -strategy=dpor -sleep -independence=context"},
		{flags: "-clock=idle -strategy=optimal -independence=observed", frugal: true},
		{flags: "-clock=idle -strategy=optimal -independence=equal", frugal: true},
		{flags: "-clock=idle -strategy=optimal -independence=commute", frugal: true},
		{flags: "-clock=idle -strategy=optimal -independence=symmetry", frugal: true},
		// what an execution that is cut off would have shown is known coarsely
		{flags: "-clock=idle -strategy=optimal -independence=context"},
		{flags: "-clock=idle -strategy=optimal -independence=observed,equal,commute,symmetry",
			frugal: true},
		{flags: "-clock=idle -strategy=pop", frugal: true, honest: true},
		{flags: "-clock=idle -strategy=stateful", every: 4},
		{flags: "-clock=idle -strategy=random -max-executions=20", samples: true},
		{flags: "-clock=idle -strategy=pct -max-executions=20", samples: true},
		{flags: "-clock=idle -strategy=pos -max-executions=20", samples: true},
		{flags: "-clock=idle -strategy=surw -max-executions=20", samples: true},
	},
	{
		{flags: "-clock=delay -strategy=exhaustive"},
		{flags: "-clock=delay -strategy=optimal"},
		{flags: "-clock=delay", frugal: true},
		{flags: "-clock=delay -p=2"},
		{flags: "-clock=delay -strategy=dpor"},
		{flags: "-clock=delay -strategy=dpor -sleep"},
		{flags: "-clock=delay -strategy=optimal -independence=observed,equal,commute,symmetry",
			frugal: true},
	},
	{
		{flags: "-clock=explore -max-fires=0 -strategy=exhaustive"},
		{flags: "-clock=explore -max-fires=0 -strategy=optimal"},
		{flags: "-clock=explore -max-fires=0", frugal: true},
		{flags: "-clock=explore -max-fires=0 -strategy=dpor -sleep"},
		{flags: "-clock=explore -max-fires=0 -strategy=optimal -independence=observed,equal,commute,symmetry",
			frugal: true},
		{flags: "-clock=explore -max-fires=0 -strategy=pop", frugal: true, honest: true},
		{flags: "-clock=explore -max-fires=0 -strategy=stateful", every: 4},
	},
}

// memory is a directory whose files are in memory: programs make and remove many.
const memory = "/dev/shm"

// TestMixed compares programs that mix everything: all ways to search with exhaustive search, and
// native runs with what is found.
func TestMixed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	m := &mix{scores: map[string]*score{}}
	for m.generated < *mixedPrograms {
		for i, kind := range m.generate() {
			if len(kind) > 0 {
				t.Run(kind[0].Name(), func(t *testing.T) { m.compare(t, kind, byClock[:1+2*i]) })
				m.packages++
			}
		}
		m.write(t)
	}
	t.Logf("\n%v", m)
	if m.programs < m.generated*3/4 {
		t.Errorf("only %d of %d programs are searched exhaustively", m.programs, m.generated)
	}
}

// compareKind compares n programs of a kind. The first of the ways, most often exhaustive search,
// must come to an end of one in least of them.
func compareKind(t *testing.T, kind string, n int, ways []way, least int) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds and explores many programs")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Setenv("TMPDIR", memory)
	}
	m := &mix{scores: map[string]*score{}}
	var programs []*goprog.Program
	for seed := *firstSeed; seed < *firstSeed+uint64(n); seed++ {
		programs = append(programs, kinds[kind](seed))
	}
	m.generated = len(programs)
	for some := range slices.Chunk(programs, mixedBatch) {
		t.Run(some[0].Name(), func(t *testing.T) { m.compare(t, some, [][]way{ways}) })
		m.packages++
	}
	t.Logf("\n%s", m.table([][]way{ways}))
	m.enter(t, kind, ways)
	if m.programs < m.generated/least {
		t.Errorf("only %d of %d programs are searched exhaustively", m.programs, m.generated)
	}
}

// mix counts what is compared.
type mix struct {
	generated, packages int
	programs            int // that are searched exhaustively
	timed, racy         int // of those
	outcomes, findings  int // of those
	runs, shown         int // native runs, and distinct outcomes of theirs
	unknown             int // native runs whose outcome cannot be told
	wrong               int // programs whose native runs differ
	partly              int // programs that exhaustive search has not searched to the end
	scores              map[string]*score
}

// score is what one way to search did with the programs that exhaustive search has searched to the
// end.
type score struct {
	programs, executions, blocked, exhaustive, outcomes int
	partial, refused, differ                            int
}

// generate makes the next programs: those without timers, and those with. Each kind is a package.
func (m *mix) generate() (kinds [2][]*goprog.Program) {
	for last := min(m.generated+mixedBatch, *mixedPrograms); m.generated < last; m.generated++ {
		p, kind := goprog.NewMixed(*firstSeed+uint64(m.generated)), 0
		if p.Timed {
			kind = 1
		}
		kinds[kind] = append(kinds[kind], p)
	}
	return kinds
}

// compare compares programs of one package.
func (m *mix) compare(t *testing.T, programs []*goprog.Program, clocks [][]way) {
	asUsers := m.packages%2 > 0 || !slices.ContainsFunc(clocks[0], way.needsFacts)
	b := buildMixed(t, programs, asUsers)
	for i, ways := range clocks {
		all, want := m.exhaust(t, b, programs, ways[0])
		rest := slices.DeleteFunc(slices.Clone(programs), func(p *goprog.Program) bool {
			return slices.Contains(all, p) || want[p.Name()].trouble != "" || want[p.Name()].refused
		})
		if m.partly += len(rest); !*mixedRest {
			rest = nil
		}
		optimal := map[string]*explored{}
		for j, w := range ways[1:] {
			if len(all) == 0 || w.every > 0 && m.packages%w.every > 0 ||
				!strings.Contains(w.flags, *mixedOnly) || asUsers && w.needsFacts() {
				continue
			}
			got := exploreAll(t, b, namesOf(slices.Concat(all, rest)), w)
			if j == 0 {
				optimal = got
			}
			for _, p := range all {
				m.judge(t, p, w, got[p.Name()], want[p.Name()], optimal[p.Name()])
			}
			for _, p := range rest {
				m.include(t, p, w, got[p.Name()], want[p.Name()])
			}
		}
		if i == 0 {
			m.native(t, b, all, want)
		}
	}
}

// needsFacts reports whether the binary needs parts that users have to ask for: facts about actors,
// or the comparison of states.
func (w way) needsFacts() bool {
	return strings.Contains(w.flags, "commute") || strings.Contains(w.flags, "context") ||
		strings.Contains(w.flags, "stateful")
}

// hurry makes searches of several processes divide what is left after two executions, and not after
// seconds: see explore/session, shift.go.
const hurry = "-X=rehearse/explore/session.hurry=2"

// buildMixed builds programs for all ways to search, or as users build them: what accesses say of
// themselves differs.
func buildMixed(t *testing.T, programs []*goprog.Program, asUsers bool) *binaries {
	t.Helper()
	o := options.Default()
	o.LDFlags = hurry
	if !asUsers {
		o.Strategy, o.Independence, o.Audit = "optimal", "observed,equal,commute,symmetry", 1
	}
	return buildWith(t, programs, o)
}

// exhaust searches exhaustively, and returns the programs of which that comes to an end.
func (m *mix) exhaust(t *testing.T, b *binaries, programs []*goprog.Program,
	w way) (all []*goprog.Program, found map[string]*explored) {
	found = exploreAll(t, b, namesOf(programs), w)
	for _, p := range programs {
		switch x := found[p.Name()]; {
		case x.trouble != "":
			m.fail(t, p, w.flags+": "+x.trouble)
		case x.complete && !x.bounded:
			all = append(all, p)
		}
	}
	return all, found
}

// namesOf are the names of programs.
func namesOf(programs []*goprog.Program) (names []string) {
	for _, p := range programs {
		names = append(names, p.Name())
	}
	return names
}

// exploreAll explores programs in one process, unless the flags ask for several.
func exploreAll(t *testing.T, b *binaries, names []string, w way) map[string]*explored {
	t.Helper()
	flags := append(strings.Fields(w.flags), "-json", "-timeout=0", "-max-steps=5000",
		"-run=^Test("+strings.Join(names, "|")+")$")
	if !strings.Contains(w.flags, "-p=") {
		flags = append(flags, "-p=1")
	}
	if !w.samples {
		flags = append(flags, fmt.Sprint("-max-executions=", *mixedMost))
	}
	var stdout, stderr bytes.Buffer
	_, err := exec.Run(b.controlled, flags, &stdout, &stderr)
	all := results(stdout.Bytes(), flags)
	for _, name := range names {
		if all[name] == nil {
			t.Fatalf("%v: no result of %s: %v\n%s", flags, name, err, stderr.String())
		}
	}
	return all
}

// score is that of a way to search.
func (m *mix) score(w way) *score {
	if m.scores[w.flags] == nil {
		m.scores[w.flags] = &score{}
	}
	return m.scores[w.flags]
}

// judge compares what a way to search has found with what there is.
func (m *mix) judge(t *testing.T, p *goprog.Program, w way, got, want, optimal *explored) {
	s := m.score(w)
	why := got.trouble
	switch {
	case got.refused:
		s.refused++
		return
	case (!got.complete || got.bounded) && !w.samples:
		if s.partial++; w.honest && why == "" {
			return
		}
		why = "incomplete: " + got.reason
	case why == "":
		s.programs++
		s.executions, s.blocked, s.outcomes = s.executions+got.executions, s.blocked+got.blocked,
			s.outcomes+len(got.outcomes)
		s.exhaustive += want.executions
		larger := p.Timed && !w.waits()
		why = differs(w, got, want, larger)
		if why == "" && w.frugal && !larger && len(want.races) == 0 && optimal != nil &&
			optimal.complete && got.executions > optimal.executions {
			why = fmt.Sprintf("%d executions, where optimal has %d", got.executions,
				optimal.executions)
		}
	}
	if why != "" {
		s.differ++
		m.fail(t, p, w.flags+": "+why)
	}
}

// include compares what a way to search has found, if it has come to its end, with a part of what
// there is.
func (m *mix) include(t *testing.T, p *goprog.Program, w way, got, part *explored) {
	if !got.complete || got.bounded || w.samples {
		return
	}
	if why := differs(w, got, part, true); why != "" {
		m.score(w).differ++
		m.fail(t, p, w.flags+": "+why)
	}
}

// differs says how what a way to search has found differs from what there is. There may be more if
// it explores a larger program.
func differs(w way, got, want *explored, larger bool) string {
	for o := range got.outcomes {
		if !want.outcomes[o] && !larger {
			return fmt.Sprintf("an outcome that there is not: %v", o)
		}
	}
	for f := range got.findings {
		if !want.findings[f] && !larger {
			return fmt.Sprintf("a finding that there is not: %v", f)
		}
	}
	if w.samples || len(got.races) > 0 && !w.stepsAtRaces() {
		return ""
	}
	for o := range want.outcomes {
		if !got.outcomes[o] {
			return fmt.Sprintf("an outcome is missing: %v", o)
		}
	}
	for f := range want.findings {
		if !got.findings[f] {
			return fmt.Sprintf("a finding is missing: %v", f)
		}
	}
	if got.executions > want.executions && !larger {
		return fmt.Sprintf("%d executions, where exhaustive search has %d", got.executions,
			want.executions)
	}
	return ""
}

// native compares native runs, of programs that have been searched exhaustively. With a data race,
// what a program does is open.
func (m *mix) native(t *testing.T, b *binaries, programs []*goprog.Program,
	found map[string]*explored) {
	for _, p := range programs {
		x := found[p.Name()]
		m.programs, m.outcomes, m.findings = m.programs+1, m.outcomes+len(x.outcomes),
			m.findings+len(x.findings)
		if p.Timed {
			m.timed++
		}
		if len(x.races) > 0 || p.Unheard {
			m.racy++
			continue
		}
		r := runNative(t, b.native, p, *mixedRuns)
		m.runs, m.shown, m.unknown = m.runs+*mixedRuns-r.unknown, m.shown+len(r.outcomes),
			m.unknown+r.unknown
		if why := r.within(x, p); why != "" {
			m.wrong++
			m.fail(t, p, "native runs: "+why)
		}
	}
}

// fail reports a program.
func (m *mix) fail(t *testing.T, p *goprog.Program, why string) {
	t.Helper()
	t.Errorf("%s: %s\n%s", p.Name(), why, p.Source(goprog.Plain))
	if *mixedKeep == "" {
		return
	}
	dir := filepath.Join(*mixedKeep, p.Name())
	write(t, dir, []*goprog.Program{p}, goprog.Plain)
	f, err := os.OpenFile(filepath.Join(dir, "why.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintln(f, why)
}
