package corpus

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var withFacts = flag.Bool("facts", false,
	"explore the subjects whose tests are explored at all with facts and without (with -fetch)")

// explorable are the subjects most of whose tests run under control, and within a minute.
var explorable = []string{"stateful", "subscribe", "github.com/cskr/pubsub",
	"github.com/Arceliar/phony", "github.com/docker/go-events", "github.com/robfig/cron/v3"}

// compared are the explorations that are compared: without facts, and with all that dpor takes.
var compared = []string{"none", "disjoint,commute"}

// TestFacts explores subjects under -model pairs, with facts and without, and prints a table. A
// test that is complete in both must have as many outcomes.
func TestFacts(t *testing.T) {
	if !*fetch || !*withFacts {
		t.Skip("it fetches modules and explores each twice; -fetch -facts asks for it")
	}
	rehearse := buildRehearse(t)
	rows := []string{"",
		"| package | tests | complete | executions | outcomes | seconds | complete | executions | outcomes | seconds | orders left out |",
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"}
	for _, s := range subjects {
		for _, name := range explorable {
			if s.name() != name && s.module != name {
				continue
			}
			dir := s.fetch(t)
			without, with := exploredBy(t, rehearse, dir, s.pkg, compared[0]),
				exploredBy(t, rehearse, dir, s.pkg, compared[1])
			without.agree(t, with)
			rows = append(rows, fmt.Sprintf("| %s | %d | %s | %s | %d |", s.name(),
				len(without.tests),
				without.cells(), with.cells(), with.pruned()))
		}
	}
	t.Log(strings.Join(rows, "\n"))
}

// sums are the results of one subject, by test.
type sums struct{ tests []measured }

// measured is what the exploration of a test says here.
type measured struct {
	Action, Test, Verdict string
	Complete              bool
	Executions            int
	Seconds               float64
	Outcomes              []struct{}
	Pruned                []struct{ Count int }
}

func exploredBy(t *testing.T, rehearse, dir, pkg, independence string) (s sums) {
	t.Helper()
	cmd := exec.Command(rehearse, "test", "-json", "-timeout", budget.String(), "-model=pairs",
		"-strategy=dpor", "-sleep", "-independence="+independence, pkg)
	cmd.Dir, cmd.Env = dir, modules.Environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	for line := range bytes.Lines(stdout.Bytes()) {
		var m measured
		if json.Unmarshal(line, &m) == nil && m.Action == "result" {
			s.tests = append(s.tests, m)
		}
	}
	if len(s.tests) == 0 {
		t.Fatalf("%s: no results: %v\n%s%s", pkg, err, stdout.String(), stderr.String())
	}
	t.Logf("%s, %s: %v in all", pkg, independence, time.Since(start).Round(time.Second))
	return s
}

// cells are the sums: complete explorations, executions, distinct outcomes, seconds of exploring.
func (s sums) cells() string {
	complete, executions, outcomes, seconds := 0, 0, 0, 0.0
	for _, m := range s.tests {
		if m.Complete {
			complete++
		}
		executions += m.Executions
		outcomes += len(m.Outcomes)
		seconds += m.Seconds
	}
	return fmt.Sprintf("%d | %d | %d | %.1f", complete, executions, outcomes, seconds)
}

// pruned is how many orders were left out because of facts.
func (s sums) pruned() (n int) {
	for _, m := range s.tests {
		for _, p := range m.Pruned {
			n += p.Count
		}
	}
	return n
}

// agree demands as many outcomes of what is complete in both.
func (s sums) agree(t *testing.T, other sums) {
	t.Helper()
	by := map[string]measured{}
	for _, m := range other.tests {
		by[m.Test] = m
	}
	for _, m := range s.tests {
		if o := by[m.Test]; m.Complete && o.Complete && m.Verdict == "pass" &&
			len(m.Outcomes) != len(o.Outcomes) {
			t.Errorf("%s: %d outcomes without facts, %d with", m.Test, len(m.Outcomes),
				len(o.Outcomes))
		}
	}
}
