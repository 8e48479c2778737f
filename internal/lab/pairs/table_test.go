package pairs

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
)

const head = `# Known bugs and their repairs

For a user who asks whether real bugs are found: which known bugs of published modules does rehearse
show, and are they gone in the repaired versions?

Made by ` + "`go test ./internal/lab/pairs -pairs -update`" + ` with %s; do not edit. Each driver, in
internal/lab/pairs/testdata or the test that came with the repair, is explored with the default
strategy, at most %d executions, in the version that has the bug and in the one that has not. A
bug counts as found if the finding is the expected one and 100 executions of its schedule are the
same.

"First" are the executions up to the first finding, "all" those of the whole budget (two minutes at
most, where the bug is). Redundant executions are counted, too. "Natively" says how many runs of the
driver did not pass under plain Go, when they had five seconds each.

`

// table is the text of docs/PAIRS.md.
func table(rows []*row) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, runtime.Version(), budget)
	b.WriteString(
		"| with the bug | test | natively | found | first | seconds | replayed | all | repaired | | executions | seconds |\n")
	b.WriteString("|---|---|---|---|--:|--:|---|--:|---|---|--:|--:|\n")
	for _, r := range rows {
		first, all, fixed := r.buggy.first, r.buggy.all, r.fixed
		fmt.Fprintf(&b,
			"| %s | %s | %s | %s | %d | %.3f | yes | %d, %s | %s | %s, %s | %d | %.3f |\n",
			r.pair.buggy, r.test, r.buggy.native, r.kind, count(first), first.Seconds, count(all),
			ended(all),
			r.pair.fixed, fixed.Verdict, ended(fixed), count(fixed), fixed.Seconds)
	}
	b.WriteString(
		"\n## What goes wrong\n\n| with the bug | driver | what goes wrong | found |\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | `%s` in %s | %s | `%s: %s` |\n", r.pair.buggy, r.test, r.place(),
			r.bug,
			r.kind, strings.ReplaceAll(r.buggy.bug.Message, "\n", " "))
	}
	return b.Bytes()
}

// place says where a pair's driver is.
func (p pair) place() string {
	if p.own {
		return p.driver + " of " + p.fixed.version
	}
	return "testdata/" + p.driver
}

func (v version) String() string {
	return strings.TrimSuffix(v.module+"/"+v.pkg, "/") + "@" + v.version
}

// count is the number of executions that were begun.
func count(r result) int { return r.Executions + r.Blocked }

func ended(r result) string {
	if r.Complete {
		return "complete"
	}
	return "incomplete: " + r.Reason
}
