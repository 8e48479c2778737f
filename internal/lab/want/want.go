// Package want compares what an analysis finds in a fixture with what the fixture says: the lines
// of the comment at its end that begins with "// WANT:".
//
// Vocabulary: a line is positive, or negative if it begins with an exclamation mark.
//
// Guarantees: a positive line must be among those found; no line that is found may begin with a
// negative one.
//
// LIMITS: a result that no line mentions is no error.
package want

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
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
		if negative && slices.ContainsFunc(got, func(g string) bool {
			return strings.HasPrefix(g, not)
		}) {
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

// Tasks writes what the tasks of a program's actors do without positions, and what holds for their
// pairs under -model actor without reasons.
func Tasks(v facts.Program) []string {
	var out []string
	for i, b := range v.Behaviours {
		kind := func(k int) string { return strings.TrimPrefix(v.Actors[i].Handlers[k].Kind, "*") }
		for k, t := range b.Tasks {
			for _, a := range t.Accesses {
				out = append(out, fmt.Sprintf("%s: %s %s", kind(k), a, a.Location.Where))
			}
			for _, s := range t.Sends {
				out = append(out, fmt.Sprintf("%s: %s (depth %d)", kind(k), s, s.Depth))
			}
			for _, o := range t.Operations {
				out = append(out, fmt.Sprintf("%s: %s", kind(k), o))
			}
		}
		for _, p := range b.Pairs {
			text := facts.Words(p, facts.ActorModel)
			if strings.HasPrefix(text, "dependent") {
				text = "dependent"
			}
			out = append(out, fmt.Sprintf("pair %s %s: %s", kind(p.First), kind(p.Second), text))
		}
	}
	return out
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
