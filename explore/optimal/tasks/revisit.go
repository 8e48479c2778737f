package tasks

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Contexts in optimal search over whole tasks: see package revisit. States are compared at
// stations.
//
// What is known of what follows a visit are the messages that are received there, or never, with
// what the facts say of their tasks, and the operations that are no deliveries. A message that has
// been sent is in the races that it is in. Of one that has not been sent, no more is known than
// that its sender, or the process of which that comes, is where it is: so it may be sent after less
// than it really is. To reverse a race, what comes first of the deliveries that do not happen after
// the earlier one is put into the tree, alone, or, if there are none, all that is possible.
//
// Why nothing is lost. The argument at package tasks asks for sequences that are put into trees as
// a whole, and for executions that go on to their ends. With contexts there are neither. So, for
// all stations c: each sequence w that is possible at c, and none of whose initials sleeps there,
// is the beginning of an execution through c, up to the order of what commutes, be it one that is
// cut off, or one that is run in thought. If none of its initials was explored at c, let q be what
// was explored at c for which the part w(q) of w that commutes with it is longest, e the first
// delivery of w after that. An execution that begins with q, w(q), e, or with q, w(q), after which
// e is not possible, is known. There the race of q with e is found. What covers v, or begins it, is
//   - explored at c, and commutes with w(q) and e, or is in them: then w(q) was not longest, or an
//     initial was explored;
//   - or it sleeps at c and is a part of v. In w(q), e it would be an initial of w; else it slept
//     when it was taken.
//
// So v has to be put in even where a sleeper commutes with all of it and is no part of it. The
// price is executions in which nothing is left but what sleeps. In those, too, races are looked
// for.
//
// Whatever is no delivery is done as soon as possible because it is in no race. In an execution
// that is cut off it might be in one with what follows. If that cannot be excluded, the execution
// is run again, and goes on; and nothing is cut off there any more.
//
// Likewise if a plain task that follows sends to a channel that keeps the order, and that has been
// used before: then it may be that it is not what it is taken for.
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

// left says which processes have left a loop in state s, and what was the last that each did there.
// ok is false if a plain task is under way.
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

// follow notes what follows the visits on the way of x. If x has been cut off at one, it reports
// whether it must not be: what follows there may be in a race that is none of deliveries.
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

