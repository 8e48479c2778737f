package suite

import (
	"testing"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// realCode is code that was not written for this.
var realCode = []string{"context", "golang.org/x/sync/errgroup", "golang.org/x/tools/go/packages"}

// TestRealCode runs everything over realCode: it must not crash, and has nothing to report.
func TestRealCode(t *testing.T) {
	patterns := realCode
	if !testing.Short() {
		patterns = append(patterns, "net/http", "os/exec", "os/signal", "database/sql", "text/template", "go/types", "testing")
	}
	l, err := load.Load(load.Config{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	if v := actors.Find(l); len(v.Rejected) == 0 {
		t.Errorf("no goroutine found")
	}
	stdout, stderr, err := goVet(t, ".", nil, patterns...)
	if err != nil || stderr != "" {
		t.Errorf("%v\n%s%s", err, stdout, stderr)
	}
}
