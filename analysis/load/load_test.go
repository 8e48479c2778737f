package load

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes a txtar archive into a new directory.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const module = `
-- go.mod --
module example.org/m

go 1.21
-- p/p.go --
package p

import (
	"fmt"

	"example.org/m/q"
)

func P() { fmt.Println(q.Q()) }
-- p/p_test.go --
package p

import "testing"

func TestIn(t *testing.T) { P() }
func Testing(t *testing.T) {}
func TestHelper(t *testing.T, n int) {}
func Test(t *testing.T) {}
-- p/x_test.go --
package p_test

import (
	"testing"

	"example.org/m/p"
	"example.org/m/r"
)

func TestMain(m *testing.M) {}
func TestOut(t *testing.T) { p.P(); r.R() }
-- p/tagged.go --
//go:build special

package p

const Special = true
-- q/q.go --
package q

func Q() int { return 1 }
-- r/r.go --
package r

import "example.org/m/p"

func R() { p.P() }
-- cmd/main.go --
package main

import "example.org/m/q"

func main() { q.Q() }
`

func ids(ps []*Package) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.ID)
	}
	return strings.Join(out, ", ")
}

func entries(es []Entry) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Name)
	}
	return strings.Join(out, " ")
}

func TestTargets(t *testing.T) {
	dir := unpack(t, module)
	tests := []struct {
		name     string
		patterns []string
		tags     string
		tests    bool
		want     string // one line per target: package | external tests | dependencies | files
	}{
		{"variant", []string{"./p"}, "", true,
			"example.org/m/p [example.org/m/p.test] | example.org/m/p_test [example.org/m/p.test] | " +
				"example.org/m/q, example.org/m/r [example.org/m/p.test] | p.go p_test.go"},
		{"plain", []string{"./p"}, "", false, "example.org/m/p |  | example.org/m/q | p.go"},
		{"tags", []string{"./p"}, "special", false,
			"example.org/m/p |  | example.org/m/q | p.go tagged.go"},
		{"no tests", []string{"./q"}, "", true, "example.org/m/q |  |  | q.go"},
		{"file", []string{"cmd/main.go"}, "", true,
			"command-line-arguments |  | example.org/m/q | main.go"},
		{"several", []string{"./q", "./cmd"}, "", true,
			"example.org/m/cmd |  | example.org/m/q | main.go\nexample.org/m/q |  |  | q.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Load(Config{Dir: dir, Patterns: tt.patterns, Tags: tt.tags, Tests: tt.tests})
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(r); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func describe(r *Result) string {
	var lines []string
	for _, t := range r.Targets {
		var files []string
		for _, f := range t.Package.GoFiles {
			files = append(files, filepath.Base(f))
		}
		xtest := ""
		if t.XTest != nil {
			xtest = t.XTest.ID
		}
		lines = append(lines, fmt.Sprintf("%s | %s | %s | %s", t.Package.ID, xtest, ids(t.Deps),
			strings.Join(files, " ")))
	}
	return strings.Join(lines, "\n")
}

func TestEntries(t *testing.T) {
	r, err := Load(Config{Dir: unpack(t, module), Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	p, cmd := r.Target("example.org/m/p"), r.Target("example.org/m/cmd")
	if got, want := entries(p.Tests()), "TestIn Test TestOut"; got != want {
		t.Errorf("tests %s, want %s", got, want)
	}
	if _, ok := p.TestMain(); !ok {
		t.Errorf("no TestMain")
	}
	m, ok := cmd.Main()
	if !ok || m.SSA(r) == nil || len(m.SSA(r).Blocks) == 0 {
		t.Errorf("no body of main")
	}
	for _, e := range p.Tests() {
		if f := e.SSA(r); f == nil || len(f.Blocks) == 0 {
			t.Errorf("no body of %s", e.Name)
		}
	}
	if got, want := p.Package.GoVersion, "go1.21"; got != want {
		t.Errorf("language version %s, want %s", got, want)
	}
	want := "example.org/m/q, example.org/m/cmd, example.org/m/p [example.org/m/p.test], " +
		"example.org/m/p_test [example.org/m/p.test], example.org/m/r"
	if got := ids(r.InMain()); got != want {
		t.Errorf("main packages\n%s, want\n%s", got, want)
	}
}

// TestVariantsShareSyntax: passes compare the positions of objects of different variants.
func TestVariantsShareSyntax(t *testing.T) {
	r, err := Load(Config{Dir: unpack(t, module), Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	var of []*Package
	for _, p := range r.Packages {
		if p.Path == "example.org/m/p" {
			of = append(of, p)
		}
	}
	if len(of) != 2 || of[0].Syntax[0] != of[1].Syntax[0] || of[0].Types == of[1].Types {
		t.Errorf("variants: %s", ids(of))
	}
}

// TestPositions: positions are in the order of packages and files, so that passes may sort by them.
func TestPositions(t *testing.T) {
	r, err := Load(Config{Dir: unpack(t, module), Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, p := range r.Packages {
		for i, f := range p.Syntax {
			if got := r.Fset.File(f.Package).Name(); got != p.Compiled[i] {
				t.Errorf("file %s has the positions of %s", p.Compiled[i], got)
			}
			if p.ForTest == "" {
				if int(f.FileStart) <= last {
					t.Errorf("%s is before the file that precedes it", p.Compiled[i])
				}
				last = int(f.FileStart)
			}
		}
	}
}

func TestWorkspace(t *testing.T) {
	dir := unpack(t, `
-- go.work --
go 1.22
use (
	./a
	./b
)
-- a/go.mod --
module example.org/a
go 1.22
-- a/a.go --
package a

import "example.org/b"

var A = b.B
-- b/go.mod --
module example.org/b
go 1.20
-- b/b.go --
package b

var B = 1
`)
	r, err := Load(Config{Dir: filepath.Join(dir, "a"),
		Env: append(os.Environ(), "GOWORK=", "GOFLAGS="), Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	deps := r.Targets[0].Deps
	if ids(deps) != "example.org/b" || !deps[0].Main || deps[0].GoVersion != "go1.20" {
		t.Errorf("deps %s", ids(deps))
	}
}

// TestTestdata: patterns that begin in testdata mean what is there, but for modules in it.
func TestTestdata(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule m\n-- a.go --\npackage a\n-- testdata/b/b.go --\npackage b\n"+
		"-- testdata/b/testdata/c/c.go --\npackage c\n-- testdata/b/d/d.go --\npackage d\n"+
		"-- testdata/other/go.mod --\nmodule other\n-- testdata/other/o.go --\npackage o\n")
	for patterns, want := range map[string]string{
		"./testdata/...":            "m/testdata/b m/testdata/b/d",
		". ./testdata/b/d/...":      "m m/testdata/b/d",
		"./testdata/b/testdata/...": "m/testdata/b/testdata/c",
		"./testdata/.../d":          "m/testdata/b/d",
	} {
		r, err := Load(Config{Dir: dir, Patterns: strings.Fields(patterns)})
		if err != nil {
			t.Errorf("%s: %v", patterns, err)
			continue
		}
		var got []string
		for _, target := range r.Targets {
			got = append(got, target.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", patterns, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, archive, pattern string
		kind                   Kind
		want                   []string // substrings
	}{
		{"no such directory", "-- go.mod --\nmodule m\n", "./nothing", NoPackage,
			[]string{"no package", "nothing"}},
		{"nothing matches", "-- go.mod --\nmodule m\n", "./...", NoPackage,
			[]string{"no package ./...", "go list ./..."}},
		{"testdata of another module", "-- go.mod --\nmodule m\n-- testdata/go.mod --\nmodule n\n" +
			"-- testdata/a/a.go --\npackage a\n",
			"./testdata/...", NoPackage, []string{"no package ./testdata/...", "-C ./testdata/ ./..."}},
		{"no such import path", "-- go.mod --\nmodule m\n", "example.org/none", NoPackage,
			[]string{"no package example.org/none"}},
		{"no module", "-- a.go --\npackage a\n", ".", NoPackage, []string{"module"}},
		{"types", "-- go.mod --\nmodule m\n-- a.go --\npackage a\nvar x int = \"\"\nvar y = z\n",
			".", Broken,
			[]string{"m does not compile", "a.go:2:13: cannot use", "a.go:3:9: undefined: z"}},
		{"syntax", "-- go.mod --\nmodule m\n-- a.go --\npackage a\nfunc {\n", ".", Broken,
			[]string{"a.go:2:6: "}},
		{"test file",
			"-- go.mod --\nmodule m\n-- a.go --\npackage a\n-- a_test.go --\npackage a\nvar y = z\n",
			".",
			Broken,
			[]string{"a_test.go:2:9: undefined: z"}},
		{"missing import",
			"-- go.mod --\nmodule m\n-- a.go --\npackage a\nimport _ \"example.org/none\"\n", ".",
			Broken,
			[]string{"m does not compile", "a.go:2:8: ", "example.org/none"}},
		{"eleven", "-- go.mod --\nmodule m\n-- a.go --\npackage a\n" +
			strings.Repeat("var _ = z\n", 11), ".", Broken,
			[]string{"a.go:11:9: ", "and 1 more"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Config{Dir: unpack(t, tt.archive), Patterns: []string{tt.pattern},
				Tests: true})
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind {
				t.Fatalf("error %#v, want kind %d", err, tt.kind)
			}
			t.Log(err)
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
		})
	}
}

func TestImportsSorted(t *testing.T) {
	r, err := Load(Config{Dir: unpack(t, module), Patterns: []string{"./p"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Targets[0].Package.Imports; !slices.Equal(got, []string{"example.org/m/q", "fmt"}) {
		t.Errorf("imports %v", got)
	}
}

// TestExports: export data of an earlier Load is found there, and not asked for again.
func TestExports(t *testing.T) {
	c := Config{Dir: unpack(t, module), Patterns: []string{"./q", "./p"}, Tests: true, Deps: true,
		Exports: map[string]string{}}
	if _, err := Load(c); err != nil {
		t.Fatal(err)
	}
	if c.Exports["fmt"] == "" || c.Exports["testing"] == "" || c.Exports["example.org/m/q"] != "" {
		t.Errorf("exports: %v", c.Exports)
	}
	c.Exports["fmt"] = filepath.Join(c.Dir, "absent")
	if _, err := Load(c); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("without a file of what is known: %v", err)
	}
}

// TestGenerated: of a file with cgo, cgo's output is checked.
func TestGenerated(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	c := Config{Patterns: []string{"."}, Dir: unpack(t, `
-- go.mod --
module example.org/c

go 1.26
-- c.go --
package c

// int f(void) { return 3; }
import "C"

func F() int { return int(C.f()) }
`)}
	r, err := Load(c)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Targets[0].Package
	if len(p.GoFiles) != 1 || slices.Contains(p.Compiled, p.GoFiles[0]) || len(p.Compiled) < 2 {
		t.Errorf("of %v are compiled %v", p.GoFiles, p.Compiled)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := unpack(b, module)
	for b.Loop() {
		if _, err := Load(Config{Dir: dir, Patterns: []string{"./p"}, Tests: true,
			Deps: true}); err != nil {
			b.Fatal(err)
		}
	}
}
