package tasks

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in optimal search over whole tasks: see package revisit. States are compared at
// stations.
//
// A visit keeps the later messages that are received or never received, with what the facts say of
// their tasks, and the later operations that are no deliveries. The races of a message that has
// been sent are known. Of a message that has not been sent, one thing is known: where its sender,
// or the process from which the sender descends, is. So its known past may be smaller than its real
// one. A race is reversed by putting the first delivery that does not happen after the earlier one
// into the tree, alone; if there is none, all possible deliveries.
//
// Why nothing is lost. The argument at package tasks asks for sequences that are put into trees as
// a whole, and for executions that go on to their ends. With contexts there are neither. Instead,
// this holds for all stations c. Let w be a sequence that is possible at c and none of whose
// initials sleeps there. Then w begins an execution through c, up to the order of commuting events;
// that execution may be cut off, or run in thought. If no initial of w was explored at c, let q be
// the delivery explored at c for which w(q), the part of w that commutes with q, is longest. Let e
// be the first delivery of w after w(q). An execution that begins with q, w(q), e is known, or one
// that begins with q, w(q), after which e is not possible. There the race of q with e is found. If
// a delivery covers v, or begins it, then either
//   - it was explored at c, and commutes with w(q) and e, or is in them: then w(q) was not longest,
//     or an initial was explored;
//   - or it sleeps at c and is a part of v. If it is in w(q), e, it is an initial of w; else it
//     slept when it was taken.
//
// So v has to be put in even if a sleeper commutes with all of it and is no part of it. The price
// is executions in which only sleepers are left. Races are looked for in those, too.
//
// An operation that is no delivery is done as soon as possible because it is in no race. In an
// execution that is cut off it might be in a race with a later event. If that cannot be excluded,
// the execution is run again, and goes on; and nothing is cut off there any more.
//
// The same is done if a later plain task sends to a channel that keeps the order, and that has been
// used before: the task may not be plain.
//
// LIMITS: nothing is cut off while a plain task is under way.

// meets reports whether all that follows n, a new station of state s, has been explored. If not, n
// may have a visit.
func (d *Search) meets(n *station, s *trace.State) bool {
	c := &d.Context
	if c.Look == nil || s.Depth >= depend.MaxEvents {
		return false
	}
	left, ok := d.left(s)
	if !ok {
		return false
	}
	var sleep []revisit.Asleep
	for _, z := range n.sleep {
		alt := trace.Alt{Case: z.which, Partner: -1, Takes: d.names.named[z.mail]}
		sleep = append(sleep, revisit.Asleep{Alt: alt, Final: z.final, Last: z.last})
	}
	return c.Meets(&revisit.Visit{At: len(d.stack) - 1, Sleep: sleep, Left: left}, s)
}

// left lists the processes that have left a loop in state s, and the last task of each there. ok is
// false if a plain task is under way.
func (d *Search) left(s *trace.State) (list string, ok bool) {
	latest := make([]*station, len(s.Procs))
	for _, n := range d.stack[:len(d.stack)-1] {
		latest[n.alts[n.index].Proc] = n
	}
	for q, n := range latest {
		if n == nil || !n.task.plain || s.Procs[q] == nil || n.returned(s) {
			continue
		}
		if p := &d.names.procs[q]; !n.task.rounds || p.task == n.task.name && !d.names.over(p) {
			return "", false
		}
		list += fmt.Sprintln(q, n.task.facts.Place, n.task.facts.Handlers)
	}
	return list, true
}

// follow notes the events after the visits on the way of x. If x has been cut off at a visit, it
// reports whether it must not be: a later operation may be in a race that is not between
// deliveries.
func (d *Search) follow(x *trace.Execution) (again bool) {
	c := &d.Context
	if c.Look == nil {
		return false
	}
	c.Descend(x)
	d.mail.Read(x)
	from := 0
	if d.kept > 0 {
		from = d.stack[d.kept-1].depth
	}
	for k, at := from, -1; k < len(x.Events); k++ {
		for at+1 < len(d.stack) && d.stack[at+1].depth <= k {
			at++
		}
		d.followEvent(x, k, at)
	}
	d.followEnd(x)
	return c.Here != nil && d.disturbed(x)
}

