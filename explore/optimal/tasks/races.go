package tasks

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The races between deliveries of one execution, and the wakeup trees that they lead to.

// turn is the event of a node of a wakeup tree.
type turn struct {
	*task
	last bool // it is the last one of its loop there
}

type wake = wakeup.Node[turn]

// races is the search for the races of one execution.
type races struct {
	*Search
	x *trace.Execution
}

// reverseAll reverses all races.
func (d races) reverseAll() {
	d.mail.Read(d.x)
	for c, n := range d.stack {
		d.mail.Deliver(n.alts[n.index].Takes, c)
	}
	d.hash = d.hashOf()
	if last := len(d.stack) - 1; last >= 0 {
		d.stack[last].task.final = search.Final(d.x)
	}
	for i := range d.mail.Posts {
		m := &d.mail.Posts[i]
		switch {
		case m.Event >= depend.MaxEvents:
		case m.Delivered:
			d.reverse(m)
		case !d.barren, d.Context.Blocked():
			d.reversePending(m)
		}
	}
	for c := range d.stack {
		d.otherCases(c)
	}
	if search.Final(d.x) {
		d.reverseEnd()
	}
}

// hashOf computes the hash of the execution, from happens-before.
func (d *course) hashOf() (sum uint64) {
	hashes := make([]uint64, len(d.stack))
	for c, n := range d.stack {
		h := uint64(n.task.name) + 1
		for b := range c {
			if d.ordered(b, c) {
				h += spread(hashes[b])
			}
		}
		hashes[c] = spread(h)
		sum += spread(hashes[c] + 1)
	}
	return sum
}

// spread spreads a number over 64 bits.
func spread(h uint64) uint64 {
	h = (h ^ 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>31) * 0x94d049bb133111eb
	return h ^ h>>29
}

// ordered reports whether the delivery at station i happens before that at station k.
func (d *course) ordered(i, k int) bool {
	return d.Order.Before(int32(d.stack[i].depth), int32(d.stack[k].depth))
}

// reverse looks for the deliveries that race with that of m, and come before it.
func (d races) reverse(m *deliveries.Post) {
	var later []int // that might have taken m, too, and happen before its delivery
	for i := m.Config - 1; i >= 0; i-- {
		a, ok := d.instead(i, m)
		switch {
		case !ok:
		case !d.ordered(i, m.Config):
			d.count(i, m.Config)
		case !slices.ContainsFunc(later, func(k int) bool { return d.ordered(i, k) }):
			later = append(later, i)
			d.insert(i, m, d.taskOf(&d.stack[i].op, a))
		}
	}
}

// count counts that the tasks at two stations are run in one order only.
func (d races) count(i, k int) {
	if a, b := d.stack[i].task, d.stack[k].task; k >= d.kept-1 && a.plain && b.plain {
		if why, ok := d.facts.Commute(&a.facts, &b.facts); ok {
			d.matrix.Add(why)
		}
	}
}

// reversePending looks for the delivery that took the place of m, which was never delivered: after
// that delivery nobody waited for m any more. If it was the last one of a loop, m might have come
// in the place of any delivery of that loop. If it commutes with others and is not the last one,
// somebody still waits, and a crash or an exit came before.
func (d races) reversePending(m *deliveries.Post) {
	i := len(d.stack) - 1
	for i >= 0 && !accepts(&d.stack[i].op, m.Box) {
		i--
	}
	if i < 0 || d.stack[i].task.plain && !d.stack[i].task.last {
		return
	}
	for c := i; c >= 0; c-- {
		if a, ok := d.instead(c, m); ok && (c == i || d.stack[i].task.plain && d.sameLoop(c, i)) {
			d.insert(c, m, d.taskOf(&d.stack[c].op, a))
		}
	}
}

// sameLoop reports whether the deliveries at stations i and k are taken by one receive of one
// process.
func (d *course) sameLoop(i, k int) bool {
	a, b := d.stack[i], d.stack[k]
	return a.task.proc == b.task.proc && sameOp(&a.op, &b.op)
}

