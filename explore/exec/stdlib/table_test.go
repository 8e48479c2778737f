package stdlib

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const head = `# The tests of the standard library

For a user who asks whether rehearse is right about Go: do the standard library's own tests pass in
every order that is explored?

Made by ` + "`go test ./explore/exec/stdlib -update`" + ` with %s; do not edit. These are the tests of
some packages of the standard library, of golang.org/x/sync %s, and the programs of
GOROOT/test/chan, explored with ` + "`%s`" + `. What is
explored passes in every execution, as it does natively. Many tests have more orders than this small
budget: the last column says which bound was met. For tests that are refused it names what they use:
real time, the garbage collector, the number of allocations, the network, other processes.
`

// table is the text of docs/STDLIB.md.
func table(subjects []*subject) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, runtime.Version(), moduleVersion, strings.Join(budget[1:], " "))
	for _, s := range subjects {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| test | natively | explored | executions | |\n|---|---|---|--:|---|\n", s.name, s.summary())
		for _, r := range s.cases {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Test, s.native[r.Test], r.verdict(), r.executions(), r.why())
		}
	}
	return b.Bytes()
}

func (s *subject) summary() string {
	count := map[string]int{}
	for _, r := range s.cases {
		count[r.verdict()]++
	}
	var parts []string
	for _, v := range []string{"complete", "incomplete", "refused", notRun} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	return fmt.Sprintf("%d cases: %s", len(s.cases), strings.Join(parts, ", "))
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

// why is the bound that was met, or what the case is refused for.
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
