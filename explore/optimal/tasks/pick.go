package tasks

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// pick takes the first branch of n that can be taken or, at a new station without any, what comes
// first; -1 if there is none.
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

// taskOf returns the task that delivery a begins, of what its process has declared.
func (d *Search) taskOf(op *trace.Op, a trace.Alt) *task {
	t := &task{name: d.names.delivery(a), proc: d.names.procs[a.Proc].name,
		mail: d.names.mails[a.Takes], which: a.Case}
	if f, ok := d.facts.DeliveryBy(op, a); ok && mailOnly(op) && d.facts.Hopeful(&f) &&
		d.facts.Plain(&f) {
		t.facts, t.epoch = f, d.epoch
		t.plain = !slices.ContainsFunc(f.Handlers,
			func(r handlers.Ref) bool { return d.distrusted[r] })
	}
	t.sends = math.MaxInt
	if t.plain {
		if n, ok := d.facts.Rounds(&t.facts); ok {
			t.rounds, t.sends = true, n
		}
	}
	d.names.bound(t.name, t.sends)
	return t
}

// commute reports whether two deliveries that are both possible in some state lead to the same in
// either order.
func (d *Search) commute(a, b *task) bool {
	if a.mail == b.mail {
		return false // two cases of a select
	}
	if a.proc != b.proc {
		return true
	}
	if !a.plain || !b.plain {
		return false
	}
	x, y := a.facts, b.facts
	if a.epoch != b.epoch {
		x.Value, y.Value = nil, nil // which cannot be compared
	}
	_, ok := d.facts.Commute(&x, &y)
	return ok && (!d.orders(a) && !d.orders(b) || d.facts.InOrder(&x, &y))
}

// orders reports whether t may send to a channel that keeps the order, as another task does.
func (d *Search) orders(t *task) bool {
	return slices.ContainsFunc(t.facts.Handlers, func(r handlers.Ref) bool { return d.ordering[r] })
}
