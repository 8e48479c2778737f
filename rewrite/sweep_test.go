package rewrite_test

import (
	"flag"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

var sweepFlag = flag.String("sweep", "context net/http os/exec io golang.org/x/sync/...",
	"packages to rewrite")

// TestSweepPackages rewrites packages that are full of channels and type-checks the result.
func TestSweepPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks net/http")
	}
	w, err := list(append(strings.Fields(*sweepFlag), hookPath)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		t.Run(path, func(t *testing.T) { sweep(t, w, path, "", w.files[path]) })
	}
}

// TestSweepChannelTests does so with the programs of GOROOT/test/chan, in several language
// versions.
func TestSweepChannelTests(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", "chan", "*.go"))
	if len(files) == 0 {
		t.Skip("GOROOT has no test directory")
	}
	w := standard(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "errorcheck") {
			continue
		}
		for _, version := range []string{"go1.26", "go1.18", "go1.10"} {
			t.Run(filepath.Base(file)+"/"+version, func(t *testing.T) {
				sweep(t, w, "main", version, []string{file})
			})
		}
	}
}

// sweep rewrites one package and checks what must hold for every package.
func sweep(t *testing.T, w *world, path, version string, files []string) {
	sources := make(map[string][]byte)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = text
	}
	in, err := w.check(path, version, files, sources)
	if err != nil {
		t.Fatal(err)
	}
	in.Maps, in.Shared = true, everything{}
	in.State = func(*types.Var) bool { return true }
	result, err := w.rewritten(in)
	if err != nil {
		t.Fatal(err)
	}
	sameLines(t, in, result)
	t.Logf("%d of %d files rewritten", changed(in, result), len(files))
}

func changed(in *unit.Input, result map[string][]byte) int {
	n := 0
	for name, text := range result {
		if string(text) != string(in.Sources[name]) {
			n++
		}
	}
	return n
}
