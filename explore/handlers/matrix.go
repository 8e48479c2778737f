package handlers

import (
	"cmp"
	"slices"
)

// Matrix counts the orders that were left out, by pair of handlers and fact. The zero value is
// empty.
type Matrix struct{ counts map[Why]int }

// Add counts one order.
func (m *Matrix) Add(w Why) {
	if m.counts == nil {
		m.counts = map[Why]int{}
	}
	if w.First.Handler > w.Second.Handler {
		w.First, w.Second = w.Second, w.First
	}
	m.counts[w]++
}

// Cell is one count.
type Cell struct {
	Why
	Count int
}

// Cells lists the counts, in the order of the handlers.
func (m *Matrix) Cells() []Cell {
	var out []Cell
	for w, n := range m.counts {
		out = append(out, Cell{w, n})
	}
	slices.SortFunc(out, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.First.Actor, b.First.Actor),
			cmp.Compare(a.First.Handler, b.First.Handler),
			cmp.Compare(a.Second.Handler, b.Second.Handler), cmp.Compare(a.Fact, b.Fact))
	})
	return out
}
