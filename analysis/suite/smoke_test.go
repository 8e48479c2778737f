package suite

import (
	"testing"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestRealCode runs everything over code that was not written for it: it must not crash, and has nothing to report.
func TestRealCode(t *testing.T) {
	patterns := []string{"context", "golang.org/x/sync/errgroup", "golang.org/x/tools/go/packages"}
	if !testing.Short() {
		patterns = append(patterns, "net/http", "os/exec", "os/signal", "database/sql", "text/template", "go/types", "testing")
	}
	l, err := load.Load(load.Config{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	v := actors.Find(l)
	if len(v.Rejected) == 0 {
		t.Errorf("no goroutine found")
	}
	r, err := Run(l)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		t.Errorf("%s: %s", l.Position(d.Pos), d.Message)
	}
}
