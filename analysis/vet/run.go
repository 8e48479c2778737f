package vet

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/blocking"
)

// Config is a request.
type Config struct {
	Tool     string               // the command that go vet runs on each package
	Checks   []*analysis.Analyzer // what Tool runs, for their names and docs
	Flags    []string             // of go vet: -tags=x, -NAME=false
	Patterns []string             // packages; none is the one in the current directory
	Tests    bool                 // also findings that have to do with test files
	// a git revision; not empty: only findings on lines changed since then
	Since    string
	Baseline string // a file; not empty: only findings that are not in it
	Write    bool   // write all findings to Baseline instead
}

// Report is what was found.
type Report struct {
	Findings []*Finding // sorted by position
	Stale    []Entry    // of the baseline: what is not found any more
	Known    int        // findings left out because they are in the baseline
	Written  bool       // the findings are in the baseline now
	Searched Searched   // if Config.Flags asks for it

	checks  []*analysis.Analyzer
	sources *sources
}

// Searched says how many functions package blocking has run by themselves, how many of those were
// over the budget, and how many had executions that came to a bound.
type Searched struct{ Functions, Over, Bounded int }

// takeCounts takes the numbers out of the findings.
func (r *Report) takeCounts() {
	r.keep(func(f *Finding) bool {
		var n Searched
		if f.category != blocking.Counted {
			return true
		}
		if _, err := fmt.Sscan(f.Message, &n.Functions, &n.Over, &n.Bounded); err == nil {
			r.Searched.Functions += n.Functions
			r.Searched.Over += n.Over
			r.Searched.Bounded += n.Bounded
		}
		return false
	})
}

// Run asks go vet and selects. The report is never nil: beside an error, it has the findings so
// far. An error is one line for the user.
func Run(c Config) (*Report, error) {
	r := &Report{checks: c.Checks, sources: newSources()}
	changed, err := changedSince(c.Since)
	if err != nil {
		return r, err
	}
	known, err := c.known()
	if err != nil {
		return r, err
	}
	var failed error
	r.Findings, failed = goVet(c)
	r.takeCounts()
	r.number()
	if c.Write {
		return r, cmp.Or(failed, r.write(c.Baseline, failed))
	}
	r.keep(func(f *Finding) bool { return !known.has(f.Fingerprint()) })
	r.keep(func(f *Finding) bool {
		return (c.Tests || !f.inTests()) &&
			(c.Since == "" || f.changed(changed))
	})
	return r, cmp.Or(failed, r.compare(c, known, failed))
}

// known is the baseline; one without entries if there is none, or it is about to be written.
func (c Config) known() (*known, error) {
	if c.Baseline == "" || c.Write {
		return &known{}, nil
	}
	return readBaseline(c.Baseline)
}

// write writes the findings to a baseline, unless something has kept go vet from finding all.
func (r *Report) write(name string, failed error) error {
	if failed != nil {
		return nil
	}
	r.Written = true
	return writeBaseline(name, r.Findings)
}

// compare notes which findings of the baseline were found, and which were not.
func (r *Report) compare(c Config, known *known, failed error) (err error) {
	r.Known = known.found()
	if failed == nil && len(known.entries) > 0 {
		r.Stale, err = known.stale(c)
	}
	return err
}

func (r *Report) keep(wanted func(*Finding) bool) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool { return !wanted(f) })
}

// Explain is the documentation of a check.
func Explain(checks []*analysis.Analyzer, name string) (string, error) {
	var names []string
	for _, a := range checks {
		if a.Name == name {
			return fmt.Sprintf("%s: %s\n", a.Name, strings.TrimSpace(a.Doc)), nil
		}
		names = append(names, a.Name)
	}
	return "", fmt.Errorf("there is no check called %s; there are %s", name,
		strings.Join(names, ", "))
}

// List has a line for each check.
func List(checks []*analysis.Analyzer) string {
	var b strings.Builder
	for _, a := range checks {
		title, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "%-14s %s\n", a.Name, title)
	}
	return b.String()
}

// workingDir is the directory that file names are relative to; empty if there is none.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
