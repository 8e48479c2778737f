package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/exec"
)

// Row is the result of one run. The names of the fields are a contract with those who read the JSON.
type Row struct {
	Subject, Package, Test, Strategy, Model  string
	Verdict                                  string // pass, fail or error
	Complete                                 bool
	Reason                                   string `json:",omitempty"` // why it is not complete
	Executions, Blocked, Transitions, Traces int
	MoreTraces                               bool     `json:",omitempty"` // Traces is the least that there can be
	Seconds                                  float64  // of the exploration
	Rate                                     float64  // executions, also those cut off, in a second
	Memory                                   int64    // peak resident memory of the process, in bytes; 0: not known
	Known                                    *int     // inequivalent executions; null: not known under this model
	Why                                      string   `json:",omitempty"` // Known, derived
	Ratio                                    float64  `json:",omitempty"` // executions, also those cut off, to Known
	Met                                      Met      // whether what is known was met
	Papers                                   []Figure `json:",omitempty"`
}

// Met says whether a run has met what is known.
type Met string

// The values of Met.
const (
	yes  Met = "yes"
	no   Met = "no"
	open Met = "" // nothing is known, or the run was cut off
)

// message is the line of a result that a test binary prints, as far as it is needed here.
type message struct {
	Action   string
	Findings []finding
	Row
}

type finding struct{ Kind string }

// run explores one subject.
func (c *Config) run(p exec.Package, s Subject, v variant) (Row, error) {
	o := v.options
	o.Run = "^" + s.Test + "$"
	if err := os.RemoveAll(filepath.Join(p.Dir, "testdata")); err != nil { // schedules of an earlier run would run first
		return Row{}, err
	}
	var stdout, stderr bytes.Buffer
	if _, err := exec.Run(p.Binary, o.Encode(), &stdout, &stderr); err != nil {
		return Row{}, fmt.Errorf("%s, %s: %w", s.Name, v.strategy, err)
	}
	return read(stdout.Bytes(), stderr.String(), s, v)
}

// read makes a row of what a test binary has printed. That a strategy is none for the subject is a result.
func read(stdout []byte, stderr string, s Subject, v variant) (Row, error) {
	result, peak := decode(stdout)
	refused := slices.ContainsFunc(result.Findings, func(f finding) bool { return f.Kind == "unsupported" }) && result.Executions > 0
	if result.Action == "" || result.Verdict == "error" && !refused {
		return Row{}, fmt.Errorf("%s, %s: no result: %s", s.Name, v.strategy, firstLine(stderr, result.Reason))
	}
	r := result.Row
	r.Subject, r.Strategy, r.Model, r.Memory = s.Name, v.strategy, v.model, peak
	r.Papers = figures(s.Name, v.strategy)
	if r.Seconds > 0 {
		r.Rate = float64(r.Executions+r.Blocked) / r.Seconds
	}
	var kinds []string
	for _, f := range result.Findings {
		kinds = append(kinds, f.Kind)
	}
	r.compare(s, kinds)
	return r, nil
}

// decode finds the line of the test's result, and the peak memory. Lines of other kinds have fields of other types.
func decode(stdout []byte) (result message, peak int64) {
	for line := range bytes.Lines(stdout) {
		var kind struct {
			Action     string
			PeakMemory int64
		}
		json.Unmarshal(line, &kind) // a line that is none of ours leaves it empty
		switch kind.Action {
		case "result":
			json.Unmarshal(line, &result) // a broken one leaves no result, which the caller sees
		case "package":
			peak = kind.PeakMemory
		}
	}
	return result, peak
}

// compare says how the run stands to what is known of the subject; found are the kinds of what it has found.
func (r *Row) compare(s Subject, found []string) {
	if s.Traces == nil || r.Model != "go" {
		return
	}
	r.Known, r.Why = s.Traces, s.Note
	if r.Complete {
		r.Ratio = float64(r.Executions+r.Blocked) / float64(*s.Traces)
	}
	switch {
	case r.Traces > *s.Traces, slices.ContainsFunc(found, func(kind string) bool { return kind != s.Finding }):
		r.Met = no
	case !r.Complete || r.MoreTraces:
		r.Met = open
	case r.Traces != *s.Traces, s.Finding != "" && len(found) == 0, r.Strategy == "optimal" && r.Ratio != 1:
		r.Met = no
	default:
		r.Met = yes
	}
}

// firstLine is the first line of the first text that has one.
func firstLine(texts ...string) string {
	for _, text := range texts {
		if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); line != "" {
			return line
		}
	}
	return "nothing was printed"
}
