package stdlib

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
)

// TestTable: docs/STDLIB.md counts what docs/data/stdlib.csv lists.
func TestTable(t *testing.T) {
	f, err := os.Open("../../../docs/data/stdlib.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var subjects []*subject
	for _, l := range lines[1:] {
		if len(subjects) == 0 || subjects[len(subjects)-1].name != l[0] {
			subjects = append(subjects, &subject{name: l[0], native: map[string]string{}})
		}
		s := subjects[len(subjects)-1]
		r := result{Test: l[1], Verdict: "pass", Complete: l[3] == "complete"}
		if l[3] == "refused" {
			r.Verdict = "error"
		} else if l[3] == notRun {
			r.Verdict = notRun
		}
		s.cases = append(s.cases, r)
	}
	page, err := os.ReadFile("../../../docs/STDLIB.md")
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(string(table(subjects)), "\n| package |")
	if _, got, _ := strings.Cut(string(page), "\n| package |"); len(subjects) == 0 || got != want {
		t.Errorf("docs/STDLIB.md has\n%s\nthe data say\n%s", got, want)
	}
}
