package tasks

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// again has the execution that was cut off go on, with the branches of the station at which it was.
func (d *Search) again(guide wakeup.Tree[turn]) {
	d.regain, d.more = guide, true
}

// findContext puts branches into the trees if the execution has been cut off at a visit: those that
// races with later operations ask for.
func (d races) findContext() {
	c := &d.Context
	if c.Here == nil {
		return
	}
	d.countMeeting()
	c.Merge(c.Here)
	if c.Hasty {
		return
	}
	for _, l := range c.Here.Later {
		switch {
		case l.Mail == nil:
		case l.Mail.Task == nil:
			d.reverseNever(&l)
		default:
			d.reverseLater(&l)
		}
	}
}

// reverseLater is reverse for a message that is delivered at some time after the execution.
func (d races) reverseLater(l *revisit.Later) {
	// stations whose deliveries are in a race with it; earlier races are found when that one is
	// reversed
	var sure []int
	for i := len(d.stack) - 1; i >= 0; i-- {
		t, exact := d.candidate(d.x, i, l)
		if t == nil || d.commute(t, d.stack[i].task) && !d.takesPlace(i, l.Mail.Task.(*task)) ||
			slices.ContainsFunc(sure, func(k int) bool { return d.ordered(i, k) }) {
			continue
		}
		if exact && !d.commute(t, d.stack[i].task) {
			sure = append(sure, i)
		}
		d.raceBeyond(i)
	}
}

// takesPlace reports whether the task at station i may have taken the last round of its loop that
// was left for t, which has been received by another receive.
func (d *course) takesPlace(i int, t *task) bool {
	n := d.stack[i].task
	return n.rounds && (!t.plain || t.facts.Place != n.facts.Place)
}

// reverseNever is reversePending for a message that nobody receives after the execution. It is not
// known yet which task is the last one of its loop.
func (d races) reverseNever(l *revisit.Later) {
	i := len(d.stack) - 1
	for i >= 0 && !accepts(&d.stack[i].op, l.Mail.Box) {
		i--
	}
	if i < 0 || d.stack[i].task.plain && !d.stack[i].task.rounds {
		return
	}
	for c := i; c >= 0; c-- {
		if d.possible(d.x, c, l) && (c == i || d.stack[i].task.plain && d.sameLoop(c, i)) {
			d.raceBeyond(c)
		}
	}
}

// sent returns the message, if it has been sent in x, else nil.
func (d *course) sent(l *revisit.Later) *deliveries.Post {
	if i, ok := d.mail.Index[trace.Message{Sender: l.Proc, Number: l.Mail.Number}]; ok && !l.Fresh {
		return &d.mail.Posts[i]
	}
	return nil
}

// possible reports whether a message may be delivered in the place of that at station i, as far as
// is known.
func (d *course) possible(x *trace.Execution, i int, l *revisit.Later) bool {
	n := d.stack[i]
	c := int32(n.depth)
	if !accepts(&n.op, l.Mail.Box) {
		return false
	}
	m := d.sent(l)
	if m == nil {
		e := &x.Events[c]
		overtakes := e.Cap == trace.Pairs && e.Obj == l.Mail.Box && e.Takes.Sender == l.Proc &&
			!l.Fresh
		return !overtakes && !d.comesAfter(x, l, c)
	}
	if d.Order.Before(c, m.Event) {
		return false
	}
	if m.Previous < 0 {
		return true
	}
	p := &d.mail.Posts[m.Previous]
	return !p.Delivered || p.Config != i && !d.ordered(i, p.Config)
}

// candidate returns the task of a message if it were delivered in the place of that at station i;
// nil if it cannot be. exact: the two are surely in a race, unless they are known to commute.
func (d *course) candidate(x *trace.Execution, i int, l *revisit.Later) (t *task, exact bool) {
	if !d.possible(x, i, l) {
		return nil, false
	}
	n := d.stack[i]
	if m := d.sent(l); m != nil {
		a := trace.Alt{Proc: n.alts[n.index].Proc, Partner: -1, Takes: m.Message}
		a.Case, _ = caseFor(&n.op, m.Box)
		return d.taskOf(&n.op, a), m.Previous < 0 || d.mail.Posts[m.Previous].Delivered
	}
	z := *l.Mail.Task.(*task)
	z.proc, z.mail, z.name = n.task.proc, -1, -1
	z.plain = z.plain && z.facts.Place == n.task.facts.Place
	return &z, x.Events[n.depth].Cap == trace.Bag && (!z.plain || !n.task.plain)
}

// raceBeyond puts into the tree of station i the first delivery that does not happen after the one
// there; if there is none, all deliveries of the state.
func (d races) raceBeyond(i int) {
	n := d.stack[i]
	var first *task
	var rest []int
	for k := i + 1; k < len(d.stack); k++ {
		t := d.stack[k].task
		if d.ordered(i, k) || t.final {
			continue
		}
		if !slices.ContainsFunc(rest, func(j int) bool { return d.ordered(j, k) }) {
			if n.explores(t.name) {
				return
			}
			if first == nil {
				first = t
			}
		}
		rest = append(rest, k)
	}
	if first != nil {
		n.plant(first)
		return
	}
	for _, a := range n.alts {
		if !n.explores(d.names.delivery(a)) {
			n.plant(d.taskOf(declaredBy(d.x, a.Proc, n.depth), a))
		}
	}
}

// countMeeting counts the last two tasks of the process that has taken a message last: their order
// has led to a state that has been explored.
func (d *Search) countMeeting() {
	var last []handlers.Ref // of the latest task, then of the one before
	for c := len(d.stack) - 1; c >= 0 && len(last) < 2; c-- {
		n, a := d.stack[c], d.stack[len(d.stack)-1]
		if alt := n.alts[n.index]; alt.Proc == a.alts[a.index].Proc {
			if f, ok := d.facts.DeliveryBy(&n.op, alt); ok {
				last = append(last, f.Handlers[0])
			}
		}
	}
	if len(last) == 2 && last[0].Actor == last[1].Actor {
		d.matrix.Add(handlers.Why{First: last[1], Second: last[0], Fact: "context"})
		d.met++
	}
}
