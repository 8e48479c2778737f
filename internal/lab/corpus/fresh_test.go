package corpus

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var freshRows = flag.String("rows", "",
	"keep in `file` what the tests of a corpus came to; packages that it has are judged, and not run again")

var freshBudget = flag.Duration("fresh", 0,
	"explore each package of the fresh corpus for that `long`, -short, instead of the subjects (with -fetch)")

// judgement is what somebody has said who has read a failing test.
type judgement struct {
	class    string // one of the classes
	evidence string // of a true finding: the lines that show it; of a false one: its cause
}

// read is a package with what was found in its tests, by those who have read it.
type read struct {
	subject
	judgements map[string]judgement
}

// The classes of findings.
const (
	isTrue  = "true"  // Go can do that, as the evidence shows
	isFalse = "false" // Go cannot
	unread  = "unread"
)

// TestFresh runs the tests of packages that none of the other lists has, and classes each failing
// test. It fails for a test that nobody has read, and if more than one test in a hundred fails
// falsely.
func TestFresh(t *testing.T) {
	if !*fetch || *freshBudget == 0 {
		t.Skip("it fetches modules, and explores many packages; -fetch -fresh 20s asks for it")
	}
	rows := judgeAll(t, fresh, *freshBudget, "-short")
	checkRead(t, rows)
	if len(rows) < len(fresh) {
		return // -run names some
	}
	if n, wrong := countTests(rows), countClass(rows, isFalse); 100*wrong > n {
		t.Errorf("%d of %d tests fail falsely", wrong, n)
	}
	if *update {
		must(t, os.WriteFile(freshFile, freshDocument(freshHead, rows, *freshBudget), 0o666))
	}
}

// judgeAll explores the packages of list, or takes what -rows has of them, and judges each failing
// test.
func judgeAll(t *testing.T, list []read, budget time.Duration, flags ...string) (rows []*judged) {
	kept := readRows(t, list)
	build := sync.OnceValue(func() string { return buildRehearse(t) })
	for _, f := range list {
		t.Run(f.name(), func(t *testing.T) {
			r := kept[f.module]
			if r == nil {
				dir := f.fetch(t)
				about := traitOf(t, dir, f.pkg)
				r = f.explore(t, build(), dir, budget, flags...)
				r.about = about
				kept[f.module] = r
				writeRows(t, list, kept)
			}
			one := &judged{r, f.judgements}
			one.log(t)
			rows = append(rows, one)
		})
	}
	return rows
}

// keptRow is a row as a file has it.
type keptRow struct {
	Module  string
	Results []result
	Native  map[string]bool
	Seconds float64
	Unbegun int
	About   trait
}

// readRows returns the rows in the file that -rows names, by module; none if it is not there.
func readRows(t *testing.T, all []read) map[string]*row {
	rows := map[string]*row{}
	text, err := os.ReadFile(*freshRows)
	if err != nil {
		return rows
	}
	var list []keptRow
	must(t, json.Unmarshal(text, &list))
	for _, k := range list {
		for _, f := range all {
			if f.module == k.Module {
				rows[k.Module] = &row{subject: f.subject, results: k.Results, native: k.Native,
					seconds: k.Seconds, unbegun: k.Unbegun, about: k.About}
			}
		}
	}
	return rows
}

func writeRows(t *testing.T, all []read, rows map[string]*row) {
	if *freshRows == "" {
		return
	}
	var list []keptRow
	for _, f := range all {
		if r := rows[f.module]; r != nil {
			list = append(list, keptRow{r.module, r.results, r.native, r.seconds,
				r.unbegun, r.about})
		}
	}
	text, err := json.Marshal(list)
	must(t, err)
	must(t, os.WriteFile(*freshRows, text, 0o666))
}

// judged is a row whose failing tests have been read.
type judged struct {
	*row
	judgements map[string]judgement
}

