// The overlay adds this to package testing: tests, subtests and their logs under control.
package testing

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"rehearse/runtime/gate"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
)

// detached is what a T has that no runner of package testing knows of: its methods go to the
// explorer.
type detached struct {
	gate.TB
	hasTemp atomic.Bool  // see rehearseTempBase
	numTemp atomic.Int32 // directories made by TempDir
	bubble  bool         // the test is the function of a synctest.Test
}

// rehearseTemp holds the temporary directories of the process. It is found before the first
// execution, because a controlled process that reads an environment variable locks a mutex of
// package syscall, which would be an event.
var rehearseTemp string

func init() { gate.Runner = tRunner }

// rehearseMain runs the tests in place of M.Run. Flags are parsed because Short and Verbose insist
// on it; session has taken the command line away, so all have their defaults.
func (m *M) rehearseMain() int {
	if !flag.Parsed() {
		flag.Parse()
	}
	inputs := rehearseLogInputs()
	rehearseClaim()
	gate.Preparing = false
	m.exitCode = gate.Main(m.rehearseTests())
	// what executions have left that were abandoned before their cleanups
	os.RemoveAll(rehearseTemp)
	inputs.isOver.Store(true)
	return m.exitCode
}

// rehearseClaim finds the directory for temporary files. A directory lists the same names in every
// execution, so that of the tests is there from the beginning.
func rehearseClaim() {
	gate.Claim()
	dir := gate.TempDir
	if dir == "" {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("rehearse-p%d", os.Getpid()))
	}
	rehearseTemp = filepath.Join(dir, ".tests")
	os.MkdirAll(rehearseTemp, 0o700)
	gate.TempRoot, gate.TempTests = dir, rehearseTemp
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		gate.TempRoot, gate.TempTests = real, filepath.Join(real, ".tests")
	}
}

// rehearseTests lists tests, fuzz targets and examples, in the order in which they run.
func (m *M) rehearseTests() []gate.Test {
	tests := make([]gate.Test, 0, len(m.tests)+len(m.fuzzTargets)+len(m.examples))
	for _, t := range m.tests {
		run := func(tb gate.TB) { t.F(rehearseT(tb, nil)) }
		tests = append(tests, gate.Test{Name: t.Name, Run: run})
	}
	for _, f := range m.fuzzTargets {
		run := func(tb gate.TB) {
			f.Fn(&F{common: rehearseCommon(tb, nil), fstate: &fuzzState{deps: m.deps}})
		}
		tests = append(tests, gate.Test{Name: f.Name, Run: run})
	}
	for _, e := range m.examples {
		run := func(tb gate.TB) { rehearseExample(tb, &e) }
		tests = append(tests, gate.Test{Name: e.Name, Run: run})
	}
	return tests
}

func rehearseT(tb gate.TB, parent *common) *T { return &T{common: rehearseCommon(tb, parent)} }

func rehearseCommon(tb gate.TB, parent *common) common {
	c := common{name: tb.FullName(), parent: parent}
	c.rehearse = &detached{TB: tb}
	if parent != nil {
		c.level = parent.level + 1
	}
	return c
}

// rehearseContext makes c's context when it is asked for the first time. It is canceled just before
// the cleanups.
func (c *common) rehearseContext() context.Context {
	if c.ctx == nil {
		c.ctx, c.cancelCtx = context.WithCancel(context.Background())
		c.rehearse.AtEnd(c.cancelCtx)
	}
	return c.ctx
}

// rehearseBubble is synctest.Test.
func (t *T) rehearseBubble(f func(*T)) (ok bool) {
	return t.rehearse.Bubble(func(tb gate.TB) {
		sub := rehearseT(tb, &t.common)
		sub.rehearse.bubble = true
		f(sub)
	})
}

// rehearseNot refuses what a test in a bubble must not do.
func (t *T) rehearseNot(method string) {
	if t.rehearse.bubble {
		panic("testing: t." + method + " called inside synctest bubble")
	}
}

func (t *T) rehearseDeadline() (deadline time.Time, ok bool) {
	t.rehearseNot("Deadline")
	return time.Time{}, false
}

func (t *T) rehearseRun(name string, f func(*T)) bool {
	t.rehearseNot("Run")
	return t.rehearse.Run(name, func(tb gate.TB) { f(rehearseT(tb, &t.common)) })
}

func (t *T) rehearseParallel() {
	if t.isParallel {
		panic("testing: t.Parallel called multiple times")
	}
	t.rehearseNot("Parallel")
	if t.denyParallel {
		panic(parallelConflict)
	}
	t.isParallel = true
	t.rehearse.Parallel()
}

func (c *common) rehearseOutput() io.Writer { return rehearseWriter{c.rehearse} }

type rehearseWriter struct{ tb gate.TB }

// Write implements io.Writer.
func (w rehearseWriter) Write(p []byte) (int, error) {
	w.tb.Write(string(p))
	return len(p), nil
}

// rehearseTempDir makes directories of the same names in every execution: a random name would make
// each log line that shows it an outcome of its own. It takes no lock, which would be an event.
func (c *common) rehearseTempDir() string {
	// before the base is made: making it ends in Cleanup, where others may run
	n := c.rehearse.numTemp.Add(1)
	dir := filepath.Join(c.rehearseTempBase(), fmt.Sprintf("%03d", n))
	// nobody else knows its name
	if err := rehearseQuietly(func() error { return os.Mkdir(dir, 0o777) }); err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	return dir
}

func (c *common) rehearseArtifactDir() string {
	dir := filepath.Join(c.rehearseTempBase(), "artifacts")
	if err := rehearseQuietly(func() error { return os.MkdirAll(dir, 0o777) }); err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	return dir
}

// rehearseTempBase returns the directory of all of c's temporary ones; the first call makes it.
func (c *common) rehearseTempBase() string {
	base := filepath.Join(rehearseTemp, rehearseFileName(c.name))
	if !c.rehearse.hasTemp.CompareAndSwap(false, true) {
		return base
	}
	// of an execution that was abandoned before its cleanups
	rehearseQuietly(func() error { return os.RemoveAll(base) })
	if err := rehearseQuietly(func() error { return os.MkdirAll(base, 0o777) }); err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	c.Cleanup(func() {
		gate.Path(gate.PathTree, base, "") // others may still use it
		if err := rehearseQuietly(func() error { return os.RemoveAll(base) }); err != nil {
			c.Errorf("TempDir RemoveAll cleanup: %v", err)
		}
	})
	return base
}

// rehearseQuietly runs f without events for the locks that it takes: how many those are depends on
// what is in the file system.
func rehearseQuietly(f func() error) error {
	defer gate.Back(gate.Aside())
	return f()
}

// rehearseFileName returns a file name that is short, plain and different for different test names.
func rehearseFileName(test string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' {
			return r
		}
		return -1
	}, test)
	hash := uint32(2166136261) // FNV-1a
	for i := range len(test) {
		hash = (hash ^ uint32(test[i])) * 16777619
	}
	return fmt.Sprintf("%.64s-%08x", plain, hash)
}
