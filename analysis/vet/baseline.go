package vet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Entry is a finding in a baseline.
type Entry struct {
	Fingerprint
	Message string `json:"message"` // for people: it may name lines, and does not count
}

// String says which check, where, and the code of the line.
func (e Entry) String() string {
	where := e.Package
	if e.Function != "" {
		where += ", " + e.Function
	}
	return fmt.Sprintf("%s in %s: %s", e.Check, where, e.Line)
}

// baselineFile is the format: one object, with a version for the day when fingerprints change.
type baselineFile struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

const baselineVersion = 1

// baseline is a file of known findings.
type baseline struct {
	entries []Entry
	met     map[Fingerprint]bool // of the entries, whether they are found
}

func readBaseline(name string) (*baseline, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("-baseline %s: there is no such file; -write-baseline makes it",
			name)
	}
	if err != nil {
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	var file baselineFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("-baseline %s: not a baseline: %w; -write-baseline makes one", name,
			err)
	}
	if file.Version != baselineVersion {
		return nil, fmt.Errorf("-baseline %s: version %d, want %d; -write-baseline makes it anew",
			name, file.Version, baselineVersion)
	}
	b := &baseline{file.Findings, map[Fingerprint]bool{}}
	for _, e := range b.entries {
		b.met[e.Fingerprint] = false
	}
	return b, nil
}

// has reports whether f is known, and notes that it is found.
func (b *baseline) has(f Fingerprint) bool {
	_, known := b.met[f]
	if known {
		b.met[f] = true
	}
	return known
}

// found counts the entries that are.
func (b *baseline) found() int {
	n := 0
	for _, met := range b.met {
		if met {
			n++
		}
	}
	return n
}

// stale lists the entries that are not found, of those that could be: by the packages and checks of
// this run.
func (b *baseline) stale(c Config) ([]Entry, error) {
	looked, err := packages(c)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(b.entries), func(e Entry) bool {
		path := strings.TrimSuffix(e.Package, "_test")
		ran := slices.Contains(looked, e.Package) || slices.Contains(looked, path)
		return b.met[e.Fingerprint] || !ran || c.disabled(e.Check)
	}), nil
}

// packages lists the import paths of the packages that go vet looks at.
func packages(c Config) ([]string, error) {
	args := []string{"list"}
	for _, f := range c.Flags {
		if strings.HasPrefix(f, "-tags=") {
			args = append(args, f)
		}
	}
	out, err := goCommand(slices.Concat(args, []string{"--"}, c.Patterns))
	return strings.Fields(string(out)), err
}

// disabled reports whether the flags leave a check out, by go vet's rule: with one that is on, only
// those that are on run; else all but those that are off.
func (c Config) disabled(check string) bool {
	on := func(name string) bool { return slices.Contains(c.Flags, "-"+name+"=true") }
	for _, a := range c.Checks {
		if on(a.Name) {
			return !on(check)
		}
	}
	return slices.Contains(c.Flags, "-"+check+"=false")
}

func writeBaseline(name string, findings []*Finding) error {
	file := baselineFile{Version: baselineVersion, Findings: []Entry{}}
	for _, f := range findings {
		file.Findings = append(file.Findings, Entry{f.Fingerprint(), f.Message})
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(file); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o666)
}
