package main

import (
	"fmt"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// idiom is one section of testdata/idioms.txtar.
type idiom struct {
	name                  string
	declare, beside, test string
	only                  bool // there is no second test, with a mutex
}

// racy reports whether the idiom as it stands has a data race.
func (i idiom) racy(language string) bool {
	if i.name == "Loop" {
		return language == "1.21"
	}
	return !strings.HasPrefix(i.name, "None")
}

// source is the test of an idiom, with a mutex around the accesses or without.
func (i idiom) source(name string, locked bool) string {
	lock, unlock := "", ""
	if locked {
		lock, unlock = "mu.Lock()\n", "\nmu.Unlock()"
	}
	return fmt.Sprintf(
		"func %s(t *testing.T) {\nvar mu sync.Mutex\nuse(&mu)\n%s\ndone := make(chan bool)\ngo func() {\n%s%s%s\nclose(done)\n}()\n%s%s%s\n<-done\n}\n\n",
		name, i.declare, lock, i.beside, unlock, lock, i.test, unlock)
}

// TestIdioms compares what is found of data races with what is known of the idioms. Go's detector
// agrees, where there is one.
func TestIdioms(t *testing.T) {
	dir := t.TempDir()
	if keep := os.Getenv("REHEARSE_IDIOMS"); keep != "" {
		dir = keep
	}
	for _, language := range []string{"1.21", "1.26"} {
		racy := writeIdioms(t, dir, language)
		write(t, dir, "go.mod", "module idioms.test\n\ngo "+language+"\n")
		packages, err := exec.Build(dir, options.Default(), []string{"."})
		if err != nil {
			t.Fatal(err)
		}
		t.Run("go"+language, func(t *testing.T) { compareIdioms(t, packages[0].Binary, racy) })
		t.Run("native"+language, func(t *testing.T) { agreed(t, language, dir, racy) })
	}
}

// compareIdioms explores the tests. Three have a great many executions, the first of which show the
// race.
func compareIdioms(t *testing.T, binary string, racy map[string]bool) {
	results := exploreAll(t, binary, "-timeout=0", "-max-executions=300")
	for name, want := range racy {
		r, ok := results[name]
		if !ok {
			t.Fatalf("%s was not run", name)
		}
		got := false
		for _, f := range r.Findings {
			// a race may have consequences
			if got = got || f.Kind == "race"; f.Kind != "race" && !want {
				t.Errorf("%s: %s: %s", name, f.Kind, f.Message)
			}
		}
		if got != want {
			t.Errorf("%s: data race: %t, want %t: %v", name, got, want, r.Findings)
		}
	}
}

// agreedFile has what Go's detector has agreed to: a line for each language version, with the
// version of Go and the digest of the tests and of what is said of them.
const agreedFile = "testdata/idioms.agreed"

// agreed has Go's detector look at the tests, unless the same version has agreed to the same tests
// before: to look at them, go compiles much of the library for the race detector, 20 CPU s.
func agreed(t *testing.T, language, dir string, racy map[string]bool) {
	text, err := os.ReadFile(filepath.Join(dir, "idioms_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, name := range slices.Sorted(maps.Keys(racy)) {
		fmt.Fprintln(&said, name, racy[name])
	}
	line := fmt.Sprintf("%s %s %s", language, runtime.Version(),
		cache.Digest(append(text, said.String()...)))
	known, _ := os.ReadFile(agreedFile) // without the file, nothing is agreed
	if slices.Contains(strings.Split(string(known), "\n"), line) {
		return
	}
	if gcc, _ := osexec.LookPath("gcc"); gcc == "" || testing.Short() {
		t.Skip("the race detector needs gcc, and takes long")
	}
	compareNative(t, dir, racy)
	if t.Failed() || !*update {
		return
	}
	others := slices.DeleteFunc(strings.Split(string(known), "\n"), func(l string) bool {
		return l == "" || strings.HasPrefix(l, language+" ")
	})
	lines := strings.Join(append(others, line), "\n") + "\n"
	if err := os.WriteFile(agreedFile, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compareNative has Go's detector look at the tests.
func compareNative(t *testing.T, dir string, racy map[string]bool) {
	cmd := osexec.Command("go", "test", "-vet=off", "-race", "-count=3", "-v", ".")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("%s", out)
	}
	for name, want := range racy {
		want = want && !strings.HasPrefix(name, "TestUnseen")
		if got := strings.Contains(string(out), "--- FAIL: "+name+" "); got != want {
			t.Errorf("%s: data race under Go's detector: %t, want %t", name, got, want)
		}
	}
}

// writeIdioms writes a package with the tests, and returns which of them have a data race.
func writeIdioms(t *testing.T, dir, language string) map[string]bool {
	prelude, idioms := readIdioms(t)
	racy := map[string]bool{}
	var b strings.Builder
	b.WriteString(
		"package idioms\n\nimport (\n\"bytes\"\n\"fmt\"\n\"io\"\n\"sort\"\n\"strings\"\n\"sync\"\n\"sync/atomic\"\n\"testing\"\n)\n\n")
	b.WriteString(
		"var _ = io.EOF\nvar _ bytes.Buffer\nvar _ strings.Builder\nvar _ = sort.Ints\nvar _ = fmt.Sprint\nvar _ atomic.Bool\n\n" +
			prelude)
	for _, i := range idioms {
		name := "Test" + i.name
		racy[name] = i.racy(language)
		b.WriteString(i.source(name, false))
		if !i.only {
			racy["TestLocked"+i.name] = i.name == "Loop" && i.racy(language)
			b.WriteString(i.source("TestLocked"+i.name, true))
		}
	}
	write(t, dir, "idioms_test.go", b.String())
	return racy
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readIdioms returns the declarations that all of them use, and the idioms.
func readIdioms(t *testing.T) (prelude string, idioms []idiom) {
	a, err := txtar.ParseFile("testdata/idioms.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == "prelude" {
			prelude = string(f.Data)
			continue
		}
		text, only := strings.CutSuffix(string(f.Data), "--only--\n")
		parts := strings.Split("\n"+text, "\n--\n")
		if len(parts) != 3 {
			t.Fatalf("%s has %d parts, want 3", f.Name, len(parts))
		}
		i := idiom{strings.ToUpper(f.Name[:1]) + f.Name[1:], parts[0], parts[1], parts[2], only}
		if slices.ContainsFunc(idioms, func(o idiom) bool { return o.name == i.name }) {
			t.Fatalf("two idioms are called %s", f.Name)
		}
		idioms = append(idioms, i)
	}
	return prelude, idioms
}
