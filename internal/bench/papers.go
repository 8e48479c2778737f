package bench

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"sync"
)

// The papers' tables:
//
//   - TransDPOR: S. Tasharofi, R. K. Karmani, S. Lauterburg, A. Legay, D. Marinov, G. Agha,
//     "TransDPOR: A Novel Dynamic Partial-Order Reduction Technique for Testing Actor Programs",
//     FMOODS/FORTE 2012: Fig. 1, Table 1, and Table 2 with sleep sets.
//   - FORTE 2014: E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies
//     for Pruning Redundant State-Exploration in Testing", FORTE 2014, Table 1. Its algorithm is
//     TransDPOR's with stable actors first; the second half of the table has task selection.
//
// Cells that the text of a paper leaves unreadable are not there. Column cut is "more" where an
// exploration did not end.
//
//go:embed papers.csv
var papersText []byte

// papers are all figures.
var papers = sync.OnceValue(func() []Figure { return readFigures(papersText) })

// readFigures reads a table that is a part of the program.
func readFigures(text []byte) []Figure {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		panic("bench: papers.csv: " + err.Error())
	}
	var list []Figure
	for _, r := range rows[1:] {
		list = append(list, Figure{
			Table: r[0], Printed: r[1], Subject: r[2], Strategy: r[3], Order: r[4], Tasks: r[5],
			Executions: count(r[6]), Transitions: count(r[7]), States: count(r[8]),
			Cut: r[9] == "more",
		})
		if r[10] != "" {
			n := count(r[10])
			list[len(list)-1].Heuristic = &n
		}
	}
	return list
}

// count is 0 for an empty cell.
func count(cell string) int {
	if cell == "" {
		return 0
	}
	n, err := strconv.Atoi(cell)
	if err != nil {
		panic("bench: papers.csv: " + err.Error())
	}
	return n
}

// figures are those of one run; none of one with a refinement, which no paper has. A run in the
// strategy's own order has those of all orders.
func figures(r *Row) []Figure {
	var list []Figure
	for _, f := range papers() {
		if r.Independence == "" && f.Subject == r.Subject && f.Strategy == r.Strategy &&
			f.Tasks == r.Tasks && (r.Order == "" || f.Order == r.Order) {
			list = append(list, f)
		}
	}
	return list
}

// String is "40/203 fifo": executions, transitions and states if they are printed, and the order.
func (f *Figure) String() string {
	s := fmt.Sprint(f.Executions)
	if f.Cut {
		s = ">" + s
	}
	if f.Transitions > 0 {
		s += fmt.Sprintf("/%d", f.Transitions)
	}
	if f.States > 0 {
		s += fmt.Sprintf(", %d states,", f.States)
	}
	return s + " " + f.Order
}
