// Package deliveries has the common parts of searches over deliveries, which only vary the message
// that an actor takes next.
//
// Vocabulary: a delivery is the receive of a message from a mailbox; a post is a message that was
// sent. All steps but deliveries are done as soon as they are possible, and a program in which
// their order matters is refused.
package deliveries

import (
	"fmt"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Eager is the common part of searches over deliveries. It does all steps but deliveries as soon as
// they are possible, and refuses a program in which that matters.
type Eager struct {
	Name    string // of the strategy
	instead string // the one that takes what it refuses
	Order   depend.Order
	Fair    explore.Fair
	Refusal *explore.Refusal
	partial bool // some execution was longer than depend.MaxEvents
	Crowded bool // the last step was no delivery, and others could have moved
}

// New returns the Eager of a search with a name.
func New(name, instead string) Eager {
	d := Eager{Name: name, instead: instead}
	d.Fair.Patience = math.MaxInt32 // a long task keeps others waiting, and is right to
	return d
}

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (d *Eager) SetSpins(n int) { d.Fair.Bound = n }

// Step chooses a step other than a delivery; ok is false if there is none. A step that has an
// alternative of its own is refused, and cuts the execution off.
func (d *Eager) Step(s *trace.State) (i int, ok bool) {
	held := false
	i = explore.OnwardBut(s, func(i int) bool {
		waits := s.Alts[i].Takes.Number == 0 && d.Fair.Waits(&s.Alts[i])
		held = held || waits
		return waits || s.Alts[i].Takes.Number > 0
	})
	switch {
	case i < 0 && !held:
		return -1, false
	case i < 0:
		d.Refuse(s.Events, -1, "a process polls")
	case s.Procs[s.Alts[i].Proc].Kind.Late() && len(s.Alts) > 1:
		d.refuseNext(s, i, "a timer fires while others can move")
	case search.Rivalled(s.Alts, s.Alts[i]):
		d.refuseNext(s, i, "a %v has a choice that is none of messages",
			s.Procs[s.Alts[i].Proc].Kind)
	default:
		d.Crowded = len(s.Alts) > 1
		return i, true
	}
	return -1, true
}

// Vet refuses x if anything but deliveries is in a race in it.
func (d *Eager) Vet(x *trace.Execution) {
	OtherRaces(&d.Order, x, IsDelivery, func(step int, format string, args ...any) {
		d.Refuse(x.Events, step, format, args...)
	})
	d.VetEnd(x)
}

// VetEnd refuses x if it might have ended too early.
func (d *Eager) VetEnd(x *trace.Execution) {
	refuse := func(step int, format string, args ...any) {
		d.Refuse(x.Events, step, format, args...)
	}
	d.partial = d.partial || len(x.Events) > depend.MaxEvents
	if end := len(x.Events) - 1; search.Final(x) && end >= 0 && end < depend.MaxEvents {
		if d.Crowded { // what this strategy does at once might have come first
			refuse(end, "%s ends the program while others can move",
				x.Procs[x.Events[end].Proc].Name)
		}
		LateLogs(&d.Order, x, int32(end), refuse)
	}
}

// OtherRaces adds the events of x that o does not know yet. It calls tell for each of their races,
// with the step that came first, except for races of a delivery with the send of another message.
func OtherRaces(o *depend.Order, x *trace.Execution, delivery func(*trace.Event) bool,
	tell func(step int, format string, args ...any)) {
	var conflicts []depend.Conflict
	o.Sweep(x, func(q int32, op *trace.Op) {
		conflicts = o.Conflicts(x, q, op, conflicts[:0])
		for _, c := range conflicts {
			if e := &x.Events[c.Event]; c.Race &&
				!(delivery(e) && op.Kind == trace.Send && trace.Mailbox(op.Cap)) {
				tell(int(c.Event), "a %v of %s and a %v of %s may come in either order", e.Kind,
					x.Procs[e.Proc].Name, op.Kind, x.Procs[q].Name)
			}
		}
	})
}

// LateLogs tells of lines that were logged in x before its last event, a crash or an exit, although
// that event might have come earlier.
func LateLogs(o *depend.Order, x *trace.Execution, end int32,
	tell func(step int, format string, args ...any)) {
	for k := range end {
		if x.Events[k].Kind == trace.Log && !o.Before(k, end) {
			tell(int(k), "a log of %s and the end of the program by %s may come in either order",
				x.Procs[x.Events[k].Proc].Name, x.Procs[x.Events[end].Proc].Name)
		}
	}
}

// IsDelivery reports whether e delivers a message to a process that waits for messages and nothing
// else.
func IsDelivery(e *trace.Event) bool {
	return e.Takes.Number > 0 &&
		(e.Op.Kind == trace.Recv || !e.Op.Default && !slices.ContainsFunc(e.Op.Cases, NotMail))
}

// NotMail reports whether a case may do anything but deliver a message. One on a nil channel does
// nothing.
func NotMail(c trace.Case) bool {
	return c.Obj >= 0 && (c.Kind != trace.Recv || !trace.Mailbox(c.Cap))
}

// Partial says what the search left out; empty: nothing.
func (d *Eager) Partial() string {
	switch {
	case d.Refusal != nil:
		return d.Refusal.Why
	case d.partial:
		return fmt.Sprintf("of an execution, only the order of the first %d events is varied",
			depend.MaxEvents)
	}
	return ""
}

// Refuse notes the reason why the strategy refuses the program: a step of the execution with the
// given events, -1 if it has not been done. The first reason is kept.
func (d *Eager) Refuse(events []trace.Event, step int, format string, args ...any) {
	if d.Refusal != nil {
		return
	}
	d.Refusal = &explore.Refusal{Step: step, Why: fmt.Sprintf(
		"-strategy %s is for programs in which nothing but the order of deliveries matters, and here %s; use -strategy %s, "+
			"or mark the makes of mailboxes with //rehearse:mailbox",
		d.Name, fmt.Sprintf(format, args...), d.instead)}
	for i := range events {
		d.Refusal.Choices = append(d.Refusal.Choices, events[i].Alt)
	}
}

// refuseNext is refuse for alternative i of s, which has not been done.
func (d *Eager) refuseNext(s *trace.State, i int, format string, args ...any) {
	if d.Refusal == nil {
		d.Refuse(s.Events, -1, format, args...)
		d.Refusal.Declared = 1 + s.Alts[i].Proc
	}
}
