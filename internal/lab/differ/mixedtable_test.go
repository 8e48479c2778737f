package differ

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// String is what was compared, in Markdown.
func (m *mix) String() string { return m.table(byClock) }

// table is String, for some ways to search.
func (m *mix) table(clocks [][]way) string {
	var b strings.Builder
	fmt.Fprintf(&b,
		"%d programs, of seeds %d to %d, in %d packages. `%s`\ncomes to an end in at most %d executions of %d of them: %d with timers, %d with data races,\n%d outcomes, %d findings.\n\n",
		m.generated, *firstSeed, *firstSeed+uint64(m.generated)-1, m.packages, clocks[0][0].flags,
		*mixedMost, m.programs, m.timed, m.racy, m.outcomes, m.findings)
	fmt.Fprintf(&b,
		"%d native runs of those without data races show %d outcomes, and %d end in none that can be\ntold. Programs with a native outcome that is not explored: %d.\n\n",
		m.runs, m.shown, m.unknown, m.wrong)
	b.WriteString(
		"| flags | programs | refused | in part | executions | blocked | exhaustive | outcomes | differ |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, ways := range clocks {
		for _, w := range ways[1:] {
			if s := m.scores[w.flags]; s != nil {
				fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d | %d | %d | %d |\n", w.flags,
					s.programs,
					s.refused, s.partial, s.executions, s.blocked, s.exhaustive, s.outcomes,
					s.differ)
			}
		}
	}
	return b.String()
}

// randomHead begins the table of mixed programs.
const randomHead = `This is written by

    go test ./internal/lab/differ -run TestMixed -mixed=%d -seed=%d -mixedmost=%d -mixedruns=%d \
        -timeout=0 -mixedtable=docs/RANDOM.md

`

// write writes the document, if it is asked for, with the programs so far.
func (m *mix) write(t *testing.T) {
	if *mixedTable == "" {
		return
	}
	replacePart(t, fromRoot(t, *mixedTable), "mixed",
		fmt.Sprintf(randomHead, m.generated, *firstSeed, *mixedMost, *mixedRuns)+m.String())
}

// replacePart replaces a part of a file, which stands between two comments, or appends it. The rest
// of the file stays as it is.
func replacePart(t *testing.T, file, name, text string) {
	t.Helper()
	begin, end := "<!-- "+name+": written by a test -->\n", "<!-- end of "+name+" -->\n"
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(old), begin)
	_, after, ended := strings.Cut(rest, end)
	if found != ended {
		t.Fatalf("%s: part %s has no end", file, name)
	}
	if err := os.WriteFile(file, []byte(before+begin+text+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// partOf returns a part of a file, empty if it is not there.
func partOf(file, name string) string {
	text, _ := os.ReadFile(file)
	_, rest, _ := strings.Cut(string(text), "<!-- "+name+": written by a test -->\n")
	part, _, _ := strings.Cut(rest, "<!-- end of "+name+" -->\n")
	return part
}

var kindsTable = flag.String("kindstable", "",
	"add what was compared of programs of one kind to the table of `file`, in Markdown")

// kindsHead begins the table of programs of one kind.
const kindsHead = "| programs | seeds | complete | with data races | outcomes | findings | executions | without | native runs | differ |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"

// enter adds a row to the table of programs of one kind, or replaces the one of the same seeds.
func (m *mix) enter(t *testing.T, kind string, ways []way) {
	t.Helper()
	if *kindsTable == "" {
		return
	}
	key := fmt.Sprintf("| %s | %d to %d |", kind, *firstSeed, *firstSeed+uint64(m.generated)-1)
	differ := m.wrong
	for _, w := range ways[1:] {
		differ += m.scores[w.flags].differ
	}
	s := m.scores["-clock=idle"]
	if s == nil {
		s = m.scores["-clock=delay"]
	}
	row := fmt.Sprintf("%s %d | %d | %d | %d | %d | %d | %d | %d |\n", key, m.programs, m.racy,
		m.outcomes, m.findings, s.executions, s.exhaustive, m.runs, differ)
	file := fromRoot(t, *kindsTable)
	rows := strings.TrimPrefix(partOf(file, "kinds"), kindsHead)
	if at := strings.Index(rows, key); at >= 0 {
		_, after, _ := strings.Cut(rows[at:], "\n")
		rows = rows[:at] + row + after
	} else {
		rows += row
	}
	replacePart(t, file, "kinds", kindsHead+rows)
}
