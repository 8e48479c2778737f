package leaks

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// kernel is one program of the corpus, built.
type kernel struct {
	name     string
	dir      string              // of its package
	binary   string              // the program of all kernels of the package
	naming   map[string][]string // of its file
	want     expectation
	expected bool // Go's test has it
}

// corpus reads, strips and builds all kernels, ordered by the files' names.
func corpus(t *testing.T) []*kernel {
	t.Helper()
	goroot := goRoot(t)
	ownCache(t)
	wants := readExpectations(t,
		filepath.Join(goroot, "src", "runtime", "goroutineleakprofile_test.go"))
	root := t.TempDir()
	sources := writeModule(t, root,
		filepath.Join(goroot, "src", "runtime", "testdata", "testgoroutineleakprofile"))
	packages, err := exec.Build(root, options.Default(), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	binaries := map[string]string{}
	for _, p := range packages {
		binaries[filepath.Base(p.Dir)] = p.Binary
	}
	var kernels []*kernel
	for _, s := range sources {
		for _, name := range s.entries {
			want, ok := wants[name]
			dir := filepath.Join(root, s.group)
			kernels = append(kernels, &kernel{name, dir, binaries[s.group], s.naming, want, ok})
		}
	}
	return kernels
}

// ownCache keeps the binaries, which no other test can use, out of the user's cache.
func ownCache(t *testing.T) {
	t.Helper()
	builds, err := goCommand("env", "GOCACHE")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(builds))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// goRoot is the directory of the Go installation, if it has the corpus.
func goRoot(t *testing.T) string {
	t.Helper()
	root := runtime.GOROOT()
	if out, err := goCommand("env", "GOROOT"); err == nil {
		root = strings.TrimSpace(out)
	}
	dir := filepath.Join(root, "src", "runtime", "testdata", "testgoroutineleakprofile")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("this Go installation has no corpus of leaks: %v", err)
	}
	return root
}

// writeModule makes a module with a package for each directory of the corpus: one program has all
// of its files, so that it is linked once. The sources are ordered by their names.
func writeModule(t *testing.T, root, from string) (sources []*source) {
	t.Helper()
	write(t, filepath.Join(root, "go.mod"), "module leaks\n\ngo 1.26\n")
	for group, pattern := range map[string]string{"small": "*.go", "goker": "goker/*.go"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil {
			t.Fatal(err)
		}
		var entries []string
		for _, file := range files {
			if name := filepath.Base(file); name != "main.go" {
				s := writeFile(t, filepath.Join(root, group, name), file)
				s.group, entries = group, append(entries, s.entries...)
				sources = append(sources, s)
			}
		}
		write(t, filepath.Join(root, group, "kernels_test.go"), testsOf(entries))
	}
	slices.SortFunc(sources, func(a, b *source) int { return strings.Compare(a.base(), b.base()) })
	return sources
}

// writeFile writes the kernels of one file.
func writeFile(t *testing.T, to, file string) *source {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{fset: token.NewFileSet(), text: bytes.Clone(text)}
	if s.file, err = parser.ParseFile(s.fset, file, text, parser.SkipObjectResolution); err != nil {
		t.Fatal(err)
	}
	s.name()
	s.strip()
	write(t, to, string(s.text))
	return s
}

// testsOf is a test file that runs each kernel.
func testsOf(entries []string) string {
	text := "package kern\n\nimport \"testing\"\n"
	for _, name := range slices.Compact(entries) {
		text += fmt.Sprintf("\nfunc Test%s(t *testing.T) { %s() }\n", name, name)
	}
	return text
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
