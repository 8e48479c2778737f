package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

// result is what the exploration of a test says, as far as it is used.
type result struct {
	Action, Test, Verdict, Reason string
	Complete                      bool
	Executions                    int
	Unbegun                       int // of a package's line
	Findings                      []finding
	Filling                       *filling
}

// filling is what fills the tree of an incomplete test: pairs of operations in a race.
type filling struct{ Pairs []pair }

type pair struct {
	First, Second, Rule string
	Count               int
}

type finding struct{ Kind, Message, Pos string }

// became says what became of a test.
func (r *result) became() string {
	switch {
	case r.Verdict == "error" && len(r.Findings) > 0 && r.Findings[0].Kind == "unsupported":
		return "refused"
	case r.Verdict == "error":
		return "uncontrolled"
	case r.Verdict == "fail":
		return "failing"
	case r.Complete:
		return "complete"
	}
	return "incomplete"
}

// row is what became of a subject.
type row struct {
	subject
	results  []result
	native   map[string]bool   // tests that fail natively, too
	verified map[string]string // by test: what a finding confirmed by reading means
	seconds  float64
	unbegun  int // tests with which the exploration did not begin
	about    trait
}

// explore runs the subject's tests under control.
func (s subject) explore(t *testing.T, rehearse, dir string, budget time.Duration,
	flags ...string) *row {
	t.Helper()
	r := &row{subject: s, native: s.runNatively(t, dir, flags...)}
	start := time.Now()
	cmd := exec.Command(rehearse,
		append(append([]string{"test", "-json", "-timeout", budget.String()}, flags...), s.pkg)...)
	cmd.Dir, cmd.Env = dir, modules.Environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r.seconds = time.Since(start).Seconds()
	for line := range bytes.Lines(stdout.Bytes()) {
		var one result
		if json.Unmarshal(line, &one) != nil {
			continue
		}
		if r.unbegun += one.Unbegun; one.Action == "result" {
			r.results = append(r.results, one)
		}
	}
	if len(r.results) == 0 {
		t.Fatalf("no results: %v\n%s%s", err, stdout.String(), stderr.String())
	}
	return r
}

// runNatively returns the tests that fail without rehearse.
func (s subject) runNatively(t *testing.T, dir string, flags ...string) map[string]bool {
	t.Helper()
	// others are no flags of go test
	flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f != "-short" })
	cmd := exec.Command("go", append(append([]string{"test", "-json", "-timeout=5m"}, flags...),
		s.pkg)...)
	cmd.Dir, cmd.Env = dir, modules.Environment()
	out, _ := cmd.Output()
	failing := map[string]bool{}
	ran := 0
	for line := range bytes.Lines(out) {
		var e struct{ Action, Test string }
		if json.Unmarshal(line, &e) != nil || e.Test == "" || strings.Contains(e.Test, "/") {
			continue
		}
		ran++
		if e.Action == "fail" {
			failing[e.Test] = true
		}
	}
	if ran == 0 {
		t.Fatalf("no test runs natively\n%s", out)
	}
	return failing
}

func buildRehearse(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rehearse")
	out, err := exec.Command("go", "build", "-o", file,
		"github.com/rehearse-go/rehearse/cmd/rehearse").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}
