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
	dir      string // of its package
	binary   string
	naming   map[string][]string // of its file
	want     expectation
	expected bool // Go's test has it
}

// corpus reads, strips and builds all kernels, ordered by the files' names.
func corpus(t *testing.T) []*kernel {
	t.Helper()
	goroot := goRoot(t)
	ownCache(t)
	wants := readExpectations(t, filepath.Join(goroot, "src", "runtime", "goroutineleakprofile_test.go"))
	root := t.TempDir()
	sources := writeModule(t, root, filepath.Join(goroot, "src", "runtime", "testdata", "testgoroutineleakprofile"))
	packages, err := exec.Build(root, options.Default(), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	var kernels []*kernel
	for _, p := range packages {
		s := sources[filepath.Base(p.Dir)]
		for _, name := range s.entries {
			want, ok := wants[name]
			kernels = append(kernels, &kernel{name, p.Dir, p.Binary, s.naming, want, ok})
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

// writeModule makes a module with a package for each file of the corpus.
func writeModule(t *testing.T, root, from string) map[string]*source {
	t.Helper()
	write(t, filepath.Join(root, "go.mod"), "module leaks\n\ngo 1.26\n")
	sources := map[string]*source{}
	for _, pattern := range []string{"*.go", "goker/*.go"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".go")
			if name != "main" {
				sources[name] = writePackage(t, filepath.Join(root, name), file)
			}
		}
	}
	return sources
}

// writePackage makes a package of one file: its kernels, and a test for each.
func writePackage(t *testing.T, dir, file string) *source {
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
	write(t, filepath.Join(dir, "kernel.go"), string(s.text))
	write(t, filepath.Join(dir, "kernel_test.go"), testsOf(s.entries))
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
