package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
)

// TestLongLines checks that no line of a stream is longer than readers of go test -json take, and
// that nothing is lost of outcomes.
func TestLongLines(t *testing.T) {
	var b strings.Builder
	j := NewJSON(&b, "example.org/p", NewText(&Printer{Places: places}))
	r := &Test{Name: "TestX", Verdict: Fail}
	for i := range 3000 {
		r.Outcomes = append(r.Outcomes,
			explore.Outcome{Verdict: "pass", Log: fmt.Sprint("outcome ", i),
				Count: 1})
	}
	long := strings.Repeat("line ", 1000)
	for range 40 {
		f := &depict.Finding{Kind: explore.Fail, Message: long}
		for range 40 {
			f.Log = append(f.Log, depict.Line{Text: long})
		}
		r.Findings = append(r.Findings, f)
		j.Found("TestX", f)
	}
	j.Result(r)
	outcomes, ends := 0, 0
	for line := range strings.Lines(b.String()) {
		if len(line) > 1<<16 {
			t.Errorf("a line of %d bytes: %s", len(line), line[:100])
		}
		var o struct {
			Action, Test, Of string
			Earlier          int
			Outcomes         []struct{}
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		outcomes += len(o.Outcomes)
		if o.Action == "fail" && o.Test == "TestX" {
			ends++
		}
		if o.Action == "result" && o.Earlier != 3000 {
			t.Errorf("Earlier is %d, want 3000", o.Earlier)
		}
	}
	if outcomes != 3000 || ends != 1 {
		t.Errorf("%d outcomes and %d ends, want 3000 and 1", outcomes, ends)
	}
}

// TestFoundAtOnce checks that what is found in a search that takes long is printed before the
// search ends, and not once more after it.
func TestFoundAtOnce(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places})
	first, second := &depict.Finding{Kind: explore.Fail, Message: "one",
		Chart: []string{"chart one"}},
		&depict.Finding{Kind: explore.Fail, Message: "two", Chart: []string{"chart two"}}
	text.Run("TestX")
	text.Found("TestX", first)
	if b.Len() > 0 {
		t.Errorf("printed before the search takes long: %s", b.String())
	}
	text.Progress("TestX", &explore.Progress{})
	if !strings.Contains(b.String(), "=== FOUND TestX") ||
		!strings.Contains(b.String(), "chart one") {
		t.Errorf("not printed while the search goes on: %s", b.String())
	}
	text.Found("TestX", second)
	text.Result(&Test{Name: "TestX", Verdict: Fail, Findings: []*depict.Finding{first, second}})
	for _, part := range []string{"chart one", "chart two", "shown above"} {
		if n := strings.Count(b.String(), part); n != 1 {
			t.Errorf("%q is printed %d times, want 1:\n%s", part, n, b.String())
		}
	}
}

// TestTurns: tests take turns, and what one has found is not printed as another one's.
func TestTurns(t *testing.T) {
	var b strings.Builder
	text := NewText(&Printer{Out: &b, Places: places})
	slow, quick := &depict.Finding{Kind: explore.Fail, Message: "slow", Chart: []string{"slow"}},
		&depict.Finding{Kind: explore.Fail, Message: "quick", Chart: []string{"quick"}}
	text.Run("TestSlow")
	text.Found("TestSlow", slow)
	text.Progress("TestSlow", &explore.Progress{})
	text.Run("TestQuick")
	text.Found("TestQuick", quick)
	text.Result(&Test{Name: "TestQuick", Verdict: Fail, Findings: []*depict.Finding{quick}})
	text.Progress("TestSlow", &explore.Progress{})
	text.Result(&Test{Name: "TestSlow", Verdict: Fail, Findings: []*depict.Finding{slow}})
	if n := strings.Count(b.String(), "=== FOUND"); n != 1 {
		t.Errorf("%d findings are printed while a search goes on, want 1:\n%s", n, b.String())
	}
	if n := strings.Count(b.String(), "shown above"); n != 1 {
		t.Errorf("%d findings were shown above, want 1:\n%s", n, b.String())
	}
}

// TestManyTextsAtOnePlace: findings that differ in their texts alone are counted after the first
// three, and -v prints them.
func TestManyTextsAtOnePlace(t *testing.T) {
	var list []*depict.Finding
	for _, text := range []string{"a", "b", "c", "d", "e"} {
		list = append(list, &depict.Finding{Kind: explore.Fail, Message: text, Pos: "x_test.go:7"})
	}
	for _, verbose := range []bool{false, true} {
		var b strings.Builder
		text := NewText(&Printer{Out: &b, Places: places, Verbose: verbose})
		text.Run("TestX")
		text.Result(&Test{Name: "TestX", Verdict: Fail, Findings: list})
		want, left := 3, 1
		if verbose {
			want, left = 5, 0
		}
		if n := strings.Count(b.String(), "fail  x_test.go:7"); n != want {
			t.Errorf("verbose %v: %d findings, want %d:\n%s", verbose, n, want, b.String())
		}
		if n := strings.Count(b.String(), "2 more findings, all at x_test.go:7"); n != left {
			t.Errorf("verbose %v: the rest is counted %d times, want %d:\n%s", verbose, n, left,
				b.String())
		}
	}
}
