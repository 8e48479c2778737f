package strategy

import (
	"fmt"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// eager is what the searches over deliveries have in common: all steps but deliveries are done as
// soon as they are possible, and a program in which that matters is refused.
type eager struct {
	name    string // of the strategy
	instead string // the one that takes what it refuses
	order   depend.Order
	fair    explore.Fair
	refused *Refusal
	partial bool // some execution was longer than depend.MaxEvents
	crowded bool // the last step was no delivery, and others could have moved
}

// newEager returns what a search of a name begins with.
func newEager(name, instead string) eager {
	d := eager{name: name, instead: instead}
	d.fair.Patience = math.MaxInt32 // a long task keeps others waiting, and is right to
	return d
}

// step chooses a step that is no delivery, if there is one; ok is false if there is none. A step
// that has an alternative of its own is refused, and cuts the execution off.
func (d *eager) step(s *trace.State) (i int, ok bool) {
	held := false
	i = explore.OnwardBut(s, func(i int) bool {
		waits := s.Alts[i].Takes.Number == 0 && d.fair.Waits(&s.Alts[i])
		held = held || waits
		return waits || s.Alts[i].Takes.Number > 0
	})
	switch {
	case i < 0 && !held:
		return -1, false
	case i < 0:
		d.refuse(s.Events, -1, "a process polls")
	case s.Procs[s.Alts[i].Proc].Kind.Late() && len(s.Alts) > 1:
		d.refuseNext(s, i, "a timer fires while others can move")
	case another(s, i):
		d.refuseNext(s, i, "a %v has a choice that is none of messages", s.Procs[s.Alts[i].Proc].Kind)
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
func (d *eager) vet(x *trace.Execution) {
	otherRaces(&d.order, x, isDelivery, func(step int, format string, args ...any) { d.refuse(x.Events, step, format, args...) })
	d.vetEnd(x)
}

// vetEnd refuses x if it might have ended too early.
func (d *eager) vetEnd(x *trace.Execution) {
	refuse := func(step int, format string, args ...any) { d.refuse(x.Events, step, format, args...) }
	d.partial = d.partial || len(x.Events) > depend.MaxEvents
	if end := len(x.Events) - 1; final(x) && end >= 0 && end < depend.MaxEvents {
		if d.crowded { // what this strategy does at once might have come first
			refuse(end, "%s ends the program while others can move", x.Procs[x.Events[end].Proc].Name)
		}
		lateLogs(&d.order, x, int32(end), refuse)
	}
}

// otherRaces adds the events of x that o does not know yet, and tells of each race of them but
// those of a delivery with the send of another message: the step that came first, and what it is in
// a race with.
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

// lateLogs tells of what was logged in x before its last event, a crash or an exit, which might
// have come earlier.
func lateLogs(o *depend.Order, x *trace.Execution, end int32, tell func(step int, format string, args ...any)) {
	for k := range end {
		if x.Events[k].Kind == trace.Log && !o.Before(k, end) {
			tell(int(k), "a log of %s and the end of the program by %s may come in either order",
				x.Procs[x.Events[k].Proc].Name, x.Procs[x.Events[end].Proc].Name)
		}
	}
}

// isDelivery reports whether e delivers a message to a process that waits for messages and nothing
// else.
func isDelivery(e *trace.Event) bool {
	return e.Takes.Number > 0 && (e.Op.Kind == trace.Recv || !e.Op.Default && !slices.ContainsFunc(e.Op.Cases, notMail))
}

// notMail reports whether a case may do anything but deliver a message. One on a nil channel does
// nothing.
func notMail(c trace.Case) bool { return c.Obj >= 0 && (c.Kind != trace.Recv || !trace.Mailbox(c.Cap)) }

// Refused implements Picky.
func (d *eager) Refused() *Refusal { return d.refused }

// Partial implements the interface Partial.
func (d *eager) Partial() string {
	switch {
	case d.refused != nil:
		return d.refused.Why
	case d.partial:
		return fmt.Sprintf("of an execution, only the order of the first %d events is varied", depend.MaxEvents)
	}
	return ""
}

// refuse notes why the program is none for this strategy: because of a step of the execution whose
// events are given, -1 if it has not been done. The first reason is kept.
func (d *eager) refuse(events []trace.Event, step int, format string, args ...any) {
	if d.refused != nil {
		return
	}
	d.refused = &Refusal{Step: step, Why: fmt.Sprintf(
		"-strategy %s is for programs in which nothing but the order of deliveries matters, and here %s; use -strategy %s, "+
			"or mark the makes of mailboxes with //rehearse:mailbox",
		d.name, fmt.Sprintf(format, args...), d.instead)}
	for i := range events {
		d.refused.Choices = append(d.refused.Choices, events[i].Alt)
	}
}

// refuseNext is refuse for alternative i of s, which has not been done.
func (d *eager) refuseNext(s *trace.State, i int, format string, args ...any) {
	if d.refused == nil {
		d.refuse(s.Events, -1, format, args...)
		d.refused.Declared = 1 + s.Alts[i].Proc
	}
}
