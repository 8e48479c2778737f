package vet

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/blocking"
)

// Finding is one diagnostic of a check.
type Finding struct {
	Check   string
	Package string // import path; that of an external test ends in _test
	At      Region
	Message string
	Related []Place
	Fixes   []Fix

	Ran   *Ran     // the outcome of running its functions; nil: nobody has
	Notes []string // the same for people

	category string // of the check's own, for -json
	function string // that At is in
	text     string // tokens of At's line
	nth      int    // among findings with the same check, package, function and text, from 1
}

// Ran is the outcome of running the functions of a finding.
type Ran struct {
	Verdict    string   `json:"verdict"` // "confirmed", "not reproduced" or "no driver"
	Why        string   `json:"why,omitempty"`
	Executions int      `json:"executions"`
	How        string   `json:"how,omitempty"`      // which order of steps shows it, and who waits
	Chart      []string `json:"chart,omitempty"`    // the execution, line by line
	Schedule   string   `json:"schedule,omitempty"` // the file that replays it, if that is kept
}

// Region is a piece of a file. Columns count bytes, from 1.
type Region struct {
	File            string // absolute
	Line, Col       int    // Col may be 0: not known
	EndLine, EndCol int    // may be equal to the start
}

// Place is a region with what is to be seen there.
type Place struct {
	At      Region
	Message string
}

// Fix is one way to mend a finding.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File  string `json:"filename"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Runs says which functions a finding is about, if it was found by running them.
func (f *Finding) Runs() (blocking.Runs, bool) { return blocking.ParseRuns(f.category) }

// regions are all places that f is about.
func (f *Finding) regions() []Region {
	out := []Region{f.At}
	for _, p := range f.Related {
		out = append(out, p.At)
	}
	return out
}

// inTests reports whether a place that f is about is in a test file.
func (f *Finding) inTests() bool {
	return slices.ContainsFunc(f.regions(),
		func(r Region) bool { return strings.HasSuffix(r.File, "_test.go") })
}

// changed reports whether a place that f is about has changed: of two receivers, either may be new.
func (f *Finding) changed(c changes) bool { return slices.ContainsFunc(f.regions(), c.touch) }

func sortFindings(fs []*Finding) {
	slices.SortStableFunc(fs, func(a, b *Finding) int {
		x, y := a.At, b.At
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Col, y.Col),
			cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message))
	})
}

// newRegion reads the two positions that go vet writes, each "file:line:col", or "file:line".
func newRegion(start, end string) Region {
	file, line, col := position(start)
	_, endLine, endCol := position(end)
	if endLine < line || endLine == line && endCol < col {
		endLine, endCol = line, col
	}
	return Region{file, line, col, endLine, endCol}
}

// position reads "file:line:col", or "file:line"; then col is 0.
func position(s string) (file string, line, col int) {
	file, last := cutNumber(s)
	if f, n := cutNumber(file); n > 0 {
		return f, n, last
	}
	return file, last, 0
}

// cutNumber cuts ":number" from the end; without one, the number is 0.
func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 0 {
		return s, 0
	}
	return s[:i], n
}

// shorter is a file's name relative to dir, if it is below, or if that is shorter, as the go
// command has it.
func shorter(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}
