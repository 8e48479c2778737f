package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/baseline"
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

// known are the findings of a baseline.
type known struct {
	entries []Entry
	met     map[Fingerprint]bool // of the entries, whether they are found
}

func readBaseline(name string) (*known, error) {
	entries, err := baseline.Read[Entry](name)
	if err != nil {
		return nil, err
	}
	b := &known{entries, map[Fingerprint]bool{}}
	for _, e := range b.entries {
		b.met[e.Fingerprint] = false
	}
	return b, nil
}

// has reports whether f is known, and notes that it is found.
func (b *known) has(f Fingerprint) bool {
	_, known := b.met[f]
	if known {
		b.met[f] = true
	}
	return known
}

// found counts the entries that are.
func (b *known) found() int {
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
func (b *known) stale(c Config) ([]Entry, error) {
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
	var list []Entry
	for _, f := range findings {
		list = append(list, Entry{f.Fingerprint(), f.Message})
	}
	return baseline.Write(name, list)
}
