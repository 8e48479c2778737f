package strategy_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"os"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestScenarios runs the programs of testdata/*.micro. A line "want STRATEGY: ..." lists some of
// the counts executions, blocked, traces, and the findings' kinds.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.micro")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".micro"),
			func(t *testing.T) { scenario(t, file) })
	}
}

func scenario(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var program []string
	var wants []string
	for line := range strings.Lines(string(data)) {
		if want, ok := strings.CutPrefix(line, "want "); ok {
			wants = append(wants, strings.TrimSpace(want))
		} else {
			program = append(program, line)
		}
	}
	p := micro.Parse(strings.Join(program, ""))
	for _, want := range wants {
		name, counts, _ := strings.Cut(want, ": ")
		if got := counted(p, name, counts); got != counts {
			t.Errorf("%s: got %s, want %s", name, got, counts)
		}
	}
}

// counted explores p and formats the counts that want names.
func counted(p *micro.Program, name, want string) string {
	base, sleep := strings.CutSuffix(name, "+sleep")
	s, err := strategy.New(strategy.Plan{Name: base, Sleep: sleep, Seed: 1})
	if err != nil {
		return err.Error()
	}
	r := explore.Run(micro.New(p), s, explore.Limits{MaxExecutions: 1000000}, nil)
	values := map[string]any{"executions": r.Executions, "blocked": r.Blocked, "traces": r.Traces,
		"transitions": r.Transitions, "outcomes": len(r.Outcomes)}
	var got []string
	for f := range strings.FieldsSeq(want) {
		key, _, _ := strings.Cut(f, "=")
		if v, ok := values[key]; ok {
			got = append(got, fmt.Sprintf("%s=%v", key, v))
		}
	}
	for _, f := range r.Findings {
		got = append(got, string(f.Kind))
	}
	if !r.Complete {
		got = append(got, r.Reason)
	}
	return strings.Join(got, " ")
}