// followEvent notes event k. Station number at is the last one up to it.
func (d *Search) followEvent(x *trace.Execution, k, at int) {
	c, e := &d.Context, &x.Events[k]
	if !revisit.Numbered(&e.Op) || !revisit.Numbered(&e.PartnerOp) {
		c.Obscure(at)
	}
	if at < 0 {
		return
	}
	plain := d.isPlain(e.Proc, int32(k))
	keeps := e.Kind == trace.Send && !trace.Mailbox(e.Cap) && plain
	c.Declared(at, revisit.Later{Proc: e.Proc, Op: depend.Declared(e), Keeps: keeps, Whole: !plain,
		Past: d.past(x, at, d.ahead(x, e.Proc, int32(k)))})
	if e.Partner >= 0 {
		c.Declared(at, revisit.Later{Proc: e.Partner, Op: e.PartnerOp,
			Past: d.past(x, at, d.ahead(x, e.Partner, int32(k)))})
	}
	if n := d.stack[at]; n.depth == k {
		t := *n.task
		t.facts.Value, t.epoch = nil, elsewhere
		d.followMail(x, at, d.mail.Of(e.Takes), &t)
	}
}

// isPlain reports whether event k of process q belongs to a plain task.
func (d *course) isPlain(q, k int32) bool {
	return slices.ContainsFunc(d.intervals[q], func(v interval) bool {
		return v.first <= k && k <= v.last && v.plain()
	})
}

// elsewhere is no execution.
const elsewhere = -1

// followMail notes that task t receives m after station number at; nil: nobody does.
func (d *Search) followMail(x *trace.Execution, at int, m *deliveries.Post, t *task) {
	past := d.past(x, at, []int32{m.Event})
	mail := &revisit.Parcel{Number: m.Number, Box: m.Box}
	if t != nil {
		mail.Task = t
	}
	d.Context.Declared(at, revisit.Later{Proc: m.Sender, Past: past, Mail: mail})
}

// ahead lists events of process q, or of the processes from which it descends, that come before
// event k of q in program order, independent of q's operation in k.
func (d *course) ahead(x *trace.Execution, q, k int32) []int32 {
	list := d.intervals[q]
	i := slices.IndexFunc(list, func(v interval) bool { return v.first <= k && k <= v.last })
	if i >= 0 && k > list[i].first {
		for k--; !x.Events[k].Involves(q); {
			k--
		}
		return []int32{k}
	}
	if i < 0 {
		i = len(list) // it has not been done
	}
	for i--; i >= 0; i-- {
		if !list[i].plain() {
			return []int32{list[i].last}
		}
	}
	return []int32{x.Procs[q].Born - 1}
}

// past returns the processes that take part in events since the visit nearest to station number at:
// the given events, and events that happen before these.
func (d *Search) past(x *trace.Execution, at int, events []int32) search.Procset {
	m := d.Context.Nearest(at)
	if m == nil || len(x.Events) > depend.MaxEvents {
		return nil
	}
	set, from := search.Procset(nil).Empty(len(x.Procs)), int32(d.stack[m.At].depth)
	add := func(k int32) bool {
		if k >= from {
			set.Add(x.Events[k].Proc)
			if p := x.Events[k].Partner; p >= 0 {
				set.Add(p)
			}
		}
		return true
	}
	for _, k := range events {
		if k >= from {
			add(k)
			depend.Each(d.Order.Row(k), add)
		}
	}
	return set
}

// followEnd notes the pending operations and messages at the end of x.
func (d *Search) followEnd(x *trace.Execution) {
	c := &d.Context
	if search.Final(x) || x.End == trace.Steps || len(x.Events) > depend.MaxEvents {
		c.Obscure(revisit.Everywhere)
	}
	for q := range x.Procs {
		p := &x.Procs[q]
		if p.Ended || p.Pending.Kind == trace.None {
			continue
		}
		past := d.past(x, revisit.Everywhere, d.ahead(x, int32(q), int32(len(x.Events))))
		c.Declared(revisit.Everywhere,
			revisit.Later{Proc: int32(q), Op: p.Pending, Past: past})
		if !revisit.Numbered(
			&p.Pending) {
			c.Obscure(revisit.Everywhere)
		}
	}
	if c.Here != nil {
		return // they may be received after it
	}
	for i, n := range d.stack {
		d.mail.Deliver(n.alts[n.index].Takes, i)
	}
	for i := range d.mail.Posts {
		if m := &d.mail.Posts[i]; !m.Delivered {
			d.followMail(x, revisit.Everywhere, m, nil)
		}
	}
}

