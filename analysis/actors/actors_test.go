package actors

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// TestPatterns compares the facts of the programs in testdata with the WANT lines at their ends. A
// line must be there whole; nothing may start with a line after an exclamation mark.
func TestPatterns(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	var patterns []string
	for _, d := range dirs {
		patterns = append(patterns, "./"+d)
	}
	l, err := load.Load(load.Config{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	survey := LookAt(l)
	for _, d := range dirs {
		t.Run(filepath.Base(d), func(t *testing.T) {
			compare(t, d, lines(survey, filepath.Base(d)))
		})
	}
}

func compare(t *testing.T, dir string, got []string) {
	src, err := os.ReadFile(filepath.Join(dir, filepath.Base(dir)+".go"))
	if err != nil {
		t.Fatal(err)
	}
	_, want, ok := strings.Cut(string(src), "// WANT:\n")
	if !ok {
		t.Fatal("no WANT lines")
	}
	bad := false
	for w := range strings.Lines(want) {
		w = strings.TrimSpace(strings.TrimPrefix(w, "//"))
		not, negative := strings.CutPrefix(w, "! ")
		if negative == matches(got, w, not) {
			t.Errorf("want %s", w)
			bad = true
		}
	}
	if bad {
		t.Logf("got\n%s", strings.Join(got, "\n"))
	}
}

// matches reports whether a line of got is exactly w or, for a negative, starts with not.
func matches(got []string, w, not string) bool {
	for _, g := range got {
		if g == w || w != not && strings.HasPrefix(g, not) {
			return true
		}
	}
	return false
}

// lines writes the facts of one package without positions.
func lines(s *Survey, pkg string) []string {
	var out []string
	for _, a := range s.Actors() {
		if path.Base(a.Package) == pkg {
			out = append(out, actorLines(a.Actor)...)
			out = append(out, codeLines(a)...)
		}
	}
	for _, r := range s.Inventory().Rejected {
		if filepath.Base(r.Pos.File) == pkg+".go" {
			reason := strings.ReplaceAll(r.Reason, "testdata/"+pkg+"/", "")
			out = append(out, fmt.Sprintf("rejected %s %s", r.Name, reason))
		}
	}
	return out
}

func actorLines(a facts.Actor) []string {
	out := []string{words("actor", a.Name, string(a.Shape), when(a.Family, "family"))}
	for _, l := range a.Launches {
		out = append(out, words("started", a.Name, "in", l.In, when(l.Loop, "loop"),
			when(len(l.Calls) > 0, fmt.Sprintf("calls:%d", len(l.Calls)))))
	}
	for _, m := range a.Mailboxes {
		out = append(out, words("mailbox", a.Name, m.Name, string(m.Kind), m.Elem, m.Capacity,
			when(m.Nilable, "nilable")))
		for _, s := range m.Senders {
			out = append(out, senderLine(a, m, s))
		}
	}
	for _, h := range a.Handlers {
		w := []string{"handler", a.Name, h.Name(), string(h.By),
			when(h.Reply != "", "reply:"+h.Reply)}
		for _, s := range h.Effects.Sends {
			w = append(w, "sends:"+s)
		}
		w = append(w, when(h.Effects.Spawns > 0, "spawns"), when(h.Effects.Stops, "stops"))
		out = append(out, words(w...))
	}
	for _, s := range a.State {
		out = append(out, words("state", a.Name, s.Name, string(s.Where), s.Access))
	}
	return out
}

func senderLine(a facts.Actor, m facts.Mailbox, s facts.Sender) string {
	w := []string{"sent", a.Name, m.Name, "in", s.In,
		when(len(s.Kinds) > 0, "kinds:"+strings.Join(s.Kinds, ",")), when(s.Close, "close"), "by"}
	for _, f := range s.From {
		name := strings.TrimPrefix(f.Actor, a.Package+".")
		w = append(w, cmp.Or(when(f.Spawned, "spawned:")+name+when(f.Handler != "", "/"+f.Handler),
			"env"))
	}
	return words(w...)
}

func words(ws ...string) string { return strings.Join(strings.Fields(strings.Join(ws, " ")), " ") }

func when(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// TestCatalogue checks that each of the 32 patterns that real code has is named by the doc of a
// program in testdata.
func TestCatalogue(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var docs strings.Builder
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		doc, _, _ := strings.Cut(string(src), "\npackage ")
		docs.WriteString(doc)
	}
	for n := 1; n <= 32; n++ {
		if !regexp.MustCompile(fmt.Sprintf(`\bP%d\b`, n)).MatchString(docs.String()) {
			t.Errorf("no program shows P%d", n)
		}
	}
}
