package goker

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
)

const head = `# GoKer

For a reader who compares tools: which of GoKer's bugs does rehearse find with its default flags?

Made by ` + "`go test ./internal/lab/goker -goker DIR -update`" + ` with %s and %v for each kernel; do
not edit. GoKer is the part of the benchmark suite GoBench (CGO 2021) that has kernels of real bugs,
each a test. The kernels run unedited.

Found: %d of %d blocking kernels and %d of %d non-blocking ones. Of the others, %d end complete.

A kernel is **found** when a finding has a kind that its class can have: a blocking bug is a
deadlock, a leak, a livelock or a panic; a non-blocking bug is a race, a panic, a failure, or what
it leads to, a deadlock or a leak. A finding is **replayed** if %d executions of its schedule were
the same.

`

// document is the text of docs/GOKER.md.
func document(all repairs, rows, repaired []*row) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, runtime.Version(), *budget, countFound(rows, "blocking"),
		countClass(rows, "blocking"),
		countFound(rows, "nonblocking"), countClass(rows, "nonblocking"),
		countSilentlyComplete(rows),
		*counts)
	for _, class := range []string{"blocking", "nonblocking"} {
		writeClass(&b, class, rows)
	}
	writeRepairs(&b, all, repaired)
	return b.Bytes()
}

func writeClass(b *bytes.Buffer, class string, rows []*row) {
	fmt.Fprintf(b,
		"## %s\n\n| kernel | | kinds | complete | executions | replayed | explanation |\n|---|---|---|---|--:|---|---|\n",
		map[string]string{"blocking": "Blocking", "nonblocking": "Non-blocking"}[class])
	for _, r := range rows {
		if r.class() == class {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %s | %s |\n",
				r.short(), r.became(), r.shown(), word(r.Complete), r.Executions, r.repeated(),
				r.explanation())
		}
	}
	b.WriteString("\n")
}

const repairsHead = `## Repaired

The same kernels with what the upstream repair does, as edits of lines
(internal/lab/goker/testdata/repairs.txt). %d kernels: %d have no finding, and %d of these end
complete.

| kernel | repair | | complete | executions |
|---|---|---|---|--:|
`

func writeRepairs(b *bytes.Buffer, all repairs, rows []*row) {

	silent, complete := 0, 0
	for _, r := range rows {
		if len(r.Findings) == 0 {
			silent++
			if r.Complete {
				complete++
			}
		}
	}
	fmt.Fprintf(b, repairsHead, len(rows), silent, complete)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d |\n", r.name, all[r.name].says, verdict(r),
			word(r.Complete), r.Executions)
	}
}

func verdict(r *row) string {
	if len(r.Findings) == 0 {
		return "silent"
	}
	return r.shown()
}

func word(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// repeated says whether the schedule of the first finding was replayed.
func (r *row) repeated() string {
	if !r.found() {
		return ""
	}
	return word(r.replayed)
}

// explanation is why a kernel is missed.
func (r *row) explanation() string {
	if r.found() {
		return ""
	}
	return strings.ReplaceAll(explained[r.name], "|", `\|`)
}

func countClass(rows []*row, class string) (n int) {
	for _, r := range rows {
		if r.class() == class {
			n++
		}
	}
	return n
}

func countSilentlyComplete(rows []*row) (n int) {
	for _, r := range rows {
		if !r.found() && r.Complete {
			n++
		}
	}
	return n
}
