package tasks

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// judgement says what tasks are, and which of them commute, as far as the executions so far confirm
// the facts.
type judgement struct {
	facts      Facts
	names      names
	epoch      int                   // executions so far
	distrusted map[handlers.Ref]bool // their tasks are not what they are taken for
	ordering   map[handlers.Ref]bool // their tasks send to channels that keep the order
}

// Facts says which tasks commute. handlers.Classifier does.
type Facts interface {
	DeliveryBy(op *trace.Op, a trace.Alt) (d handlers.Delivery, ok bool)
	Hopeful(d *handlers.Delivery) bool
	Plain(d *handlers.Delivery) bool
	Commute(a, b *handlers.Delivery) (why handlers.Why, ok bool)
	InOrder(a, b *handlers.Delivery) bool
	Rounds(d *handlers.Delivery) (sends int, ok bool)
	Sent(m trace.Message) (value any, ok bool)
}

// refresh takes the value of t's message from the current execution, in which it has been sent:
// pointers and channels are not those of an earlier one.
func (d *judgement) refresh(t *task) {
	if t.epoch != d.epoch {
		t.facts.Value, _ = d.facts.Sent(d.names.named[t.mail])
		t.epoch = d.epoch
	}
}

// taskOf returns the task that delivery a begins. Its process has declared op.
func (d *judgement) taskOf(op *trace.Op, a trace.Alt) *task {
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

// commute reports whether two deliveries that are both possible in some state lead to the same
// state in either order.
func (d *judgement) commute(a, b *task) bool {
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

// orders reports whether t may send to a channel that keeps the order, to which another task sends,
// too.
func (d *judgement) orders(t *task) bool {
	return slices.ContainsFunc(t.facts.Handlers, func(r handlers.Ref) bool { return d.ordering[r] })
}
