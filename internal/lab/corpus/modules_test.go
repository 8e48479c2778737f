package corpus

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var modulesBudget = flag.Duration("modules", 0,
	"explore each package of the chosen modules for that `long`, -short (with -fetch)")

// TestModules runs the tests of the chosen modules, says how many are explored, and classes each
// failing test.
func TestModules(t *testing.T) {
	if !*fetch || *modulesBudget == 0 {
		t.Skip("it fetches modules, and explores many packages; -fetch -modules 25s asks for it")
	}
	rows := judgeAll(t, chosen, *modulesBudget, "-short")
	checkRead(t, rows)
	if len(rows) < len(chosen) {
		return // -run names some
	}
	s := shareOf(rows)
	if 100*s.explored < 85*s.local {
		t.Errorf("%d of %d tests that need no network are explored", s.explored, s.local)
	}
	if n, wrong := countTests(rows), countClass(rows, isFalse); 100*wrong > n {
		t.Errorf("%d of %d tests fail falsely", wrong, n)
	}
	if *update {
		text := modulesDocument(modulesHead, rows, *modulesBudget)
		must(t, os.WriteFile(modulesFile, text, 0o666))
	}
}

// share is how many tests are explored.
type share struct {
	tests    int
	outside  int // need another host or program
	local    int // the others
	explored int // of these
	short    int // of these: all of their time was too short for one execution
	unbegun  int
}

func (s *share) add(r *row) {
	s.tests += len(r.results) + r.unbegun
	s.unbegun += r.unbegun
	for i := range r.results {
		if one := &r.results[i]; one.isOutside() {
			s.outside++
		} else if one.isExplored() {
			s.explored++
			if one.became() == "incomplete" && one.Executions == 0 {
				s.short++
			}
		}
	}
	s.local = s.tests - s.outside
}

func shareOf(rows []*judged) (s share) {
	for _, r := range rows {
		s.add(r.row)
	}
	return s
}

// isOutside reports whether a test was given up because it talks to another host, or runs a
// program.
func (r *result) isOutside() bool {
	if k := r.became(); k != "refused" && k != "uncontrolled" {
		return false
	}
	return slices.ContainsFunc(r.Findings, func(f finding) bool {
		return strings.Contains(f.Message, "network") ||
			strings.Contains(f.Message, "another process")
	})
}

// many executions are enough to call a test explored.
const many = 1000

// isExplored reports whether a test is complete, has a finding, many executions, or had its time.
func (r *result) isExplored() bool {
	switch r.became() {
	case "complete", "failing":
		return true
	case "incomplete":
		return r.Executions >= many || strings.Contains(r.Reason, "budget") ||
			strings.Contains(r.Reason, "the time is up") ||
			strings.Contains(r.Reason, "part of -timeout")
	}
	return false
}

const modulesFile = "../../../docs/MODULES.md"

const modulesHead = `# Modules that were not chosen for what is in them

For a user who runs ` + "`rehearse test ./...`" + ` on a module of their own, without a flag: how many tests
are explored, and which failing ones are to be believed?

Made by ` + "`go test ./internal/lab/corpus -run Modules -fetch -modules %v -rows FILE -update`" + `
with %s, with ` + "`-short`" + ` and that budget for each package, on two cores that some twenty other
processes shared; do not edit. FILE keeps what a module came to, so that it is not run again: its
rows are of several builds of one day, and a module with a false finding that was mended was run
again. A quiet machine begins more tests. None of the modules is in [CORPUS.md](CORPUS.md),
[FINDINGS.md](FINDINGS.md) or [LOOPBACK.md](LOOPBACK.md).

%s

A test is **explored** if it is complete, has a finding, was run %d times or for all of its time.
**Bounded** ones ended earlier, by a bound that their result names. A test that talks to another
host, or runs another program, is **outside**. What **true** and **false** mean is in
[FINDINGS.md](FINDINGS.md).

`