// otherCases inserts the deliveries of the message taken at station c to other cases of the same
// select.
func (d races) otherCases(c int) {
	n := d.stack[c]
	for _, a := range n.alts {
		if taken := n.alts[n.index]; a.Takes == taken.Takes && a != taken {
			d.insert(c, d.mail.Of(a.Takes), d.taskOf(&n.op, a))
		}
	}
}

// reverseEnd inserts all deliveries that were possible when the task began that ended the
// execution: the end hides the events that would have followed.
func (d races) reverseEnd() {
	d.doubt = true
	last := len(d.stack) - 1
	if last < 0 {
		return
	}
	n := d.stack[last]
	for _, a := range n.alts {
		op := &d.x.Procs[a.Proc].Pending // nobody else has taken anything since
		if a.Proc == n.alts[n.index].Proc {
			op = &n.op
		}
		if a != n.alts[n.index] {
			d.insert(last, d.mail.Of(a.Takes), d.taskOf(op, a))
		}
	}
}

// instead returns the delivery of m in the place of the delivery at station i. ok is false if it
// was impossible there, because the receive takes from another mailbox, or m is sent after that
// delivery.
func (d *course) instead(i int, m *deliveries.Post) (a trace.Alt, ok bool) {
	n := d.stack[i]
	a = trace.Alt{Proc: n.alts[n.index].Proc, Partner: -1, Takes: m.Message}
	if a.Case, ok = caseFor(&n.op, m.Box); !ok || d.Order.Before(int32(n.depth), m.Event) {
		return a, false
	}
	if m.Previous >= 0 { // of the same sender, which must be taken first
		p := &d.mail.Posts[m.Previous]
		ok = p.Delivered && p.Config != i && !d.ordered(i, p.Config)
	}
	return a, ok
}

// accepts reports whether op receives from a mailbox.
func accepts(op *trace.Op, box int32) bool {
	_, ok := caseFor(op, box)
	return ok
}

// caseFor returns the case by which op receives from a mailbox.
func caseFor(op *trace.Op, box int32) (which int32, ok bool) {
	if op.Kind == trace.Recv {
		return 0, op.Obj == box
	}
	i := slices.IndexFunc(op.Cases, func(c trace.Case) bool {
		return c.Kind == trace.Recv && c.Obj == box
	})
	return int32(i), i >= 0
}

// insertion is v, a sequence on its way into a wakeup tree.
type insertion struct {
	d     *course
	depth int32 // of the station where it begins
	steps []step
	ended []int // loops that end in it, by the stations of their last tasks in the execution
	brief bool  // no more of it is put in than what the delivery that it is for comes after
}

// step is a delivery of a sequence.
type step struct {
	*task
	event int32 // of the execution; that of the last step, if it is moved, is none: -1
	// the station of it in the execution; of the last step, the one that it is to come before
	at int
	m  *deliveries.Post // of the last step
}

// insert inserts at station i the sequence that ends with t, the task of m. Before t come all
// deliveries that do not happen after that of station i.
func (d races) insert(i int, m *deliveries.Post, t *task) {
	n := d.stack[i]
	v := &insertion{d: &d.course, depth: int32(n.depth)}
	for k := i + 1; k < len(d.stack); k++ {
		if c := d.stack[k]; !d.ordered(i, k) && !(m.Delivered && m.Config == k) && !c.task.final {
			v.steps = append(v.steps, step{task: c.task, event: int32(c.depth), at: k})
		}
	}
	// The task that ended the execution ends it after the other deliveries of v, too.
	t.final = m.Delivered && m.Config != i && d.stack[m.Config].task.final
	v.steps = append(v.steps, step{task: t, event: -1, at: i, m: m})
	v.findEnds(i)
	// Below a weak initial of v that has been explored, here or above, v has been explored. If
	// states are met again, a sleeper counts only if it is a part of v: see Contexts.Strict.
	covers := func(z *task) bool { _, ok := v.initial(z, z.last); return ok }
	begins := func(z *task) bool {
		at, ok := v.initial(z, z.last)
		return ok && (at >= 0 || !d.Context.Strict())
	}
	if covers(n.task) || slices.ContainsFunc(n.sleep, begins) ||
		slices.ContainsFunc(n.done, covers) {
		return
	}
	v.brief = d.Context.Look != nil
	wakeup.Insert(&n.tree, v)
}

