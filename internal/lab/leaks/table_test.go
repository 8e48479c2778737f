package leaks

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const head = `# The leaks of Go's own corpus

For a reader who compares tools: which leaks of the Go project's own corpus does rehearse find?

Made by ` + "`go test ./internal/lab/leaks -update -replays=%d`" + ` with %s; do not edit. The programs
are those of GOROOT/src/runtime/testdata/testgoroutineleakprofile: kernels of real blocking bugs
(GoKer, from the benchmark suite GoBench), and small programs with a leak each. The expectations are
those of GOROOT/src/runtime/goroutineleakprofile_test.go, which runs a hundred or a thousand copies
of most kernels to be lucky once. Here there is one copy, without the yields and sleeps that wait
for the profile.

%d kernels: %s.
A counterexample counts as replayed if %d executions of its schedule were the same.

"n of m" counts the leaks that Go's test names. Many exclude each other, and a kernel whose leaks
depend on the schedule is found with one of them. Executions and seconds are those up to the first
leak, or, where something else was found before it, those of the whole exploration.

`

// table is the text of docs/LEAKS.md.
func table(rows []*row, replays int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, replays, runtime.Version(), len(rows), summary(rows), replays)
	b.WriteString(
		"| kernel | | expected | found | executions | seconds | replayed |\n|---|---|---|---|--:|--:|---|\n")
	for _, r := range rows {
		if r.verdict != refused {
			fmt.Fprintf(&b, "| %s | %s, %s | %s | %s | %d | %.3f | %s |\n", r.name, r.verdict,
				r.share(),
				lines(r.expectations()), lines(append(dropDots(r.leaks), r.why...)), r.executions,
				r.seconds,
				r.repeated())
		}
	}
	b.WriteString("\n## Refused\n\n| kernel | because of |\n|---|---|\n")
	for _, r := range rows {
		if r.verdict == refused {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name, strings.Join(r.constructs(), ", "))
		}
	}
	return b.Bytes()
}

// group orders the rows of the table: those that need attention come first.
func (r *row) group() int {
	return slices.Index([]verdict{missed, wrong, found, silent, refused}, r.verdict)
}

func summary(rows []*row) string {
	var parts []string
	for _, v := range []verdict{found, silent, refused, missed, wrong} {
		n := 0
		for _, r := range rows {
			if r.verdict == v {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, v))
	}
	return strings.Join(parts, ", ")
}

func (r *row) share() string {
	n := 0
	for _, met := range r.met {
		if met {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(r.met))
}

// repeated says whether the counterexample was replayed.
func (r *row) repeated() string {
	switch {
	case r.first.Schedule == "":
		return ""
	case r.replayed:
		return "yes"
	}
	return "no: " + excused[r.name]
}

// expectations are the regular expressions, made readable.
func (r *row) expectations() []string {
	if !r.expected {
		return []string{"(not in Go's test)"}
	}
	var texts []string
	for _, re := range r.want.Leaks {
		text := strings.NewReplacer(`\(.*`, "", `.*`, "", `\`, "").Replace(re.String())
		texts = append(texts, text)
	}
	return texts
}

func dropDots(leaks []string) []string {
	var texts []string
	for _, leak := range leaks {
		texts = append(texts, strings.Replace(leak, "(...)", "", 1))
	}
	return texts
}

var construct = regexp.MustCompile(`^unsupported: (.*?) is not controlled`)

// constructs are the operations for which the kernel is refused.
func (r *row) constructs() []string {
	var names []string
	for _, why := range r.why {
		name := why
		if m := construct.FindStringSubmatch(why); m != nil {
			name = "`" + m[1] + "`"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// lines puts texts into one cell of a table.
func lines(texts []string) string {
	var cells []string
	for _, text := range texts {
		cells = append(cells, "`"+strings.ReplaceAll(text, "|", `\|`)+"`")
	}
	return strings.Join(cells, "<br>")
}
