package fanin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestFind compares the receives that are found with the lines of the fixtures that say SUM and
// what is done with the values. Other receives are in no group.
func TestFind(t *testing.T) {
	l, err := load.Load(load.Config{Patterns: []string{"./testdata/sums", "./testdata/calls"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range Find(l) {
		for _, at := range s.Receives {
			line := fmt.Sprintf("%s:%d: %s", filepath.Base(at.File), at.Line, s.Fact)
			if !slices.Contains(got, line) {
				got = append(got, line)
			}
		}
	}
	want := marked(t, "testdata/sums/positive.go", "testdata/sums/negative.go",
		"testdata/calls/calls.go")
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("want %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("there is %s", g)
		}
	}
}

// marked returns the lines of files that say SUM.
func marked(t *testing.T, files ...string) (out []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if _, fact, ok := strings.Cut(line, "// SUM "); ok {
				out = append(out, fmt.Sprintf("%s:%d: %s", filepath.Base(file), i+1, fact))
			}
		}
	}
	return out
}
