package pairs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// budget is what a bug has to be found within.
const budget = 1000

// result is what the exploration of a driver says, as far as it is compared.
type result struct {
	Action, Test, Verdict, Reason, Strategy string
	Complete                                bool
	Executions, Blocked                     int
	Seconds                                 float64
	Findings                                []finding
}

type finding struct{ Kind, Message, Schedule string }

// row is a pair with what came out.
type row struct {
	pair
	buggy found
	fixed result
}

// found is what came out for the version with the bug.
type found struct {
	first    result // up to the first finding
	all      result // with the whole budget
	bug      finding
	replayed bool
	native   string // "3 of 3 runs": what plain Go shows
}

// target is a driver, built.
type target struct {
	binary, dir, test string
}

func build(t *testing.T, p pair, v version) *target {
	t.Helper()
	dir, test := install(t, p, v)
	packages, err := exec.Build(dir, options.Default(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	return &target{packages[0].Binary, packages[0].Dir, test}
}

// exploreBuggy fails the test unless the bug is found within the budget and replays.
func exploreBuggy(t *testing.T, p pair) found {
	x := build(t, p, p.buggy)
	f := found{native: x.natively(t)}
	f.first = x.explore(t, "-failfast", "-timeout=10m")
	f.bug = f.first.find(t, p)
	if n := f.first.Executions + f.first.Blocked; n > budget {
		t.Errorf("found after %d executions", n)
	}
	if f.replayed = x.replays(t, f.bug.Schedule, 100); !f.replayed {
		t.Error("the schedule does not replay 100 times")
	}
	// saved schedules come out of the budget
	if err := os.RemoveAll(filepath.Join(x.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	f.all = x.explore(t, "-timeout=2m")
	return f
}

// find returns the finding that is the pair's bug.
func (r result) find(t *testing.T, p pair) finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Kind == p.kind && strings.Contains(f.Message, p.message) {
			return f
		}
	}
	t.Fatalf("the bug is not found: %+v", r)
	return finding{}
}

// exploreFixed fails the test if anything is found.
func exploreFixed(t *testing.T, p pair) result {
	x := build(t, p, p.fixed)
	r := x.explore(t, "-timeout=10m")
	if r.Verdict != "pass" || len(r.Findings) > 0 {
		t.Errorf("the fixed version is not silent: %+v", r)
	}
	return r
}

// explore runs the driver's test within the budget.
func (x *target) explore(t *testing.T, flags ...string) result {
	t.Helper()
	out := x.run(t, append(flags, "-json", "-run=^"+x.test+"$",
		fmt.Sprintf("-max-executions=%d", budget))...)
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err == nil && r.Action == "result" {
			t.Logf("%s", line)
			return r
		}
	}
	t.Fatalf("no result\n%s", out)
	return result{}
}

// replays runs a schedule n times and reports whether each time was the same.
func (x *target) replays(t *testing.T, schedule string, n int) bool {
	t.Helper()
	out := x.run(t, "-replay="+filepath.Join(x.dir, schedule), fmt.Sprintf("-count=%d", n))
	return bytes.Contains(out, fmt.Appendf(nil, "replayed %d of %d", n, n))
}

func (x *target) run(t *testing.T, flags ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if _, err := exec.Run(x.binary, flags, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	return append(stdout.Bytes(), stderr.Bytes()...)
}
