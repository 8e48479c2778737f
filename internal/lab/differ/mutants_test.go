package differ

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	mutantsTo = flag.String("mutants", "",
		"break each condition in turn, and write which random programs find it to `file`, in Markdown")
	mutantsOnly = flag.String("mutantsonly", "",
		"break only the conditions whose names contain `text`")
	mutantsOf = flag.Int("mutantsof", 300,
		"search `n` programs of a kind with each broken condition")
)

// mutant breaks one condition under which orders are left out.
type mutant struct {
	condition string
	programs  string // the kind of programs that attack it
	edits     []edit
	saves     bool // without the condition nothing is lost, and there are more executions
	// of the search, if the default one does without the condition
	flags []string
}

// edit replaces text, which is there once, in a file below the module's root.
type edit struct{ file, was, is string }

// kinds make the programs of a seed.
var kinds = map[string]func(uint64) *goprog.Program{
	"monitors":   goprog.NewMonitors,
	"lists":      goprog.NewLists,
	"given":      goprog.NewGiven,
	"handlers":   goprog.NewHandlers,
	"hubs":       goprog.NewHubs,
	"homes":      goprog.NewHomes,
	"gatherers":  goprog.NewGatherers,
	"counters":   goprog.NewCounters,
	"groups":     goprog.NewGroups,
	"twins":      goprog.NewTwins,
	"pollers":    goprog.NewPollers,
	"loners":     goprog.NewLoners,
	"tallies":    goprog.NewTallies,
	"pickers":    goprog.NewPickers,
	"racers":     goprog.NewRacers,
	"corners":    goprog.NewCorners,
	"early":      goprog.NewEarly,
	"networks":   goprog.NewNetworks,
	"semaphores": goprog.NewSemaphores,
	"crowds":     goprog.NewCrowds,
	"tickets":    goprog.NewTickets,
	"calls":      goprog.NewCalls,
	"waits":      goprog.NewWaits,
	"timers":     newTimed,
}

// newTimed makes the first mixed program with timers of some.
func newTimed(seed uint64) *goprog.Program {
	for s := seed * 100; ; s++ {
		if p := goprog.NewMixed(s); p.Timed {
			return p
		}
	}
}

// TestMutants: each condition can be broken, so the list fits the code. With -mutants, each is, and
// the random programs must show it.
func TestMutants(t *testing.T) {
	b := &breaker{root: moduleRoot(t), work: t.TempDir(), intact: map[string]map[string]*explored{},
		programs: map[string][]*goprog.Program{}}
	rows := map[string]string{}
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.condition, " ", "_"), func(t *testing.T) {
			overlay := b.overlay(t, m.edits)
			if *mutantsTo == "" || !strings.Contains(m.condition, *mutantsOnly) {
				return
			}
			f := b.find(t, m, overlay)
			if f.differ == 0 && !(m.saves && f.more > 0) {
				t.Error("no program shows that this is broken")
			}
			t.Logf("%+v", f)
			rows[m.condition] = fmt.Sprintf("| %s | %s | %d | %d | %d | %s |\n", m.condition,
				m.programs,
				f.of, f.differ, f.more, f.first)
			b.page(t, rows)
		})
	}
}

// page writes the document: the rows of the conditions that have been broken until now, and for the
// others those that are there already.
func (b *breaker) page(t *testing.T, rows map[string]string) {
	file := fromRoot(t, *mutantsTo)
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	page := mutantsHead
	for _, m := range mutants {
		row, is := rows[m.condition]
		for line := range strings.Lines(string(old)) {
			if !is && strings.HasPrefix(line, "| "+m.condition+" |") {
				row = line
			}
		}
		page += row
	}
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Error(err)
	}
}

func moduleRoot(t *testing.T) string {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// fromRoot is a file, which is below the module's root if its name is not absolute.
func fromRoot(t *testing.T, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(moduleRoot(t), file)
}

// breaker builds the command with broken conditions.
type breaker struct {
	root, work string
	intact     map[string]map[string]*explored // what the command finds, by kind of programs
	programs   map[string][]*goprog.Program    // of a kind
}

// overlay makes the edits, and returns the file that makes go build use them.
func (b *breaker) overlay(t *testing.T, edits []edit) string {
	t.Helper()
	texts := map[string][]byte{}
	for _, e := range edits {
		path := filepath.Join(b.root, e.file)
		if texts[path] == nil {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = text
		}
		if n := bytes.Count(texts[path], []byte(e.was)); n != 1 {
			t.Fatalf("%s has %d times what is to be broken: %s", e.file, n, e.was)
		}
		texts[path] = bytes.Replace(texts[path], []byte(e.was), []byte(e.is), 1)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(path, b.root), "/",
			"_"))
		writeFile(t, dir, filepath.Base(replace[path]), string(text))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "overlay.json", string(list))
	return filepath.Join(dir, "overlay.json")
}

