package receivers

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// TestFind compares what is found in testdata with the WANT lines there. A line must be there
// whole, and none may start with what follows an exclamation mark.
func TestFind(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	var dirs []string
	for _, file := range files {
		dirs = append(dirs, "./"+filepath.ToSlash(filepath.Dir(file)))
	}
	got := linesOf(t, load.Config{Patterns: dirs})
	for _, file := range files {
		want := wanted(t, file)
		for _, w := range want {
			not, negative := strings.CutPrefix(w, "! ")
			if w == "! framework" {
				not = "framework none."
			}
			if negative && slices.ContainsFunc(got,
				func(g string) bool { return strings.HasPrefix(g, not) }) {
				t.Errorf("%s: not wanted: %s", file, not)
			}
			if !negative && !slices.Contains(got, w) {
				t.Errorf("%s: want %s", file, w)
			}
		}
	}
	if t.Failed() {
		t.Logf("got\n%s", strings.Join(got, "\n"))
	}
}

// TestOtherModule puts the framework into a module of its own: receivers are those of the main
// module, and the framework's code is read nevertheless.
func TestOtherModule(t *testing.T) {
	dir := t.TempDir()
	const here = "github.com/rehearse-go/rehearse/analysis/receivers/testdata/burst"
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	source := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), here, "example.org/burst")
	}
	write("burst/go.mod", "module example.org/burst\n\ngo 1.24\n")
	write("burst/burst.go", source("burst/burst.go"))
	write("go.mod", "module example.org/users\n\ngo 1.24\n\nrequire example.org/burst v1.0.0\n\n"+
		"replace example.org/burst => ./burst\n")
	write("users.go", source("users/users.go"))
	got := linesOf(t, load.Config{Dir: dir, Patterns: []string{"."}})
	for _, w := range wanted(t, "testdata/users/users.go") {
		if !strings.HasPrefix(w, "! ") && !slices.Contains(got, w) {
			t.Errorf("want %s", w)
		}
	}
	if slices.ContainsFunc(got, func(g string) bool {
		return strings.Contains(g, "*burst.") &&
			strings.HasPrefix(g, "receiver burst.Actor *burst.")
	}) {
		t.Error("a type of the framework is a receiver")
	}
	if t.Failed() {
		t.Logf("got\n%s", strings.Join(got, "\n"))
	}
}

// wanted returns the WANT lines of a file.
func wanted(t *testing.T, file string) (lines []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, want, ok := strings.Cut(string(text), "// WANT:\n")
	if !ok {
		t.Fatalf("%s has no WANT lines", file)
	}
	for w := range strings.Lines(want) {
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(w, "//")))
	}
	return lines
}

// linesOf returns what Find says of the packages of c, without positions.
func linesOf(t *testing.T, c load.Config) (lines []string) {
	l, err := load.Load(c)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Load(c, l)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		name := path.Base(f.Package) + "." + f.Interface
		lines = append(lines, fmt.Sprintf("framework %s %s", name, f.Loop))
		for _, r := range f.Receivers {
			lines = append(lines, receiverLines(name, r)...)
		}
	}
	return lines
}

func receiverLines(of string, r facts.Receiver) (lines []string) {
	name := path.Base(r.Package) + "." + r.Name
	if rest, ok := strings.CutPrefix(r.Name, "*"); ok {
		name = "*" + path.Base(r.Package) + "." + rest
	}
	for _, m := range r.Methods {
		words := append([]string{"receiver", of, name, m.Name}, m.Kinds...)
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}
