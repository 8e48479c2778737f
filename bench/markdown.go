package bench

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
)

// notes explain what the table shows.
//
//go:embed notes.md
var notes string

// Markdown prints a page: how it was made, the table, where each known count comes from, the papers' figures, what is not
// built.
type Markdown struct {
	Out     io.Writer
	Command string // that made it

	why   []string // "| nsenders(3) | 6 | 3! |", of each subject once
	shown map[string]bool
}

// Begin implements Table.
func (m *Markdown) Begin() {
	m.shown = map[string]bool{}
	fmt.Fprintf(m.Out, "# Benchmarks\n\nMade by `%s` with %s on %s/%s, %d processors; do not edit.\n\n", m.Command,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintln(m.Out, strings.TrimSpace(notes))
	fmt.Fprint(m.Out, "\n## Runs\n\n")
	m.line(func(c column) string { return c.title })
	m.line(func(c column) string {
		if c.width < 0 {
			return "---"
		}
		return "--:"
	})
}

// Row implements Table.
func (m *Markdown) Row(r Row) {
	m.line(func(c column) string { return c.cell(&r) })
	if !m.shown[r.Subject] && r.Known != nil {
		m.shown[r.Subject] = true
		m.why = append(m.why, fmt.Sprintf("| %s | %d | %s |", r.Subject, *r.Known, r.Why))
	}
}

func (m *Markdown) line(cell func(column) string) {
	var cells []string
	for _, c := range columns {
		cells = append(cells, cell(c))
	}
	fmt.Fprintf(m.Out, "| %s |\n", strings.Join(cells, " | "))
}

// End implements Table.
func (m *Markdown) End() {
	fmt.Fprintf(m.Out, "\n## What is known\n\n| subject | executions | why |\n|---|--:|---|\n%s\n", strings.Join(m.why, "\n"))
	m.papers()
	m.missing()
}

// papers prints all figures, also those of strategies that are not built.
func (m *Markdown) papers() {
	fmt.Fprint(m.Out, "\n## What the papers print\n\n| subject | strategy | order | executions | transitions | paper |\n|---|---|---|--:|--:|---|\n")
	for _, f := range papers {
		transitions := ""
		if f.Transitions > 0 {
			transitions = fmt.Sprint(f.Transitions)
		}
		fmt.Fprintf(m.Out, "| %s | %s | %s | %s | %s | %s |\n", f.Subject, f.Strategy, f.Order, f.count(), transitions, f.Paper)
	}
}

// missing says what is planned.
func (m *Markdown) missing() {
	_, strategies := Strategies()
	_, models := options.Models()
	fmt.Fprint(m.Out, "\n## What is not built yet\n\n")
	for _, list := range []struct {
		what  string
		names []string
	}{
		{"Strategies", strategies},
		{"Models", models},
		{"Subjects of the papers", unbuilt},
	} {
		if len(list.names) > 0 {
			fmt.Fprintf(m.Out, "- %s: %s.\n", list.what, strings.Join(list.names, ", "))
		}
	}
}

// unbuilt are the papers' subjects that are no programs here yet.
var unbuilt = []string{
	"pipesort", "regsim with two levels", "chameneos", "leader", "shortpath", "diningphil", "minesweeper", "le-erlang", "DHT", "Mail",
	"BB", "server_simple", "server_real", "spinsort",
}
