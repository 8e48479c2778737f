package bench

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
)

// notes explain what the table shows.
//
//go:embed notes.md
var notes string

// Markdown prints a page: how it was made, the table, what was cut off, what is known of all subjects, the papers' tables beside
// the runs, refinements and their targets, what is not built.
type Markdown struct {
	Out     io.Writer
	Command string // that made it
	rows    []Row
}

// Begin implements Table.
func (m *Markdown) Begin() {
	fmt.Fprintf(m.Out, "# Benchmarks\n\nMade by `%s` with %s on %s/%s, %d processors; do not edit.\n\n", m.Command,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintln(m.Out, strings.TrimSpace(notes))
	fmt.Fprint(m.Out, "\n## Runs\n\n")
	m.cells(columns, func(c column) string { return c.title })
	m.cells(columns, func(c column) string {
		if c.width < 0 {
			return "---"
		}
		return "--:"
	})
}

// Row implements Table.
func (m *Markdown) Row(r Row) {
	m.rows = append(m.rows, r)
	m.cells(columns, func(c column) string { return c.cell(&r) })
}

func (m *Markdown) cells(columns []column, cell func(column) string) {
	var cells []string
	for _, c := range columns {
		cells = append(cells, cell(c))
	}
	m.line(cells...)
}

// line prints a line of a table.
func (m *Markdown) line(cells ...string) {
	fmt.Fprintf(m.Out, "| %s |\n", strings.Join(cells, " | "))
}

// End implements Table.
func (m *Markdown) End() {
	m.cut()
	m.known()
	m.printed()
	m.factors()
	m.refinements()
	m.missing()
}

// cut says which runs did not end, but for those that have no end.
func (m *Markdown) cut() {
	fmt.Fprint(m.Out, "\n## What was cut off\n\n")
	subjects, order := map[string][]string{}, []string{}
	for _, r := range m.rows {
		if r.Complete || slices.Contains(samplers, r.Strategy) {
			continue
		}
		key := strings.Join(strings.Fields(r.strategy()+" "+r.Order+" "+r.Model), ", ") + ": " + r.Reason
		if subjects[key] == nil {
			order = append(order, key)
		}
		subjects[key] = append(subjects[key], r.Subject)
	}
	for _, key := range order {
		fmt.Fprintf(m.Out, "- %s: %s.\n", key, strings.Join(subjects[key], ", "))
	}
	if len(order) == 0 {
		fmt.Fprintln(m.Out, "Nothing.")
	}
}

// known prints the table of all subjects, also of those that were not run.
func (m *Markdown) known() {
	fmt.Fprint(m.Out, "\n## What is known\n\n| subject | go | actor | pairs | independent | why | |\n|---|--:|--:|--:|--:|---|---|\n")
	subjects, _ := Subjects() // Run has read them before
	for _, s := range subjects {
		long := ""
		if s.Long {
			long = "with `-long` only"
		}
		m.line(s.Name, number(s.Traces), number(s.known("actor")), number(s.known("pairs")), number(s.Independent), s.Note, long)
	}
}

// number is empty for what is not known.
func number(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// printed prints the papers' tables, and what runs of the same variants have needed here.
func (m *Markdown) printed() {
	table := ""
	for _, f := range papers {
		if f.Table != table {
			table = f.Table
			fmt.Fprintf(m.Out, "\n## %s\n\n", table)
			m.line("printed", "subject", "strategy", "order", "tasks", "paths/transitions", "here")
			m.line("---", "---", "---", "---", "---", "--:", "--:")
		}
		m.line(f.Printed, f.Subject, f.Strategy, f.Order, f.Tasks, strings.TrimSuffix(strings.TrimSuffix(f.String(), " "+f.Order), ","), m.here(&f))
	}
}

// row is the run of a figure; nil if it was not made.
func (m *Markdown) row(f *Figure) *Row {
	i := slices.IndexFunc(m.rows, func(r Row) bool {
		return r.Subject == f.Subject && r.Strategy == f.Strategy && r.Order == f.Order && r.Tasks == f.Tasks && r.Model == "actor" && r.Independence == ""
	})
	if i < 0 {
		return nil
	}
	return &m.rows[i]
}

// here is what the run of a figure has needed, empty if it was not made.
func (m *Markdown) here(f *Figure) string {
	r := m.row(f)
	if r == nil {
		return ""
	}
	text := fmt.Sprintf("%s/%d", bound(r.Executions, !r.Complete), r.Deliveries)
	if c := r.Selection; c.States > 0 {
		text += fmt.Sprintf(", %d states, %d heuristic, %d backtracked", c.States, c.Heuristic, c.Backtracked)
	}
	return text
}

// factors compares what actor and task selection need in the second paper and here.
func (m *Markdown) factors() {
	fmt.Fprint(m.Out, "\n## Actor and task selection\n\n")
	m.line("printed", "all", "independent", "factor", "states", "heuristic",
		"here, all", "independent", "factor", "cut off", "states", "heuristic", "backtracked", "distinct outcomes")
	m.line("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:")
	for i, f := range papers {
		if f.Tasks != "independent" {
			continue
		}
		all := papers[i-1]
		there := []string{f.Printed, bound(all.Executions, all.Cut), bound(f.Executions, f.Cut), factor(all.Executions, f.Executions),
			pair(all.States, f.States), pair(*all.Heuristic, *f.Heuristic)}
		m.line(append(there, m.selected(m.row(&all), m.row(&f))...)...)
	}
}

// selected is what the runs with all tasks, and with independent ones, have needed here; empty if they were not made.
func (m *Markdown) selected(all, left *Row) []string {
	if all == nil || left == nil {
		return make([]string, 8)
	}
	a, b, quotient := all.Selection, left.Selection, ""
	if all.Complete && left.Complete {
		quotient = factor(all.Executions, left.Executions)
	}
	return []string{bound(all.Executions, !all.Complete), bound(left.Executions, !left.Complete), quotient, pair(all.Blocked, left.Blocked),
		pair(a.States, b.States), pair(a.Heuristic, b.Heuristic), pair(a.Backtracked, b.Backtracked), bound(all.Distinct, !all.Complete || all.MoreDistinct)}
}

// pair is two numbers, the second one with task selection.
func pair(all, left int) string { return fmt.Sprintf("%d / %d", all, left) }

func bound(n int, more bool) string {
	if more {
		return fmt.Sprintf(">%d", n)
	}
	return fmt.Sprint(n)
}

func factor(all, left int) string { return fmt.Sprintf("%.1f", float64(all)/float64(left)) }

// missing says what is planned.
func (m *Markdown) missing() {
	_, strategies := Strategies()
	_, models := options.Models()
	fmt.Fprint(m.Out, "\n## What is not built yet\n\n")
	nothing := true
	for _, list := range []struct {
		what  string
		names []string
	}{
		{"Strategies", strategies},
		{"Models", models},
		{"Subjects of the papers", unbuilt()},
	} {
		if len(list.names) > 0 {
			nothing = false
			fmt.Fprintf(m.Out, "- %s: %s.\n", list.what, strings.Join(list.names, ", "))
		}
	}
	if nothing {
		fmt.Fprintln(m.Out, "Nothing.")
	}
}

// unbuilt are the papers' subjects that are no programs here yet, as printed.
func unbuilt() []string {
	subjects, _ := Subjects()
	var list []string
	for _, f := range papers {
		here := slices.ContainsFunc(subjects, func(s Subject) bool { return s.Name == f.Subject })
		if !here && !slices.Contains(list, f.Printed) {
			list = append(list, f.Printed)
		}
	}
	return list
}