// found is what programs show of a mutant.
type found struct {
	// programs that are searched to the end, or that the broken command falsely says to be
	of     int
	differ int    // those of which an outcome or a finding is missing, or new, or the search fails
	more   int    // others that take more executions
	fewer  int    // others that take fewer
	first  string // how the first one differs
}

// find compares what the broken command finds with what the intact one does.
func (b *breaker) find(t *testing.T, m mutant, overlay string) (f found) {
	t.Helper()
	kind := m.programs + strings.Join(m.flags, " ")
	if b.intact[kind] == nil {
		b.write(t, m.programs)
		b.intact[kind] = b.explore(t, m, "")
	}
	broken := b.explore(t, m, overlay)
	if len(broken) == 0 {
		t.Fatal("the broken command builds no tests")
	}
	for _, p := range b.programs[m.programs] {
		name := p.Name()
		want, got := b.intact[kind][name], broken[name]
		if want == nil || want.trouble != "" {
			continue
		}
		if !want.complete {
			if why := invented(p, want, got); why != "" {
				f.of++
				if f.differ++; f.first == "" {
					f.first = name + ": " + why
				}
			}
			continue
		}
		f.of++
		switch why := unlike(want, got); {
		case why != "":
			if f.differ++; f.first == "" {
				f.first = name + ": " + why
			}
		case got.executions+got.blocked > want.executions+want.blocked:
			f.more++
		case got.executions+got.blocked < want.executions+want.blocked:
			f.fewer++
		}
	}
	return f
}

// invented says what is wrong with got, of a broken search of p, if want is not complete: it is
// called complete although something is missing, or a program that ends is said to have no end.
func invented(p *goprog.Program, want, got *explored) string {
	if n := lost(want, got); n > 0 {
		return fmt.Sprintf("complete, without %d of what is shown", n)
	}
	if p.Ends && got != nil && strings.HasPrefix(got.trouble, "livelock") {
		return "a livelock that is none"
	}
	return ""
}

// lost counts the outcomes and findings of want, which is not complete, that got has not, although
// a broken search calls it complete.
func lost(want, got *explored) (n int) {
	if got == nil || got.trouble != "" || !got.complete {
		return 0
	}
	for o := range want.outcomes {
		if !got.outcomes[o] {
			n++
		}
	}
	for f := range want.findings {
		if !got.findings[f] {
			n++
		}
	}
	return n
}

// unlike says how got, of a broken search, differs from want.
func unlike(want, got *explored) string {
	switch {
	case got == nil:
		return "no result"
	case got.trouble != "":
		return "an error"
	case !got.complete:
		return "incomplete"
	case !maps.Equal(want.outcomes, got.outcomes):
		return fmt.Sprintf("%d outcomes, not %d", len(got.outcomes), len(want.outcomes))
	case !maps.Equal(want.findings, got.findings):
		return fmt.Sprintf("%d findings, not %d", len(got.findings), len(want.findings))
	}
	return ""
}

// write writes the programs of a kind.
func (b *breaker) write(t *testing.T, kind string) {
	for seed := *firstSeed; seed < *firstSeed+uint64(*mutantsOf); seed++ {
		b.programs[kind] = append(b.programs[kind], kinds[kind](seed))
	}
	write(t, filepath.Join(b.work, kind), b.programs[kind], goprog.Plain)
}

// explore has the command, with an overlay or intact, explore the programs of m. A broken command
// may fail: then programs are missing.
func (b *breaker) explore(t *testing.T, m mutant, overlay string) map[string]*explored {
	t.Helper()
	command := filepath.Join(t.TempDir(), "rehearse")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay="+overlay, "-o", command,
		"./cmd/rehearse")
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	flags := append([]string{"test", "-json", "-max-steps=5000", "-max-executions=3000",
		"-timeout=1h"}, m.flags...)
	search := exec.CommandContext(t.Context(), command, append(flags, ".")...)
	search.Dir = filepath.Join(b.work, m.programs)
	// A schedule that another command has saved would show what this one does not find.
	if err := os.RemoveAll(filepath.Join(search.Dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	out, _ := search.Output()
	return results(out, nil)
}

// results reads what the command writes. Outcomes beyond some stand in lines of their own.
func results(out []byte, flags []string) map[string]*explored {
	all := map[string]*explored{}
	for line := range bytes.Lines(out) {
		var r struct {
			result
			Test, Of string
		}
		if json.Unmarshal(line, &r) != nil || r.Action != "result" && r.Action != "outcomes" {
			continue
		}
		name := strings.TrimPrefix(r.Test+r.Of, "Test")
		if all[name] == nil {
			all[name] = &explored{flags: flags, outcomes: map[outcome]bool{},
				panics: map[string]bool{}}
		}
		if r.Action == "result" {
			all[name].read(&r.result)
		} else {
			all[name].enter(&r.result)
		}
	}
	return all
}
