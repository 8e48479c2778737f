package tasks

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// pick takes the first branch of n that can be taken. At a new station without any, it takes the
// first delivery that does not sleep. It returns -1 if there is none.
func (d *Search) pick(n *station, s *trace.State) int {
	for len(n.tree) > 0 {
		w := n.tree.Next()
		i := slices.IndexFunc(s.Alts, func(a trace.Alt) bool {
			return d.names.delivery(a) == w.Event.name && d.names.procs[a.Proc].name == w.Event.proc
		})
		d.lost = d.lost || i < 0
		if i >= 0 && !n.sleeps(w.Event.name) {
			d.guide = w.Take()
			return d.take(n, i, s)
		}
	}
	if len(n.done) == 0 {
		if i := d.free(n, s); i >= 0 {
			return d.take(n, i, s)
		}
	}
	d.barren = true
	return -1
}

// free returns the first delivery, in the order of exploration, that does not sleep; -1 if there is
// none.
func (d *Search) free(n *station, s *trace.State) int {
	best := -1
	d.ranks = d.rank.Rank(s, d.ranks[:0])
	for i, a := range s.Alts {
		if (best < 0 || d.ranks[i] < d.ranks[best]) && !n.sleeps(d.names.delivery(a)) {
			best = i
		}
	}
	return best
}

func (d *Search) take(n *station, i int, s *trace.State) int {
	a := s.Alts[i]
	n.index, n.op, n.task = i, *s.Procs[a.Proc], d.taskOf(s.Procs[a.Proc], a)
	n.op.Cases = slices.Clone(n.op.Cases)
	return i
}
