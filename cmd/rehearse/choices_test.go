package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// chances is what is known of the programs of testdata/chance when hidden choices are explored;
// their documentation says why. Without, golden.json has them.
var chances = map[string]struct {
	choices          string
	traces, outcomes int
	finding          string
}{
	"TestTransfer": {"maps", 10, 2, "deadlock"},
	"TestElect":    {"rand", 32, 3, "deadlock"},
	"TestDeal":     {"select,rand", 6, 6, ""},
	"TestRoll":     {"rand,maps", 36, 36, ""},
	"TestVisit":    {"maps,select", 5, 5, ""},
	"TestGrow":     {"maps", 5, 5, ""},
}

// TestChoices explores hidden choices, each kind with the flag that names it: what is known is
// found, exhaustively and by reduction, and replays; and whatever plain Go does in many runs is
// among the outcomes.
func TestChoices(t *testing.T) {
	root := copyOfTestdata(t)
	binary := buildAll(t, root, [][]golden{{{Dir: "chance"}}})["chance"]
	native := nativeLogs(t, filepath.Join(root, "testdata", "chance"))
	for name, want := range chances {
		t.Run(name, func(t *testing.T) {
			flags := []string{"-run=" + name, "-choices=" + want.choices}
			for _, strategy := range []string{"dpor", "exhaustive"} {
				r := exploreAll(t, binary, append(flags, "-strategy="+strategy)...)[name]
				if !r.Complete || r.Traces != want.traces ||
					len(distinct(r.Outcomes)) != want.outcomes {
					t.Errorf("%s: complete %v, %d traces, outcomes %v; want %+v", strategy,
						r.Complete, r.Traces,
						r.Outcomes, want)
				}
				if found := len(r.Findings) == 1; found != (want.finding != "") ||
					found && r.Findings[0].Kind != want.finding {
					t.Errorf("%s: findings %v, want %q", strategy, r.Findings, want.finding)
				}
				for _, log := range native[name] {
					if !slices.ContainsFunc(r.Outcomes,
						func(o outcome) bool { return o.Log == log }) {
						t.Errorf("%s: plain Go did %q, which is no outcome", strategy, log)
					}
				}
			}
			// The saved schedules say by themselves that they have hidden choices.
			saved, _ := filepath.Glob(filepath.Join(root, "testdata/chance/testdata/rehearse", name,
				"*.sched"))
			if want.finding != "" && len(saved) == 0 {
				t.Error("no schedule was saved")
			}
			for _, file := range saved {
				r := exploreAll(t, binary, "-replay="+file, "-count=100")[name]
				if len(r.Findings) != 1 || r.Findings[0].Kind != want.finding {
					t.Errorf("replay: %+v, want %s", r, want.finding)
				}
			}
		})
	}
}

// nativeLogs runs the tests that cannot fail as plain Go, many times, and returns what each has
// logged.
func nativeLogs(t *testing.T, dir string) map[string][]string {
	cmd := exec.Command("go", "test", "-count=200", "-v", "-run=Deal|Roll|Visit|Grow", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	logs, test := map[string][]string{}, ""
	for line := range bytes.Lines(out) {
		text := strings.TrimSpace(string(line))
		if name, ok := strings.CutPrefix(text, "=== RUN"); ok {
			test = strings.TrimSpace(name)
		} else if _, log, ok := strings.Cut(text, "_test.go:"); ok {
			_, log, _ = strings.Cut(log, ": ")
			if !slices.Contains(logs[test], log) {
				logs[test] = append(logs[test], log)
			}
		}
	}
	if len(logs["TestDeal"]) < 2 || len(logs["TestVisit"]) < 2 {
		t.Fatalf("plain Go always does the same: %q", logs)
	}
	return logs
}

// TestUsual: the usual alternatives of hidden choices are what happens without them.
func TestUsual(t *testing.T) {
	root := copyOfTestdata(t)
	binaries := buildAll(t, root, [][]golden{{{Dir: "chance"}}, {{Dir: "dice"}}, {{Dir: "maps"}}})
	for dir, binary := range binaries {
		fixed := exploreAll(t, binary, "-max-executions=1")
		for name, r := range exploreAll(t, binary, "-max-executions=1", "-choices=rand,maps") {
			if len(r.Outcomes) != 1 || r.Outcomes[0] != fixed[name].Outcomes[0] {
				t.Errorf("%s of %s: %v, and without hidden choices %v", name, dir, r.Outcomes,
					fixed[name].Outcomes)
			}
		}
	}
}
