package stdlib

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const head = `# The tests of the standard library

For a user who asks whether rehearse is right about Go: do the standard library's own tests pass in
every order that is explored?

Made by ` + "`go test ./internal/lab/stdlib -update`" + ` with %s; do not edit. These are the tests of
some packages of the standard library, of golang.org/x/sync %s, and the programs of
GOROOT/test/chan, explored with ` + "`%s`" + `. Every
explored test passes in every execution, as it does natively. Many tests have more orders than this
small budget. [data/stdlib.csv](data/stdlib.csv) has each test, with the bound that was met. It
names the reasons of refused tests: real time, the garbage collector, the number of allocations, the
network, other processes.
`

// verdicts are those of the cases, in the order of the table.
var verdicts = []string{"complete", "incomplete", "refused", notRun}

// table is the text of docs/STDLIB.md: a line for each package.
func table(subjects []*subject) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, runtime.Version(), moduleVersion, strings.Join(budget[1:], " "))
	fmt.Fprintf(&b, "\n| package | cases | %s |\n|---|--:|--:|--:|--:|--:|\n",
		strings.Join(verdicts, " | "))
	for _, s := range subjects {
		fmt.Fprintf(&b, "| %s | %d |", s.name, len(s.cases))
		for _, v := range verdicts {
			fmt.Fprintf(&b, " %d |", s.count(v))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// count counts the cases with a verdict.
func (s *subject) count(verdict string) (n int) {
	for _, r := range s.cases {
		if r.verdict() == verdict {
			n++
		}
	}
	return n
}

// data is the text of docs/data/stdlib.csv: a line for each case.
func data(subjects []*subject) ([]byte, error) {
	lines := [][]string{{"package", "test", "natively", "explored", "executions", "why"}}
	for _, s := range subjects {
		for _, r := range s.cases {
			lines = append(lines, []string{s.name, r.Test, s.native[r.Test], r.verdict(),
				r.executions(),
				r.why()})
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

func (r *result) verdict() string {
	switch {
	case r.Verdict == "error":
		return "refused"
	case r.Verdict != "pass":
		return r.Verdict
	case r.Complete:
		return "complete"
	}
	return "incomplete"
}

func (r *result) executions() string {
	if r.Verdict != "pass" {
		return ""
	}
	return fmt.Sprint(r.Executions)
}

var construct = regexp.MustCompile(`^(.*?) is not controlled`)

// why is the bound that was met, or the reason of the refusal.
func (r *result) why() string {
	if r.Verdict != "error" {
		return r.Reason
	}
	var names []string
	for _, f := range r.Findings {
		name := construct.ReplaceAllString(construct.FindString(f.Message), "`$1`")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
