package vet

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Config is a request.
type Config struct {
	Tool     string               // the command that go vet runs on each package
	Checks   []*analysis.Analyzer // what Tool runs, for their names and docs
	Flags    []string             // of go vet: -tags=x, -NAME=false
	Patterns []string             // packages; none is the one in the current directory
	Tests    bool                 // also findings that have to do with test files
	Since    string               // a git revision; not empty: only findings on lines changed since then
	Baseline string               // a file; not empty: only findings that are not in it
	Write    bool                 // write all findings to Baseline instead
}

// Report is what was found.
type Report struct {
	Findings []*Finding // sorted by position
	Stale    []Entry    // of the baseline: what is not found any more
	Known    int        // findings left out because they are in the baseline
	Written  bool       // the findings are in the baseline now

	checks  []*analysis.Analyzer
	sources *sources
}

// Run asks go vet and selects. If there is an error, the report has what is known all the same; it is never nil. An
// error is one line for the user.
func Run(c Config) (*Report, error) {
	r := &Report{checks: c.Checks, sources: newSources()}
	changed, err := changedSince(c.Since)
	if err != nil {
		return r, err
	}
	found, failed := goVet(c)
	r.Findings = found
	r.number()
	if err := r.compare(c, failed); err != nil {
		return r, errors.Join(failed, err)
	}
	r.keep(func(f *Finding) bool { return (c.Tests || !f.inTests()) && (c.Since == "" || f.changed(changed)) })
	return r, failed
}

// compare takes out what the baseline has, or writes it.
func (r *Report) compare(c Config, failed error) error {
	switch {
	case c.Baseline == "":
		return nil
	case c.Write && failed != nil:
		return nil // the baseline would not be complete
	case c.Write:
		r.Written = true
		return writeBaseline(c.Baseline, r.Findings)
	}
	b, err := readBaseline(c.Baseline)
	if err != nil {
		return err
	}
	r.keep(func(f *Finding) bool { return !b.has(f.Fingerprint()) })
	r.Known = b.found()
	if failed == nil {
		r.Stale, err = b.stale(c)
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
	return "", fmt.Errorf("there is no check called %s; there are %s", name, strings.Join(names, ", "))
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