// modulesDocument is the text of docs/MODULES.md, or of another document that begins with head.
func modulesDocument(head string, rows []*judged, budget time.Duration) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, budget, runtime.Version(), modulesSum(rows), many)
	b.WriteString("| module | lines | graph | tests | complete | incomplete | bounded | not explored | " +
		"outside | unbegun | failing: true | false | unread | executions | seconds |\n" +
		"|---|--:|---|" + strings.Repeat("--:|", 12) + "\n")
	for _, r := range rows {
		b.WriteString(r.moduleLine() + "\n")
	}
	b.WriteString("\n## Failing tests\n\n| module | test | finding | | evidence, or cause |\n" +
		"|---|---|---|---|---|\n")
	for _, r := range rows {
		for _, one := range r.of("failing") {
			j := r.judge(one)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name(), one.Test, cell(one.Findings),
				j.class, strings.ReplaceAll(j.evidence, "|", `\|`))
		}
	}
	b.WriteString("\n## Tests that are not explored\n\n| module | because of | tests |\n|---|---|---|\n")
	for _, r := range rows {
		for _, why := range append(r.reasons(), r.bounds()...) {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.name(),
				strings.ReplaceAll(why.text, "|", `\|`), few(why.tests))
		}
	}
	return b.Bytes()
}

// modulesSum says in a paragraph what all rows come to.
func modulesSum(rows []*judged) string {
	s := shareOf(rows)
	return fmt.Sprintf("%d modules, %d tests. Of %d that need nothing outside, %d are explored "+
		"(%d %%);\n%d of these had too little time for one execution. %d were not begun. "+
		"Findings that are true: %d,\nfalse: %d, not read: %d.",
		len(rows), s.tests, s.local, s.explored, 100*s.explored/max(s.local, 1), s.short, s.unbegun,
		countClass(rows, isTrue), countClass(rows, isFalse), countClass(rows, unread))
}

// moduleLine is the row of the table.
func (r *judged) moduleLine() string {
	bounded, refused, outside := 0, 0, 0
	for i := range r.results {
		switch one := &r.results[i]; {
		case one.isOutside():
			outside++
		case one.became() == "refused" || one.became() == "uncontrolled":
			refused++
		case !one.isExplored():
			bounded++
		}
	}
	one := []*judged{r}
	return fmt.Sprintf("| %s | %s | %s"+strings.Repeat(" | %d", 11)+" | %.0f |",
		r.name(), r.about.Lines, cmp.Or(r.about.Graph, " "), len(r.results)+r.unbegun,
		len(r.of("complete")), len(r.of("incomplete"))-bounded, bounded, refused, outside,
		r.unbegun, countClass(one, isTrue), countClass(one, isFalse), countClass(one, unread),
		r.executions(), r.seconds)
}

// bounds lists why tests ended early that are neither complete nor had their time.
func (r *judged) bounds() (list []*reason) {
	for i := range r.results {
		if one := &r.results[i]; one.became() == "incomplete" && !one.isExplored() {
			list = enterReason(list, one.Reason, one.Test)
		}
	}
	return list
}

// TestShare: what counts as explored, and as outside.
func TestShare(t *testing.T) {
	outside := []finding{{Kind: "uncontrolled",
		Message: "net.Dial is not controlled: it talks to the network"}}
	other := []finding{{Kind: "unsupported", Message: "x is not controlled: it blocks"}}
	var s share
	s.add(&row{unbegun: 2, results: []result{
		{Test: "TestA", Verdict: "error", Findings: outside},
		{Test: "TestB", Verdict: "error", Findings: other},
		{Test: "TestC", Verdict: "pass", Complete: true},
		{Test: "TestD", Verdict: "pass", Executions: many},
		{Test: "TestE", Verdict: "pass", Executions: 2, Reason: "the budget of 25s is spent"},
		{Test: "TestF", Verdict: "pass", Executions: 2, Reason: "a bound"},
		{Test: "TestG", Verdict: "fail"},
		{Test: "TestH", Verdict: "pass", Reason: "one execution takes longer than 5s, its part of " +
			"-timeout: a step of it computes"},
	}})
	want := share{tests: 10, outside: 1, local: 9, explored: 5, short: 1, unbegun: 2}
	if s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
