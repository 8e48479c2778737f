// Package want compares what an analysis finds in a fixture with what the fixture says: the lines of the comment at its
// end that begins with "// WANT:".
//
// Vocabulary: a line is positive, or negative if it begins with an exclamation mark.
//
// Guarantees: a positive line must be among those found; no line that is found may begin with a negative one.
//
// LIMITS: what is found and not mentioned is no error.
package want

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Compare compares got with the fixture testdata/NAME/NAME.go. A positive line must be there whole.
func Compare(t *testing.T, name string, got []string) {
	t.Helper()
	compare(t, name, got, func(g, w string) bool { return g == w })
}

// ComparePrefixes is Compare for positive lines that may leave out the end of what is found.
func ComparePrefixes(t *testing.T, name string, got []string) {
	t.Helper()
	compare(t, name, got, strings.HasPrefix)
}

func compare(t *testing.T, name string, got []string, same func(got, want string) bool) {
	t.Helper()
	for _, w := range lines(t, name) {
		not, negative := strings.CutPrefix(w, "! ")
		if negative && slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, not) }) {
			t.Errorf("there is %s", not)
		}
		if !negative && !slices.ContainsFunc(got, func(g string) bool { return same(g, w) }) {
			t.Errorf("want %s", w)
		}
	}
	if t.Failed() {
		t.Logf("got\n%s", strings.Join(got, "\n"))
	}
}

// lines reads what a fixture wants.
func lines(t *testing.T, name string) (out []string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name, name+".go"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(src), "// WANT:\n")
	if !ok {
		t.Fatalf("%s has no WANT lines", name)
	}
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(line, "//")))
	}
	return out
}