// Initial implements wakeup.Sequence. // WI(v)
func (v *insertion) Initial(w turn) bool {
	at, ok := v.initial(w.task, w.last)
	if ok && at >= 0 {
		v.steps = slices.Delete(v.steps, at, at+1)
	}
	if ok {
		v.shorten()
	}
	return ok
}

// Empty implements wakeup.Sequence.
func (v *insertion) Empty() bool { return len(v.steps) == 0 }

// Covers implements wakeup.Sequence.
func (v *insertion) Covers(w *wake) bool { return len(w.Below) == 0 }

// Chain implements wakeup.Sequence.
func (v *insertion) Chain(t *wakeup.Tree[turn]) {
	v.shorten()
	for i, s := range v.steps {
		t = &t.Add(turn{s.task, v.isLast(i)}).Below
	}
}

// findEnds finds the loops that end in v, which begins at station i: in v they take as many
// messages as in the execution.
func (v *insertion) findEnds(i int) {
	for k := i; k < len(v.d.stack); k++ {
		if n := v.d.stack[k]; n.task.plain && n.task.last {
			rounds := 0
			for c := i; c <= k; c++ {
				if v.d.sameLoop(c, k) {
					rounds++
				}
			}
			for _, s := range v.steps {
				if v.d.sameLoop(s.at, k) {
					rounds--
				}
			}
			if rounds == 0 {
				v.ended = append(v.ended, k)
			}
		}
	}
}

// isLast reports whether step i of v is the last one of a loop.
func (v *insertion) isLast(i int) bool {
	return slices.ContainsFunc(v.ended, func(k int) bool {
		in := func(s step) bool { return v.d.sameLoop(s.at, k) }
		return in(v.steps[i]) && !slices.ContainsFunc(v.steps[i+1:], in)
	})
}

// leaves reports whether a loop of the process of t ends in the rest of v.
func (v *insertion) leaves(t *task) bool {
	return slices.ContainsFunc(v.ended, func(k int) bool {
		return v.d.stack[k].task.proc == t.proc && slices.ContainsFunc(v.steps, func(s step) bool {
			return v.d.sameLoop(s.at, k)
		})
	})
}

// initial reports whether t is a weak initial of the sequence, and at which place it is there; -1:
// at none. last: t is the last one of its loop.
func (v *insertion) initial(t *task, last bool) (at int, ok bool) {
	at = slices.IndexFunc(v.steps, func(s step) bool { return s.mail == t.mail })
	switch {
	case at >= 0 && v.steps[at].name != t.name, t.final && (at < 0 || len(v.steps) > 1):
		return at, false
	case at < 0:
		t = v.known(t)
		return at, !v.leaves(t) && !slices.ContainsFunc(v.steps, func(s step) bool {
			return !v.d.commute(t, s.task) || last && s.proc == t.proc
		})
	}
	return at, !slices.ContainsFunc(v.steps[:at], func(s step) bool {
		return v.d.precedes(s, v.steps[at])
	})
}

// known returns t with its message of the current execution, if the message is sent there as in v.
func (v *insertion) known(t *task) *task {
	z := *t
	z.epoch = 0
	if m, ok := v.d.names.named[t.mail]; ok && !v.d.Order.Before(v.depth, v.d.mail.Of(m).Event) {
		v.d.refresh(&z)
	}
	return &z
}

// precedes reports whether step a of a sequence happens before step b, which comes later in it.
func (d *course) precedes(a, b step) bool {
	if b.event >= 0 {
		return d.Order.Before(a.event, b.event)
	}
	if d.Order.Before(a.event, b.m.Event) || !d.commute(a.task, b.task) {
		return true
	}
	if b.m.Previous < 0 {
		return false
	}
	p := int32(d.stack[d.mail.Posts[b.m.Previous].Config].depth)
	return a.event == p || d.Order.Before(a.event, p)
}
