package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	goanalysis "golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/suite"
	"github.com/rehearse-go/rehearse/analysis/vet"
	"github.com/rehearse-go/rehearse/explore/options"
)

func TestMain(m *testing.M) {
	testscript.Main(keeping{m}, map[string]func(){"rehearse": main})
}

// kept is a directory for what tests share, and keeping runs tests that have it.
var kept string

type keeping struct{ *testing.M }

func (k keeping) Run() int {
	var err error
	if kept, err = os.MkdirTemp("", "rehearse-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(kept)
	return k.M.Run()
}

// TestScripts runs the command as a user does: each file below testdata/script is a session in an
// empty directory.
func TestScripts(t *testing.T) {
	cache := goEnv(t, "GOCACHE")
	modules := goEnv(t, "GOMODCACHE")
	own := t.TempDir() // one cache for all scripts, as one user has
	smallest := t.TempDir()
	var library sync.Once
	var failed error
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOCACHE", cache)
			env.Setenv("GOMODCACHE", modules)
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOFLAGS", "")
			env.Setenv("XDG_CACHE_HOME", own)
			env.Setenv("XDG_CONFIG_HOME", own)
			library.Do(func() { failed = fillCache(env, smallest) })
			return failed
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits,
			"oneline": oneLine, "alike": sameReport},
		RequireExplicitExec: true,
	})
}

// fillCache lets one command rewrite and compile the standard library and the explorer. The first
// scripts would do it at the same time, each for itself, as go's build cache knows no locks. The
// test is made in dir.
func fillCache(env *testscript.Env, dir string) error {
	for name, text := range map[string]string{"go.mod": "module smallest\n\ngo 1.26\n",
		"a_test.go": "package smallest\n\nimport \"testing\"\n\nfunc Test(*testing.T) {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	cmd := exec.Command("rehearse", "test")
	cmd.Dir, cmd.Env = dir, env.Vars
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("rehearse test: %w\n%s", err, out)
	}
	return nil
}

// exits runs a command that must end with an exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, ts.ReadFile("stdout"),
			ts.ReadFile("stderr"))
	}
}

// sameReport compares two reports: alike FILE FILE. They may differ in what depends on time: how
// long tests took, how many executions were redundant, and whether a finding was shown when it was
// found or with the result. So the lines are compared without their order, and each once.
func sameReport(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: alike FILE FILE")
	}
	one, other := reported(ts.ReadFile(args[0])), reported(ts.ReadFile(args[1]))
	for i, line := range one {
		if i == len(other) || line != other[i] {
			ts.Fatalf("%s has %q, not so %s:\n%s", args[0], line, args[1],
				strings.Join(other, ""))
		}
	}
	if len(other) > len(one) {
		ts.Fatalf("%s has not %q", args[0], other[len(one)])
	}
}

// timed is what depends on time in a report's lines.
var timed = regexp.MustCompile(`\([0-9.]+s\)|^(ok  |FAIL)\t.*|^=== FOUND .*|^ *shown above, .*|` +
	` \(and [0-9]+ redundant\)`)

// reported returns the lines of a report that depend on no time, sorted, each once.
func reported(report string) []string {
	var lines []string
	for line := range strings.Lines(report) {
		lines = append(lines, timed.ReplaceAllString(line, ""))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestHelpNamesAllCommands keeps doc.go and the commands together.
func TestHelpNamesAllCommands(t *testing.T) {
	unmentioned := []string{"-h", "-help", "--help", "-version", "--version"}
	for name := range commands {
		if !slices.Contains(unmentioned, name) &&
			!strings.Contains(helpText(""), "rehearse "+name+" ") {
			t.Errorf("rehearse help does not mention %s", name)
		}
	}
}

// TestHelpNamesAllFlags keeps doc.go and the flags together.
func TestHelpNamesAllFlags(t *testing.T) {
	// how this command calls a binary
	internal := []string{"several", "replay", "refine", "handoff", "explorer", "json-of",
		"journals", "merge"}
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	options.Default().Register(fs)
	fs.VisitAll(func(f *flag.Flag) {
		named := regexp.MustCompile(`-` + f.Name + `\b`).MatchString(helpText("test"))
		if !named && !slices.Contains(internal, f.Name) {
			t.Errorf("rehearse help test does not mention -%s", f.Name)
		}
	})
}

// TestHelpFitsTheScreen bounds what rehearse help prints: what people need is on one screen, and
// each topic on little more.
func TestHelpFitsTheScreen(t *testing.T) {
	for name, most := range map[string]int{"": 40, "test": 40, "strategies": 40, "exploring": 60,
		"models": 60, "facts": 60, "findings": 60, "ci": 60} {
		text := helpText(name)
		if n := strings.Count(text, "\n"); n == 0 || n > most {
			t.Errorf("rehearse help %s has %d lines, want at most %d", name, n, most)
		}
		for line := range strings.Lines(text) {
			if n := len(strings.TrimRight(line, "\n")); name != "" && n > 100 {
				t.Errorf("rehearse help %s has a line of %d characters: %s", name, n, line)
			}
		}
	}
}

// TestHelpNamesVetFlags keeps doc.go and the flags of rehearse vet together. The checks stand there
// as -NAME.
func TestHelpNamesVetFlags(t *testing.T) {
	v := &vetting{Config: vet.Config{Checks: suite.Checks()}}
	v.flags().VisitAll(func(f *flag.Flag) {
		check, _, _ := strings.Cut(f.Name, ".")
		if slices.ContainsFunc(v.Checks,
			func(a *goanalysis.Analyzer) bool { return a.Name == check }) {
			return
		}
		if !regexp.MustCompile(`\n\t-` + f.Name + `\b`).MatchString(helpText("vet")) {
			t.Errorf("rehearse help vet does not mention -%s", f.Name)
		}
	})
}

// TestHelpNamesBenchFlags keeps doc.go and the flags of rehearse bench together.
func TestHelpNamesBenchFlags(t *testing.T) {
	new(benching).flags().VisitAll(func(f *flag.Flag) {
		if !regexp.MustCompile(`\n\t-` + f.Name + `\b`).MatchString(helpText("bench")) {
			t.Errorf("rehearse help bench does not mention -%s", f.Name)
		}
	})
}

// builds matches what a build says that takes long.
var builds = regexp.MustCompile(`(?m)^building( .*)?\n`)

// oneLine checks that standard error is one line that begins as the command's errors do. A slow
// machine may have said before what is being built.
func oneLine(ts *testscript.TestScript, neg bool, _ []string) {
	text := builds.ReplaceAllString(ts.ReadFile("stderr"), "")
	if neg || strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "rehearse: ") {
		ts.Fatalf("standard error is not one line of rehearse:\n%s", text)
	}
}
