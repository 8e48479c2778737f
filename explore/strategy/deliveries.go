package strategy

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// step chooses a step that is no delivery, if there is one; ok is false if there is none. A step that has an alternative of
// its own is refused, and cuts the execution off.
func (d *Deliveries) step(s *trace.State) (i int, ok bool) {
	held := false
	i = explore.OnwardBut(s, func(i int) bool {
		waits := s.Alts[i].Takes.Number == 0 && d.fair.Waits(s.Alts[i])
		held = held || waits
		return waits || s.Alts[i].Takes.Number > 0
	})
	switch {
	case i < 0 && !held:
		return -1, false
	case i < 0:
		d.refuse(s.Events, -1, "a process polls")
	case s.Procs[s.Alts[i].Proc].Kind.Late() && len(s.Alts) > 1:
		d.refuse(s.Events, -1, "a timer fires while others can move")
	case another(s, i):
		d.refuse(s.Events, -1, "a %v has a choice that is none of messages", s.Procs[s.Alts[i].Proc].Kind)
	default:
		d.crowded = len(s.Alts) > 1
		return i, true
	}
	return -1, true
}

// another reports whether a process of alternative i has one beside it.
func another(s *trace.State, i int) bool {
	for j, a := range s.Alts {
		if j != i && (a.Involves(s.Alts[i].Proc) || s.Alts[i].Partner >= 0 && a.Involves(s.Alts[i].Partner)) {
			return true
		}
	}
	return false
}

// vet refuses x if anything but deliveries is in a race in it.
func (d *Deliveries) vet(x *trace.Execution) {
	refuse := func(step int, format string, args ...any) { d.refuse(x.Events, step, format, args...) }
	d.partial = d.partial || len(x.Events) > depend.MaxEvents
	otherRaces(&d.order, x, isDelivery, refuse)
	if end := len(x.Events) - 1; final(x) && end >= 0 && end < depend.MaxEvents {
		if d.crowded { // what this strategy does at once might have come first
			refuse(end, "%s ends the program while others can move", x.Procs[x.Events[end].Proc].Name)
		}
		lateLogs(&d.order, x, int32(end), refuse)
	}
}

// otherRaces adds the events of x that o does not know yet, and tells of each race of them but those of a delivery with the send
// of another message: the step that came first, and what it is in a race with.
func otherRaces(o *depend.Order, x *trace.Execution, delivery func(*trace.Event) bool, tell func(step int, format string, args ...any)) {
	var conflicts []depend.Conflict
	o.Sweep(x, func(q int32, op *trace.Op) {
		conflicts = o.Conflicts(x, q, op, conflicts[:0])
		for _, c := range conflicts {
			if e := &x.Events[c.Event]; c.Race && !(delivery(e) && op.Kind == trace.Send && trace.Mailbox(op.Cap)) {
				tell(int(c.Event), "a %v of %s and a %v of %s may come in either order", e.Kind, x.Procs[e.Proc].Name, op.Kind, x.Procs[q].Name)
			}
		}
	})
}

// lateLogs tells of what was logged in x before its last event, a crash or an exit, which might have come earlier.
func lateLogs(o *depend.Order, x *trace.Execution, end int32, tell func(step int, format string, args ...any)) {
	for k := range end {
		if x.Events[k].Kind == trace.Log && !o.Before(k, end) {
			tell(int(k), "a log of %s and the end of the program by %s may come in either order",
				x.Procs[x.Events[k].Proc].Name, x.Procs[x.Events[end].Proc].Name)
		}
	}
}

// isDelivery reports whether e delivers a message to a process that waits for messages and nothing else.
func isDelivery(e *trace.Event) bool {
	return e.Takes.Number > 0 && (e.Op.Kind == trace.Recv || !e.Op.Default && !slices.ContainsFunc(e.Op.Cases, notMail))
}

func notMail(c trace.Case) bool { return c.Kind != trace.Recv || !trace.Mailbox(c.Cap) }

