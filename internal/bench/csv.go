package bench

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CSV writes everything that the runs have shown into files of a directory, at the end. Their names
// begin with "bench-".
type CSV struct {
	Dir  string
	Err  error // of writing
	rows []Row
}

// Begin implements Table.
func (c *CSV) Begin() {}

// Row implements Table.
func (c *CSV) Row(r Row) { c.rows = append(c.rows, r) }

// End implements Table.
func (c *CSV) End() {
	if c.Err = os.MkdirAll(c.Dir, 0o777); c.Err != nil {
		return
	}
	for _, s := range sheets(c.rows) {
		if c.Err = s.write(c.Dir); c.Err != nil {
			return
		}
	}
}

// Tables are several that show the same rows.
type Tables []Table

// Begin implements Table.
func (l Tables) Begin() {
	for _, t := range l {
		t.Begin()
	}
}

// Row implements Table.
func (l Tables) Row(r Row) {
	for _, t := range l {
		t.Row(r)
	}
}

// End implements Table.
func (l Tables) End() {
	for _, t := range l {
		t.End()
	}
}

// sheet is a file of data; the first line is its head.
type sheet struct {
	name  string
	lines [][]string
}

func sheets(rows []Row) []sheet {
	return []sheet{
		{"bench-runs.csv", runs(rows)},
		{"bench-subjects.csv", known()},
		{"bench-papers.csv", printed(rows)},
		{"bench-selection.csv", factors(rows)},
		{"bench-refinements.csv", refinements(rows)},
	}
}

func (s *sheet) write(dir string) error {
	f, err := os.Create(filepath.Join(dir, s.name))
	if err != nil {
		return err
	}
	defer f.Close()
	return csv.NewWriter(f).WriteAll(s.lines)
}

// runs has all that columns shows, and what only files need.
func runs(rows []Row) [][]string {
	fields := slices.Concat(columns[:2], []column{
		{"variant", 0, func(r *Row) string { return r.Strategy }},
		{"independence", 0, func(r *Row) string { return r.Independence }},
	}, columns[3:], []column{
		{"distinct outcomes", 0, func(r *Row) string { return bound(r.Distinct, r.MoreDistinct) }},
		{"selection", 0, func(r *Row) string {
			c := r.Selection
			return fmt.Sprintf("%d/%d/%d/%d", c.States, c.Proved, c.Heuristic, c.Backtracked)
		}},
		{"refused", 0, func(r *Row) string { return yesNo(r.Refused) }},
		{"reason", 0, func(r *Row) string { return r.Reason }},
	})
	lines := make([][]string, len(rows)+1)
	for _, f := range fields {
		lines[0] = append(lines[0], f.title)
		for i := range rows {
			lines[i+1] = append(lines[i+1], f.cell(&rows[i]))
		}
	}
	return lines
}

// known has all subjects, also those that were not run.
func known() [][]string {
	lines := [][]string{{"subject", "go", "actor", "pairs", "independent", "why", "long"}}
	subjects, _ := Subjects() // Run has read them before
	for _, s := range subjects {
		lines = append(lines, []string{s.Name, number(s.Traces), number(s.known("actor")),
			number(s.known("pairs")),
			number(s.Independent), s.Note, yesNo(s.Long)})
	}
	return lines
}

// printed has the papers' tables, beside the runs of the same variants here.
func printed(rows []Row) [][]string {
	lines := [][]string{{"table", "printed", "subject", "strategy", "order", "tasks",
		"paths/transitions", "here"}}
	for _, f := range papers() {
		there := strings.TrimSuffix(strings.TrimSuffix(f.String(), " "+f.Order), ",")
		lines = append(lines, []string{f.Table, f.Printed, f.Subject, f.Strategy, f.Order, f.Tasks,
			there,
			here(rows, &f)})
	}
	return lines
}

// ran is the run of a figure; nil if it was not made.
func ran(rows []Row, f *Figure) *Row {
	i := slices.IndexFunc(rows, func(r Row) bool {
		return r.Subject == f.Subject && r.Strategy == f.Strategy && r.Order == f.Order &&
			r.Tasks == f.Tasks && r.Model == "actor" && r.Independence == ""
	})
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// here is what the run of a figure has needed, empty if it was not made.
func here(rows []Row, f *Figure) string {
	r := ran(rows, f)
	if r == nil {
		return ""
	}
	text := fmt.Sprintf("%s/%d", bound(r.Executions, !r.Complete), r.Deliveries)
	if c := r.Selection; c.States > 0 {
		text += fmt.Sprintf(", %d states, %d heuristic, %d backtracked", c.States, c.Heuristic,
			c.Backtracked)
	}
	return text
}

// factors compares what actor and task selection need in the second paper and here.
func factors(rows []Row) [][]string {
	lines := [][]string{{"printed", "all", "independent", "factor", "states", "heuristic",
		"here, all", "here, independent", "here, factor", "cut off", "here, states",
		"here, heuristic",
		"backtracked", "distinct outcomes"}}
	for i, f := range papers() {
		if f.Tasks != "independent" {
			continue
		}
		all := papers()[i-1]
		there := []string{f.Printed, bound(all.Executions, all.Cut), bound(f.Executions, f.Cut),
			factor(all.Executions, f.Executions),
			pair(all.States, f.States), pair(*all.Heuristic, *f.Heuristic)}
		lines = append(lines, append(there, selected(ran(rows, &all), ran(rows, &f))...))
	}
	return lines
}

// selected is what the runs with all tasks, and with independent ones, have needed here; empty if
// they were not made.
func selected(all, left *Row) []string {
	if all == nil || left == nil {
		return make([]string, 8)
	}
	a, b, quotient := all.Selection, left.Selection, ""
	if all.Complete && left.Complete {
		quotient = factor(all.Executions, left.Executions)
	}
	return []string{bound(all.Executions, !all.Complete), bound(left.Executions, !left.Complete),
		quotient, pair(all.Blocked, left.Blocked),
		pair(a.States, b.States), pair(a.Heuristic, b.Heuristic),
		pair(a.Backtracked, b.Backtracked),
		bound(all.Distinct, !all.Complete || all.MoreDistinct)}
}

// pair is two numbers, the second one with task selection.
func pair(all, left int) string { return fmt.Sprintf("%d / %d", all, left) }

func factor(all, left int) string { return fmt.Sprintf("%.1f", float64(all)/float64(left)) }
