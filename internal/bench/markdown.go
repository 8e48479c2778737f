package bench

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// notes explain how to read the page, and why its numbers differ from a paper's.
//
//go:embed notes.md
var notes string

// Markdown prints a page: how it was made, the notes, a table of strategies and subjects for each
// model, refinements with their targets, and what is not built. CSV writes everything that the runs
// have shown.
type Markdown struct {
	Out     io.Writer
	Command string // that made it
	rows    []Row
}

// Begin implements Table.
func (m *Markdown) Begin() {
	fmt.Fprint(m.Out,
		"# Benchmarks\n\nFor a reader who chooses a strategy, or compares papers: how many executions does each one need?\n\n")
	fmt.Fprintf(m.Out, "Made by `%s` with %s on\n%s/%s, %d processors; do not edit.\n\n", m.Command,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintln(m.Out, strings.TrimSpace(notes))
}

// Row implements Table.
func (m *Markdown) Row(r Row) { m.rows = append(m.rows, r) }

// End implements Table.
func (m *Markdown) End() {
	for _, model := range distinct(m.rows, func(r *Row) string { return r.Model }) {
		m.model(model)
	}
	if all := refinements(m.rows); len(all) > 1 {
		fmt.Fprint(m.Out, "\n## Refinements\n\n")
		m.table(all)
	}
	m.missing()
}

// model prints the runs under one model that have no refinement: a line for each program, a column
// for each variant.
func (m *Markdown) model(model string) {
	rows := slices.DeleteFunc(slices.Clone(m.rows), func(r Row) bool {
		return r.Model != model || r.Independence != ""
	})
	if len(rows) == 0 {
		return
	}
	variants := distinct(rows, (*Row).column)
	lines := [][]string{append([]string{"subject", "known"}, variants...)}
	for _, subject := range largest(rows) {
		line := make([]string, len(variants)+2)
		line[0], line[1] = subject, "?"
		for i := range rows {
			r := &rows[i]
			if r.Subject != subject {
				continue
			}
			line[2+slices.Index(variants, r.column())] = r.cell()
			if r.Tasks != "independent" { // for which fewer executions may be left
				line[1] = r.known()
			}
		}
		lines = append(lines, line)
	}
	fmt.Fprintf(m.Out, "\n## Executions under the model %s\n\n", model)
	m.table(lines)
}

// distinct is what of says of the rows, each word once, in order.
func distinct(rows []Row, of func(*Row) string) (list []string) {
	for i := range rows {
		if word := of(&rows[i]); !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// largest has one subject of each program: that of the largest size, which golden.json lists last.
func largest(rows []Row) (list []string) {
	program := func(subject string) string { name, _, _ := strings.Cut(subject, "("); return name }
	for _, subject := range distinct(rows, func(r *Row) string { return r.Subject }) {
		same := func(other string) bool { return program(other) == program(subject) }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i] = subject
		} else {
			list = append(list, subject)
		}
	}
	return list
}

// column names a variant at the head of a table: "transdpor stable, selected tasks".
func (r *Row) column() string {
	name := strings.TrimSpace(r.Strategy + " " + r.Order)
	if r.Tasks == "independent" {
		name += ", selected tasks"
	}
	return name
}

// cell says how many executions a run has needed: "12", "12+3" with 3 that were cut off, ">12" if
// it came to its budget. For a random strategy it says how many traces were seen, "12 of 1000". It
// is "-" if the strategy is not for the program.
func (r *Row) cell() string {
	if isEndless(r.Strategy) {
		return fmt.Sprintf("%s of %d", r.traces(), r.Executions)
	}
	if r.Refused {
		return "-"
	}
	text := bound(r.Executions, !r.Complete)
	if r.Blocked > 0 {
		text += fmt.Sprintf("+%d", r.Blocked)
	}
	return text
}

// table prints lines as a table; the first one is its head. Columns of numbers are flush right.
func (m *Markdown) table(lines [][]string) {
	m.line(lines[0])
	under := make([]string, len(lines[0]))
	for i := range under {
		under[i] = "---"
		if len(lines) > 1 && strings.ContainsAny(lines[1][i], "0123456789") && i > 0 {
			under[i] = "--:"
		}
	}
	m.line(under)
	for _, line := range lines[1:] {
		m.line(line)
	}
}

func (m *Markdown) line(cells []string) {
	fmt.Fprintf(m.Out, "| %s |\n", strings.Join(cells, " | "))
}

// missing says which subjects of the papers are not built; nothing if all are.
func (m *Markdown) missing() {
	if list := unbuilt(); len(list) > 0 {
		fmt.Fprintf(m.Out, "\n## What is not built yet\n\n- Subjects of the papers: %s.\n",
			strings.Join(list, ", "))
	}
}

// unbuilt are the papers' subjects that are no programs here yet, as printed.
func unbuilt() []string {
	subjects, _ := Subjects()
	var list []string
	for _, f := range papers() {
		here := slices.ContainsFunc(subjects, func(s Subject) bool { return s.Name == f.Subject })
		if !here && !slices.Contains(list, f.Printed) {
			list = append(list, f.Printed)
		}
	}
	return list
}
