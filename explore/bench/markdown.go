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

// Markdown prints a page: how it was made, the table, what is known of all subjects, the papers' figures, what is not
// built.
type Markdown struct {
	Out     io.Writer
	Command string // that made it
}

// Begin implements Table.
func (m *Markdown) Begin() {
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
	m.known()
	m.papers()
	m.missing()
}

// known prints the table of all subjects, also of those that were not run.
func (m *Markdown) known() {
	fmt.Fprint(m.Out, "\n## What is known\n\n| subject | executions | why | |\n|---|--:|---|---|\n")
	subjects, _ := Subjects() // Run has read them before
	for _, s := range subjects {
		long := ""
		if s.Long {
			long = "with `-long` only"
		}
		fmt.Fprintf(m.Out, "| %s | %d | %s | %s |\n", s.Name, *s.Traces, s.Note, long)
	}
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