// followEvent notes event k, which station number at has led to, or is.
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
func (d *Search) isPlain(q, k int32) bool {
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

// ahead lists events of process q, or that it comes from, that whatever it does in event k comes
// after, in the order of the program.
func (d *Search) ahead(x *trace.Execution, q, k int32) []int32 {
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

// past returns the processes that do something between the visit nearest to station number at
// and the given events, or in those, that happens before one of them.
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

// followEnd notes what is left when x ends.
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
		if c.Declared(revisit.Everywhere,
			revisit.Later{Proc: int32(q), Op: p.Pending, Past: past}); !revisit.Numbered(
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

// disturbed reports whether an operation that follows the visit where x has been cut off, and is
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

func (d *Search) disturbs(x *trace.Execution, l *revisit.Later) bool {
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

// comesAfter reports whether it is sure that l comes after event k, or is sent after it if it is a
// message.
func (d *Search) comesAfter(x *trace.Execution, l *revisit.Later, k int32) bool {
	follows := func(p int32) bool {
		last := d.after(x, p)
		return k == last || d.Order.Before(k, last)
	}
	for p := range int32(len(x.Procs)) {
		if l.Past.Has(p) && follows(p) {
			return true
		}
	}
	return follows(l.Proc) || l.Whole && !l.Fresh && d.hasDone(x, l.Proc, k)
}

// hasDone reports whether event k happens before something that process q has done in x.
func (d *Search) hasDone(x *trace.Execution, q, k int32) bool {
	return slices.ContainsFunc(d.intervals[q], func(v interval) bool {
		return k == v.last || d.Order.Before(k, v.last)
	})
}

// after returns the last event that whatever process q does after x happens after, as far as that
// is sure; -1: none.
func (d *Search) after(x *trace.Execution, q int32) int32 {
	list := d.intervals[q]
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].plain() {
			return list[i].last
		}
	}
	return x.Procs[q].Born - 1
}

// again has the execution that was cut off go on, with the branches of the station where it was.
func (d *Search) again(guide wakeup.Tree[turn]) {
	d.regain, d.more = guide, true
}

// findContext puts into the trees what is asked for by the races of x, if that has been cut off at
// a visit, with what follows there.
func (d *Search) findContext(x *trace.Execution) {
	c := &d.Context
	if c.Here == nil {
		return
	}
	d.countMeeting()
	if c.Merge(c.Here); c.Hasty {
		return
	}
	for _, l := range c.Here.Later {
		switch {
		case l.Mail == nil:
		case l.Mail.Task == nil:
			d.reverseNever(x, &l)
		default:
			d.reverseLater(x, &l)
		}
	}
}

// reverseLater is reverse for a message that is delivered at some time after x.
func (d *Search) reverseLater(x *trace.Execution, l *revisit.Later) {
	// that are in a race with it, and the later races of which are found where that is reversed
	var sure []int
	for i := len(d.stack) - 1; i >= 0; i-- {
		t, exact := d.candidate(x, i, l)
		if t == nil || d.commute(t, d.stack[i].task) && !d.takesPlace(i, l.Mail.Task.(*task)) ||
			slices.ContainsFunc(sure, func(k int) bool { return d.ordered(i, k) }) {
			continue
		}
		if exact && !d.commute(t, d.stack[i].task) {
			sure = append(sure, i)
		}
		d.raceBeyond(x, i)
	}
}

// takesPlace reports whether the task at station i may have taken the last round of its loop that
// was left for t, which has been received elsewhere.
func (d *Search) takesPlace(i int, t *task) bool {
	n := d.stack[i].task
	return n.rounds && (!t.plain || t.facts.Place != n.facts.Place)
}

// reverseNever is reversePending for a message that nobody receives after x. That a task is the
// last one of its loop is not known yet.
func (d *Search) reverseNever(x *trace.Execution, l *revisit.Later) {
	i := len(d.stack) - 1
	for i >= 0 && !accepts(&d.stack[i].op, l.Mail.Box) {
		i--
	}
	if i < 0 || d.stack[i].task.plain && !d.stack[i].task.rounds {
		return
	}
	for c := i; c >= 0; c-- {
		if d.possible(x, c, l) && (c == i || d.stack[i].task.plain && d.sameLoop(c, i)) {
			d.raceBeyond(x, c)
		}
	}
}

// sent returns the message, if it has been sent in x, else nil.
func (d *Search) sent(l *revisit.Later) *deliveries.Post {
	if i, ok := d.mail.Index[trace.Message{Sender: l.Proc, Number: l.Mail.Number}]; ok && !l.Fresh {
		return &d.mail.Posts[i]
	}
	return nil
}

// possible reports whether a message may be delivered in the place of that at station i, as far as
// is known.
func (d *Search) possible(x *trace.Execution, i int, l *revisit.Later) bool {
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
// nil if it cannot be. exact: it is sure that the two are in a race if they do not commute as far
// as is known.
func (d *Search) candidate(x *trace.Execution, i int, l *revisit.Later) (t *task, exact bool) {
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

// raceBeyond puts into the tree of station i what comes first of all that does not happen after
// the delivery there.
func (d *Search) raceBeyond(x *trace.Execution, i int) {
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
			n.plant(d.taskOf(declaredBy(x, a.Proc, n.depth), a))
		}
	}
}

// explores reports whether the delivery of a name has been explored at n, will be, or sleeps.
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

// shorten drops, once, of what is to be put in briefly what its last delivery does not come after;
// everything, if that has been taken out. What else there is comes in the order of exploration, so
// that tasks that make no difference in the end are still taken one right after the other.
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

// Key implements receivingTask.
func (t *task) Key() string {
	return fmt.Sprint(t.facts.Place, t.facts.Handlers, t.plain, t.rounds)
}