// judge says what a failing test is. One that fails natively, too, needs no reader.
func (r *judged) judge(one result) judgement {
	if r.native[one.Test] {
		return judgement{isTrue, "fails natively, too"}
	}
	if j, ok := r.judgements[one.Test]; ok {
		return j
	}
	return r.byFindings(one.Findings)
}

// byFindings is the judgement on all findings of a test, if it is the same for each.
func (r *judged) byFindings(list []finding) (all judgement) {
	for i, f := range list {
		file, _, _ := strings.Cut(f.Pos, ":")
		j, ok := r.judgements[f.Kind+" "+file]
		if !ok || i > 0 && j != all {
			return judgement{class: unread}
		}
		all = j
	}
	return all
}

func (r *judged) log(t *testing.T) {
	t.Helper()
	t.Log(r.line())
	for _, one := range r.of("failing") {
		j := r.judge(one)
		t.Logf("%s is %s: %s (%s)", one.Test, j.class, cell(one.Findings), j.evidence)
	}
}

// checkRead fails for each failing test that nobody has read.
func checkRead(t *testing.T, rows []*judged) {
	t.Helper()
	for _, r := range rows {
		for _, one := range r.of("failing") {
			if r.judge(one).class == unread {
				t.Errorf("%s: %s: nobody has read it", r.name(), one.Test)
			}
		}
	}
}

func countTests(rows []*judged) (n int) {
	for _, r := range rows {
		n += len(r.results) + r.unbegun
	}
	return n
}

func countClass(rows []*judged, class string) (n int) {
	for _, r := range rows {
		for _, one := range r.of("failing") {
			if r.judge(one).class == class {
				n++
			}
		}
	}
	return n
}

const freshFile = "../../../docs/FINDINGS.md"

const freshHead = `# Findings in packages that were not chosen for them

For a user who asks whether to believe a finding: of the tests that rehearse calls failing, how
many can fail in Go?

Made by ` + "`go test ./internal/lab/corpus -fetch -fresh %v -update`" + ` with %s, with ` + "`-short`" + ` and
that budget for each package; do not edit. (With ` + "`-rows`" + `, such a run can be judged again.) The
packages are published, and start goroutines. None of them is in [CORPUS.md](CORPUS.md).

%d packages, %d tests. %d tests fail; findings that are true: %d, false: %d, not read: %d.

A finding is **true** if the test fails natively, with inserted sleeps if need be, or if the lines
that are cited show that Go can do what it says. A goroutine that the test leaves behind is a true
leak, whether or not anybody cares.

`

// freshDocument is the text of docs/FINDINGS.md, or of another document that begins with head.
func freshDocument(head string, rows []*judged, budget time.Duration) []byte {
	var b bytes.Buffer
	failing := 0
	for _, r := range rows {
		failing += len(r.of("failing"))
	}
	fmt.Fprintf(&b, head, budget, runtime.Version(), len(rows), countTests(rows), failing,
		countClass(rows, isTrue), countClass(rows, isFalse), countClass(rows, unread))
	b.WriteString(
		"| package | tests | complete | incomplete | failing | refused | uncontrolled | executions | seconds |\n" +
			"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		b.WriteString(r.line() + "\n")
	}
	b.WriteString(
		"\n## Failing tests\n\n| package | test | finding | | evidence, or cause |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		for _, one := range r.of("failing") {
			j := r.judge(one)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name(), one.Test, cell(one.Findings),
				j.class,
				strings.ReplaceAll(j.evidence, "|", `\|`))
		}
	}
	return b.Bytes()
}

// TestFreshIsFresh: no module of the fresh corpus is in another list.
func TestFreshIsFresh(t *testing.T) {
	var known []string
	for _, s := range subjects {
		known = append(known, s.module)
	}
	for _, w := range wide {
		known = append(known, w.module)
	}
	for _, f := range fresh {
		if slices.Contains(known, f.module) {
			t.Errorf("%s is known", f.module)
		}
		known = append(known, f.module)
	}
}
