package differ

import (
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
	fmt.Fprintf(&b, "%d programs, of seeds %d to %d, in %d packages. `%s` comes to an end in at most %d executions of %d of them: %d with timers, %d with data races, %d outcomes, %d findings.\n\n",
		m.generated, *firstSeed, *firstSeed+uint64(m.generated)-1, m.packages, clocks[0][0].flags, *mixedMost, m.programs, m.timed, m.racy, m.outcomes, m.findings)
	fmt.Fprintf(&b, "%d native runs of those without data races show %d outcomes, and %d end in none that can be told. Programs with a native outcome that is not explored: %d.\n\n",
		m.runs, m.shown, m.unknown, m.wrong)
	b.WriteString("| flags | programs | refused | in part | executions | blocked | exhaustive | outcomes | differ |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, ways := range clocks {
		for _, w := range ways[1:] {
			if s := m.scores[w.flags]; s != nil {
				fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d | %d | %d | %d |\n", w.flags, s.programs, s.refused, s.partial, s.executions, s.blocked, s.exhaustive, s.outcomes, s.differ)
			}
		}
	}
	return b.String()
}

// randomHead begins the document.
const randomHead = `# Random programs

For someone who asks whether to trust the reductions: do all ways to search find the same, and is
what plain Go does among it? This file is written by

    go test ./internal/lab/differ -run TestMixed -mixed=%d -seed=%d -mixedmost=%d -mixedruns=%d \
        -timeout=0 -mixedtable=docs/RANDOM.md

Each program is one of goprog.NewMixed: two to four goroutines with channels, close, select, timers,
contexts, locks, Cond, Once, atomic operations beside plain accesses, sync objects that are assigned
and copied, files, panic, recover and Goexit. What exhaustive search finds is what there is: its
outcomes (verdict and log) and findings. A way to search differs from it if one of them is missing
or new, if it does not come to an end, or if it runs more executions. auto, pop and the refinements
of optimal differ, too, if they run more executions than optimal; but where there are data races,
each search begins again when it meets them. With words of -independence, and under stateful,
programs with timers are explored with executions that cannot be (docs/DECISIONS.md), so more may be
found there. pop may say that it has left something out: those programs are searched in part.
The word context may cost executions. Every second package is built as users build it, for the ways
that need no facts.

`

// write writes the document, if it is asked for, with the programs so far.
func (m *mix) write(t *testing.T) {
	if *mixedTable == "" {
		return
	}
	text := fmt.Sprintf(randomHead, m.generated, *firstSeed, *mixedMost, *mixedRuns) + m.String()
	if err := os.WriteFile(*mixedTable, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
