package report

import (
	"fmt"
	"maps"
	"slices"
)

// Said tells of notes that reports of the same run have printed: they are not printed again. The
// returned function lists all that are printed by then.
func (t *Text) Said(before []string) (said func() []string) {
	for _, note := range before {
		t.isNew(note)
	}
	return func() []string { return slices.Sorted(maps.Keys(t.said)) }
}

// isNew reports whether a note was not printed before, and takes down that it is printed.
func (t *Text) isNew(note string) bool {
	if t.said[note] {
		return false
	}
	if t.said == nil {
		t.said = map[string]bool{}
	}
	t.said[note] = true
	return true
}

func (t *Text) notes(r *Test) {
	for _, note := range r.Notes {
		if t.isNew(note) {
			t.printf("    note  %s: %s\n", r.Name, note)
		}
	}
}

// keepNotes keeps the notes for the end: most tests of a package have the same.
func (t *Text) keepNotes(r *Test) {
	for _, note := range r.Notes {
		if t.said[note] {
			continue
		}
		i := slices.IndexFunc(t.later, func(m remark) bool { return m.note == note })
		if i < 0 {
			i = len(t.later)
			t.later = append(t.later, remark{note: note})
		}
		t.later[i].tests = append(t.later[i].tests, r.Name)
	}
}

func (t *Text) keptNotes() {
	for _, m := range t.later {
		if !t.isNew(m.note) {
			continue
		}
		who := m.tests[0]
		if len(m.tests) > 1 {
			who += fmt.Sprintf(" and %d more", len(m.tests)-1)
		}
		t.printf("    note  %s: %s\n", who, m.note)
	}
	t.later = nil
}
