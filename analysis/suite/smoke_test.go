package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// realCode is code that was not written for this.
var realCode = []string{"context", "golang.org/x/sync/errgroup", "golang.org/x/tools/go/packages"}

// trueFindings are functions of real code with a mistake. makeTempDir of package testing returns
// the error of os.Stat with tempDirMu locked: the next call of TempDir would wait for ever.
var trueFindings = []string{"common.makeTempDir"}

// TestRealCode runs everything over realCode: it must not crash, and has nothing to report outside
// of tests but trueFindings.
func TestRealCode(t *testing.T) {
	patterns := realCode
	if !testing.Short() {
		patterns = append(patterns, "net/http", "os/exec", "os/signal", "database/sql",
			"text/template", "go/types", "testing")
	}
	l, err := load.Load(load.Config{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	if v := actors.Find(l); len(v.Rejected) == 0 {
		t.Errorf("no goroutine found")
	}
	_, stderr, err := goVet(t, ".", nil, patterns...)
	for line := range strings.Lines(stderr) {
		if slices.ContainsFunc(trueFindings, func(f string) bool {
			return strings.Contains(line, f)
		}) {
			continue
		}
		// tests do odd things on purpose
		if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go: downloading ") &&
			!strings.Contains(line, "_test.go:") {
			t.Error(line)
		}
	}
	if err != nil && stderr == "" {
		t.Error(err)
	}
}
