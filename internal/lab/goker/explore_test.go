package goker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// result is the line of a test, as far as it is used.
type result struct {
	Action, Package, Verdict, Reason string
	Complete                         bool
	Executions                       int
	Findings                         []finding
}

type finding struct{ Kind, Message, Pos, Schedule string }

// kinds are what a bug of each class shows as.
var kinds = map[string][]string{
	"blocking":    {"deadlock", "leak", "livelock", "panic"},
	"nonblocking": {"race", "panic", "fail", "deadlock", "leak"},
}

// explore runs the tests of all kernels in dir, each for the budget, and returns the results by the
// kernel's name.
func explore(t *testing.T, rehearse, dir string, budget time.Duration) map[string]result {
	t.Helper()
	out := command(t, dir, rehearse, "test", "-json", "-timeout", budget.String(), "./...")
	results := map[string]result{}
	for line := range bytes.Lines(out) {
		var r result
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			results[strings.TrimPrefix(r.Package, modulePath+"/")] = r
		}
	}
	if len(results) == 0 {
		t.Fatalf("no results\n%s", out)
	}
	return results
}

// replays reports whether n executions of the schedule are the same.
func replays(t *testing.T, rehearse, dir, schedule string, n int) bool {
	t.Helper()
	out := command(t, dir, rehearse, "replay", fmt.Sprintf("-count=%d", n), schedule)
	return bytes.Contains(out, fmt.Appendf(nil, "replayed %d of %d", n, n))
}

// command returns what a command prints, whatever its exit code is.
func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Logf("%s %v: %s", name, args, stderr.String())
	}
	return out
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

// row is what became of a kernel.
type row struct {
	kernel
	result
	replayed bool // of a kernel that is found: its first schedule is the same each time
}

// found reports whether there is a finding of a kind that the class can have.
func (r *row) found() bool {
	return slices.ContainsFunc(r.Findings, func(f finding) bool {
		return slices.Contains(kinds[r.class()], f.Kind)
	})
}

// became is a word for what became of the kernel.
func (r *row) became() string {
	switch {
	case r.found():
		return "found"
	case len(r.Findings) > 0:
		return "another kind"
	}
	return "silent"
}

// shown are the kinds of what was found, in the order of their first findings.
func (r *row) shown() string {
	var list []string
	for _, f := range r.Findings {
		if !slices.Contains(list, f.Kind) {
			list = append(list, f.Kind)
		}
	}
	return strings.Join(list, ", ")
}
