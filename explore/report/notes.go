package report

import (
	"fmt"
	"maps"
	"slices"
)

// notes prints each note once, with the test that has it first.
type notes struct {
	*Printer
	said  map[string]bool // the notes that were printed; see Said
	later []remark        // the notes of tests that have no line of their own
}

// remark is a note with the tests that have it.
type remark struct {
	note  string
	tests []string
}

// Said tells of notes that reports of the same run have printed: they are not printed again. The
// returned function lists all that are printed by then.
func (n *notes) Said(before []string) (said func() []string) {
	for _, note := range before {
		n.isNew(note)
	}
	return func() []string { return slices.Sorted(maps.Keys(n.said)) }
}

// isNew reports whether a note was not printed before, and takes down that it is printed.
func (n *notes) isNew(note string) bool {
	if n.said[note] {
		return false
	}
	if n.said == nil {
		n.said = map[string]bool{}
	}
	n.said[note] = true
	return true
}

// print prints the notes of a test.
func (n *notes) print(r *Test) {
	for _, note := range r.Notes {
		if n.isNew(note) {
			n.printf("    note  %s: %s\n", r.Name, note)
		}
	}
}

// keep keeps the notes for the end: most tests of a package have the same.
func (n *notes) keep(r *Test) {
	for _, note := range r.Notes {
		if n.said[note] {
			continue
		}
		i := slices.IndexFunc(n.later, func(m remark) bool { return m.note == note })
		if i < 0 {
			i = len(n.later)
			n.later = append(n.later, remark{note: note})
		}
		n.later[i].tests = append(n.later[i].tests, r.Name)
	}
}

// printKept prints the notes that were kept.
func (n *notes) printKept() {
	for _, m := range n.later {
		if !n.isNew(m.note) {
			continue
		}
		who := m.tests[0]
		if len(m.tests) > 1 {
			who += fmt.Sprintf(" and %d more", len(m.tests)-1)
		}
		n.printf("    note  %s: %s\n", who, m.note)
	}
	n.later = nil
}