// disturbed reports whether an operation after the visit at which x has been cut off, and that is
// no delivery, may be in a race with an event of x. Then nothing is cut off there any more.
func (d *Search) disturbed(x *trace.Execution) bool {
	c := &d.Context
	if slices.ContainsFunc(c.Here.Later, func(l revisit.Later) bool {
		return l.Mail == nil && d.disturbs(x, &l)
	}) {
		c.Here.Opaque = true
		c.Cuts--
		return true
	}
	return false
}

func (d *course) disturbs(x *trace.Execution, l *revisit.Later) bool {
	if l.Keeps && slices.ContainsFunc(x.Events, func(e trace.Event) bool {
		return depend.Touches(&e, l.Op.Obj)
	}) {
		return true
	}
	q := l.Proc
	if l.Fresh {
		q = search.Nobody
	}
	d.conflicts = d.Order.ConflictsAfter(x, d.after(x, l.Proc), q, &l.Op, d.conflicts[:0])
	return slices.ContainsFunc(d.conflicts, func(c depend.Conflict) bool {
		e := &x.Events[c.Event]
		return c.Race && !(deliveries.IsDelivery(e) &&
			(e.Proc == q && intervalBegins(&l.Op) ||
				l.Op.Kind == trace.Send && trace.Mailbox(l.Op.Cap))) &&
			!d.comesAfter(x, l, c.Event)
	})
}

// comesAfter reports whether l surely comes after event k or, if l is a message, is sent after it.
func (d *course) comesAfter(x *trace.Execution, l *revisit.Later, k int32) bool {
	follows := func(p int32) bool {
		last := d.after(x, p)
		return k == last || d.Order.Before(k, last)
	}
	for p := range int32(len(x.Procs)) {
		if l.Past.Has(p) && follows(p) {
			return true
		}
	}
	return follows(l.Proc) || l.Whole && !l.Fresh && d.hasDone(l.Proc, k)
}

// hasDone reports whether event k happens before an event of process q.
func (d *course) hasDone(q, k int32) bool {
	return slices.ContainsFunc(d.intervals[q], func(v interval) bool {
		return k == v.last || d.Order.Before(k, v.last)
	})
}

// after returns the last event that surely happens before each event of process q after x; -1:
// none.
func (d *course) after(x *trace.Execution, q int32) int32 {
	list := d.intervals[q]
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].plain() {
			return list[i].last
		}
	}
	return x.Procs[q].Born - 1
}

// explores reports whether the delivery with a name has been explored at n, will be, or sleeps.
func (n *station) explores(name int32) bool {
	return n.task.name == name || n.sleeps(name) || slices.ContainsFunc(n.tree, func(w *wake) bool {
		return w.Event.name == name
	})
}

// plant puts t into the tree of n, alone.
func (n *station) plant(t *task) { n.tree.Add(turn{t, t.rounds}) }

// declaredBy returns what process q has declared before event k of x.
func declaredBy(x *trace.Execution, q int32, k int) *trace.Op {
	for ; k < len(x.Events); k++ {
		if e := &x.Events[k]; e.Proc == q {
			return &e.Op
		}
	}
	return &x.Procs[q].Pending
}

// shorten drops, once, from a brief sequence all deliveries that do not happen before its last one;
// all, if the last one has been taken out. The rest comes in the order of exploration, so that
// tasks without influence on the end are still taken one right after the other.
func (v *insertion) shorten() {
	if !v.brief {
		return
	}
	v.brief = false
	last := len(v.steps) - 1
	if last < 0 || v.steps[last].m == nil {
		v.steps = nil
		return
	}
	kept := v.steps[last:]
	for i := last - 1; i >= 0; i-- {
		if slices.ContainsFunc(kept, func(s step) bool { return v.d.precedes(v.steps[i], s) }) {
			kept = append([]step{v.steps[i]}, kept...)
		}
	}
	v.steps = kept
}

// Key implements revisit.Task.
func (t *task) Key() string {
	return fmt.Sprint(t.facts.Place, t.facts.Handlers, t.plain, t.rounds)
}
