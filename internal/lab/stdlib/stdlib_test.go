package stdlib

import (
	"cmp"
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var (
	update = flag.Bool("update", false, "write docs/STDLIB.md and docs/data/stdlib.csv")
	whole  = flag.Bool("whole", false,
		"explore io, sync, sync/atomic and test/chan/select5, too, and for longer, as -update does")
)

// standard are packages of the standard library. For the tests of io, sync and sync/atomic, go
// compiles much of the library twice; the script library has some of sync.
func standard() []string {
	list := []string{"container/heap", "container/list", "container/ring", "context"}
	if *whole || *update {
		list = append(list, "io", "sync", "sync/atomic")
	}
	slices.Sort(list)
	return list
}

// modules are packages of golang.org/x/sync, which go.mod knows at this version.
var (
	modules = []string{
		"golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore",
		"golang.org/x/sync/singleflight",
		"golang.org/x/sync/syncmap",
	}
	moduleVersion = "v0.24.0"
)

// reasons are those for which a case may be refused: it is about time, memory, garbage, or another
// process.
var reasons = regexp.MustCompile(
	`^(testing\.AllocsPerRun|runtime\.ReadMemStats|runtime\.GC|runtime/debug\.FreeOSMemory` +
		`|os/exec\.\w+|\(\*os/exec\.Cmd\)\.\w+|net\.\w+|runtime_blockUntilEmptyCleanupQueue) is not controlled`)

// atLeast says how many cases of a subject are explored, as far as there is time. A number that
// grows is raised here.
var atLeast = map[string]int{
	"container/heap": 9, "container/list": 11, "container/ring": 15, "context": 44, "io": 69,
	"sync": 41, "sync/atomic": 96,
	"golang.org/x/sync/errgroup": 6, "golang.org/x/sync/semaphore": 12,
	"golang.org/x/sync/singleflight": 9,
	"golang.org/x/sync/syncmap":      3, "test/chan": 16,
}

// fixed are the cases that fail because they are given fixed numbers: how often something
// allocates.
var fixed = map[string]bool{"io TestMultiWriter_WriteStringSingleAlloc": true}

// TestStandardLibrary explores everything, and compares it with what Go itself says.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores a dozen packages and 19 programs")
	}
	ownCache(t)
	var all []*subject
	t.Run("std", func(t *testing.T) {
		goRoot(t, "src/sync/cond_test.go")
		all = append(all, tested(t, t.TempDir(), standard())...)
	})
	t.Run("x-sync", func(t *testing.T) {
		all = append(all, tested(t, moduleOf(t), modules)...)
	})
	t.Run("chan", func(t *testing.T) {
		all = append(all, readPrograms(t).tested(t))
	})
	if *update && !t.Failed() {
		if err := os.WriteFile("../../../docs/STDLIB.md", table(all), 0o666); err != nil {
			t.Fatal(err)
		}
		rows, err := data(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../../../docs/data/stdlib.csv", rows, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tested builds, runs and explores packages.
func tested(t *testing.T, dir string, packages []string) []*subject {
	t.Helper()
	subjects := build(t, dir, packages...)
	testNatively(t, dir, subjects)
	for _, s := range subjects {
		s.explore(t)
		s.check(t)
	}
	return subjects
}

// tested builds, runs and explores the programs. They make up one subject.
func (p *programs) tested(t *testing.T) *subject {
	t.Helper()
	var patterns []string
	for _, name := range p.names() {
		patterns = append(patterns, "./"+name)
	}
	all := &subject{name: "test/chan", native: map[string]string{}}
	subjects := build(t, p.root, patterns...)
	p.runNatively(t, subjects)
	for _, s := range subjects {
		name := path.Base(s.name)
		s.explore(t, flags(name)...)
		for _, r := range s.cases {
			r.Test = name
			all.cases = append(all.cases, r)
		}
		all.all += s.all
		all.native[name] = s.native["main"]
	}
	for _, name := range p.rejected {
		all.cases = append(all.cases,
			result{Test: name, Verdict: notRun, Reason: "a test of what the compiler rejects"})
	}
	slices.SortFunc(all.cases, func(a, b result) int { return cmp.Compare(a.Test, b.Test) })
	all.check(t)
	return all
}

// notRun is the verdict on a case that is no program.
const notRun = "not run"

// moduleOf makes a module that needs golang.org/x/sync.
func moduleOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"),
		"module needs\n\ngo 1.26.0\n\nrequire golang.org/x/sync "+moduleVersion+"\n")
	write(t, filepath.Join(dir, "needs.go"),
		"package needs\n\nimport _ \"golang.org/x/sync/errgroup\"\n")
	tidy(t, dir)
	return dir
}

// check fails for what must not be.
func (s *subject) check(t *testing.T) {
	t.Helper()
	explored, late := 0, s.all
	for _, r := range s.cases {
		s.checkCase(t, r)
		if r.Verdict == "pass" {
			explored++
		}
		if r.Verdict != notRun {
			late--
		}
	}
	t.Logf("%s: %d of %d cases explored, no time for %d others", s.name, explored, len(s.cases),
		late)
	if explored+late < atLeast[s.name] {
		t.Errorf("%s: %d cases are explored, want at least %d", s.name, explored+late,
			atLeast[s.name])
	}
}

func (s *subject) checkCase(t *testing.T, r result) {
	t.Helper()
	native := s.native[r.Test]
	switch r.Verdict {
	case "pass":
		if native == "fail" {
			t.Errorf("%s %s passes, but fails natively", s.name, r.Test)
		}
	case "fail":
		if native != "fail" && !fixed[s.name+" "+r.Test] {
			t.Errorf("%s %s: %v", s.name, r.Test, r.Findings)
		}
	case "error":
		for _, f := range r.Findings {
			if f.Kind != "unsupported" && f.Kind != "uncontrolled" ||
				!reasons.MatchString(f.Message) {
				t.Errorf("%s %s: %s: %s: %s", s.name, r.Test, f.Pos, f.Kind, f.Message)
			}
		}
	}
	if native == "" && r.Verdict != notRun {
		t.Errorf("%s %s: go does not say how it ends", s.name, r.Test)
	}
}
