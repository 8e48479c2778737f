package corpus

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

const head = `# The tests of real packages

For a user who asks what to expect of real packages: how many of their tests are explored, and to
what end?

Made by ` + "`go test ./internal/lab/corpus -fetch -update`" + ` with %s, a budget of %v for each
package; do not edit. The packages' own tests are run as they are; programs without a version are
testdata of this repository with the shape of a well-known program that is no module, and
gorilla/websocket's chat has a driver there. Executions and seconds depend on the machine; seconds
are those of the whole command, building included.

A test is **complete** when every order that matters has been run; **incomplete** when the budget or
a bound ended that, with nothing found; **failing** when some order fails; **refused** when it may
come to what is not controlled, and was not run; **uncontrolled** when it came there.

`

// kinds are what may become of a test.
var kinds = []string{"complete", "incomplete", "failing", "refused", "uncontrolled"}

// document is the text of docs/CORPUS.md.
func document(rows []*row, budget time.Duration) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, runtime.Version(), budget)
	tables(&b, rows)
	return b.Bytes()
}

// tables writes what became of the tests, the findings, and what was not controlled.
func tables(b *bytes.Buffer, rows []*row) {
	b.WriteString(
		"| package | tests | complete | incomplete | failing | refused | uncontrolled | executions | seconds |\n" +
			"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		b.WriteString(r.line() + "\n")
	}
	b.WriteString("\n## Findings\n\n| package | test | | |\n|---|---|---|---|\n")
	for _, r := range rows {
		for _, one := range r.of("failing") {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.name(), one.Test, cell(one.Findings),
				r.remark(one.Test))
		}
	}
	b.WriteString(
		"\n## What was not controlled\n\n| package | because of | tests |\n|---|---|---|\n")
	for _, r := range rows {
		for _, why := range r.reasons() {
			fmt.Fprintf(b, "| %s | %s | %s |\n", r.name(), why.text, few(why.tests))
		}
	}
}

// line is the row of the table. Tests with which nothing was begun are incomplete.
func (r *row) line() string {
	cells := []string{r.name(), fmt.Sprint(len(r.results) + r.unbegun)}
	for _, kind := range kinds {
		n := len(r.of(kind))
		if kind == "incomplete" {
			n += r.unbegun
		}
		cells = append(cells, fmt.Sprint(n))
	}
	return fmt.Sprintf("| %s | %d | %.0f |", strings.Join(cells, " | "), r.executions(), r.seconds)
}

func (r *row) of(kind string) []result {
	return slices.DeleteFunc(slices.Clone(r.results), func(one result) bool {
		return one.became() != kind
	})
}

func (r *row) executions() (n int) {
	for _, one := range r.results {
		n += one.Executions
	}
	return n
}

func (r *row) remark(test string) string {
	if r.native[test] {
		return "fails natively, too"
	}
	return r.verified[test]
}

// reason is something that is not controlled, with the tests that come to it.
type reason struct {
	text  string
	tests []string
}

var reachedBy = regexp.MustCompile(`;? ?reached by .*`)

// reasons lists what was not controlled, in the order of the tests.
func (r *row) reasons() []*reason {
	var list []*reason
	for _, one := range append(r.of("refused"), r.of("uncontrolled")...) {
		for _, f := range one.Findings {
			list = enterReason(list, reachedBy.ReplaceAllString(f.Message, ""), one.Test)
		}
	}
	return list
}

func enterReason(list []*reason, text, test string) []*reason {
	i := slices.IndexFunc(list, func(w *reason) bool { return w.text == text })
	if i < 0 {
		i = len(list)
		list = append(list, &reason{text: text})
	}
	if !slices.Contains(list[i].tests, test) {
		list[i].tests = append(list[i].tests, test)
	}
	return list
}

// few names the first tests and counts the others.
func few(tests []string) string {
	const most = 5
	if len(tests) <= most {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(tests[:most], ", "), len(tests)-most)
}

// cell puts findings into one cell of a table: each kind with its first message.
func cell(findings []finding) string {
	var parts []string
	for _, f := range findings[:min(len(findings), 3)] {
		first, _, _ := strings.Cut(f.Message, "\n")
		parts = append(parts, strings.ReplaceAll(strings.TrimSpace(f.Kind+": "+shorten(first)), "|",
			`\|`))
	}
	return strings.Join(parts, "<br>")
}

func shorten(text string) string {
	const most = 120
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}

// TestReasons: tests that are refused for one reason are listed together, whatever the way there.
func TestReasons(t *testing.T) {
	r := &row{results: []result{
		{Test: "TestA", Verdict: "error",
			Findings: []finding{{Kind: "unsupported",
				Message: "x is not controlled: it y; reached by TestA -> f"}}},
		{Test: "TestB", Verdict: "error",
			Findings: []finding{{Kind: "unsupported",
				Message: "x is not controlled: it y; reached by TestB"}}},
		{Test: "TestC", Verdict: "error",
			Findings: []finding{{Kind: "uncontrolled", Message: "x is not controlled: it y"}}},
		{Test: "TestD", Verdict: "pass", Complete: true},
	}}
	got := r.reasons()
	if len(got) != 1 || got[0].text != "x is not controlled: it y" ||
		strings.Join(got[0].tests, " ") != "TestA TestB TestC" {
		t.Errorf("%+v", got)
	}
}