// findRaces is lines 3 to 8, for each message that the execution has delivered after what it shares with the one before, and
// for those that it has never delivered.
func (d *Deliveries) findRaces(x *trace.Execution) {
	d.order.Rewind(d.known())
	if d.vet(x); d.refused != nil {
		return
	}
	d.mail.read(x)
	for c, n := range d.stack {
		if n.taken == unknown || n.depth >= depend.MaxEvents {
			break
		}
		e := &x.Events[n.depth]
		if m := d.mail.deliver(e.Takes); c >= d.kept-1 {
			d.reverse(m, d.mail.last[m.box])
		}
		d.mail.accepted(&e.Op, c)
	}
	for i := range d.mail.posts {
		if m := &d.mail.posts[i]; !m.delivered && m.event < depend.MaxEvents {
			d.reverse(m, d.mail.last[m.box])
		}
	}
	if final(x) {
		d.reverseEnd()
	}
}

// known returns the number of events that the execution has in common with the one before.
func (d *Deliveries) known() int {
	if d.kept == 0 {
		return 0
	}
	return d.stack[d.kept-1].depth
}

// reverse is lines 4 to 7', for message m. At configuration i its actor took another one last that might have been m; -1: never.
func (d *Deliveries) reverse(m *post, i int) {
	if i < 0 || d.order.Before(int32(d.stack[i].depth), m.event) {
		return // all that its actor has got happens before m was sent
	}
	n := d.stack[i]
	if d.freezes && n.freeze {
		return
	}
	first, ok := d.initial(i, m)
	switch {
	case ok && d.whole:
		n.freeze = d.backtrackTo(n, n.receiverAt(first)) || n.freeze
	case ok:
		n.freeze = n.add(first, d.literal) || n.freeze
	case !d.freezes:
		n.addAll()
	}
}

// initial is E: what has to be delivered at configuration i so that m can come before what was delivered there; ok is
// false if that is nothing. // line 5
func (d *Deliveries) initial(i int, m *post) (first trace.Message, ok bool) {
	n := d.stack[i]
	if n.accepts(m.Message) {
		return m.Message, true
	}
	for _, after := range d.stack[i+1:] {
		if d.order.Before(int32(after.depth), m.event) {
			first = after.alts[after.taken].Takes
			return first, n.accepts(first)
		}
	}
	return first, false
}

// reverseEnd has all explored that is enabled where the task began that ended the execution. See DPOR.reverseEnd.
func (d *Deliveries) reverseEnd() {
	d.doubt = true
	if last := len(d.stack) - 1; last >= 0 {
		n := d.stack[last]
		n.addAll()
		n.final[n.taken] = true
	}
}

// mail is what was sent in an execution.
type mail struct {
	posts []post // in the order in which they were sent
	index map[trace.Message]int
	last  []int // by mailbox: the last configuration so far at which its receiver took a message from it, or might have; -1: none
}

// post is a message that was sent.
type post struct {
	trace.Message
	event     int32 // the send
	box       int32 // the mailbox
	delivered bool
}

// read takes down the messages of x.
func (w *mail) read(x *trace.Execution) {
	w.posts, w.index, w.last = w.posts[:0], map[trace.Message]int{}, w.last[:0]
	for k := range x.Events {
		e := &x.Events[k]
		if m := e.Message(); e.Kind == trace.Send && m.Number > 0 {
			w.index[m] = len(w.posts)
			w.posts = append(w.posts, post{Message: m, event: int32(k), box: e.Obj})
			for len(w.last) <= int(e.Obj) {
				w.last = append(w.last, -1)
			}
		}
	}
}

// deliver returns the message, which is delivered now.
func (w *mail) deliver(m trace.Message) *post {
	p := &w.posts[w.index[m]]
	p.delivered = true
	return p
}

// accepted notes that a message was taken at configuration c by op.
func (w *mail) accepted(op *trace.Op, c int) {
	if op.Kind == trace.Recv {
		w.last[op.Obj] = c
	}
	for _, o := range op.Cases {
		if int(o.Obj) < len(w.last) {
			w.last[o.Obj] = c
		}
	}
}
