package handlers

import (
	"math"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// World is the execution under way, as far as tasks go. See package hook.
type World struct {
	Place      func(n int32) string                   // of Op.N of a Recv or a Select
	LaunchedAt func(proc int32) int32                 // the place of the go statement; 0: not known
	Sent       func(m trace.Message) (v any, ok bool) // into a mailbox
}

// Refinement says which facts count.
type Refinement struct {
	// neither task accesses what the other one writes (Theorem 2 of the paper named at facts.Task)
	Disjoint bool
	// updates that commute, writes of one value, and what facts.Condition says of the two messages
	Commute bool
}

// Classifier knows the tasks of the execution under way.
type Classifier struct {
	Table *Table
	world World
	model facts.Model
	allow Refinement
	known []receiver // by place
	hopes [][]hope   // by actor and handler
}

// hope says whether a handler commutes with any, as far as that has been asked.
type hope struct{ known, is bool }

// receiver says which actor receives at a place.
type receiver struct {
	seen  bool
	text  string
	actor int // -1: none
}

// NewClassifier returns a classifier for executions under a delivery model.
func NewClassifier(t *Table, w World, model facts.Model, allow Refinement) *Classifier {
	return &Classifier{Table: t, world: w, model: model, allow: allow}
}

func (c *Classifier) place(n int32) *receiver {
	for int(n) >= len(c.known) {
		c.known = append(c.known, receiver{})
	}
	r := &c.known[n]
	if !r.seen {
		r.seen, r.text, r.actor = true, c.world.Place(n), -1
		if a, ok := c.Table.Receiver(r.text); ok {
			r.actor = a
		}
	}
	return r
}

// Receiver returns the actor whose next task begins with op, a declared operation. ok is false
// unless op is one of an actor's receives between two tasks.
func (c *Classifier) Receiver(op *trace.Op) (actor int, ok bool) {
	if op == nil || op.Kind != trace.Recv && op.Kind != trace.Select || op.Place() <= 0 {
		return 0, false
	}
	a := c.place(op.Place()).actor
	return a, a >= 0
}

// Launched returns the actor that a process was started as; ok is false if there is none, or it is
// unknown.
func (c *Classifier) Launched(proc int32) (actor int, ok bool) {
	n := c.world.LaunchedAt(proc)
	if n <= 0 {
		return 0, false
	}
	return c.Table.Launched(c.place(n).text)
}

// Delivery is a message together with the receive that takes it.
type Delivery struct {
	Place    int32 // of the receive
	Value    any   // of the message
	Handlers []Ref // one of them is the class of the task, all are of one actor
}

// Delivery returns the delivery of a message by a declared operation. ok is false if its task is
// unknown: the message is in no mailbox, or op is no receive between two tasks of an actor.
func (c *Classifier) Delivery(op *trace.Op, m trace.Message) (d Delivery, ok bool) {
	return c.delivery(op, m, func(place string, v any) []Ref { return c.Table.Handlers(place, v) })
}

// DeliveryBy is Delivery for an alternative of op: it knows the case of the select.
func (c *Classifier) DeliveryBy(op *trace.Op, a trace.Alt) (d Delivery, ok bool) {
	return c.delivery(op, a.Takes, func(place string, v any) []Ref {
		return c.Table.HandlersOf(place, int(a.Case), v)
	})
}

func (c *Classifier) delivery(op *trace.Op, m trace.Message,
	handlers func(place string, v any) []Ref) (d Delivery, ok bool) {
	if _, ok = c.Receiver(op); !ok {
		return d, false
	}
	if d.Value, ok = c.world.Sent(m); !ok {
		return d, false
	}
	d.Place = op.Place()
	d.Handlers = handlers(c.place(op.Place()).text, d.Value)
	return d, len(d.Handlers) > 0
}

// Why is the reason why two tasks commute.
type Why struct {
	First, Second Ref
	// "disjoint", or what both change in a way that commutes, or the condition that holds
	Fact string
}

// Commute reports whether the tasks of two deliveries that one process takes at one place commute
// under the model, and why: run directly one after the other, they lead to the same state in either
// order.
func (c *Classifier) Commute(a, b *Delivery) (why Why, ok bool) {
	if len(a.Handlers) == 0 || len(b.Handlers) == 0 || a.Place != b.Place ||
		a.Handlers[0].Actor != b.Handlers[0].Actor {
		return why, false
	}
	for _, x := range a.Handlers {
		for _, y := range b.Handlers {
			fact, ok := c.pair(x, y, a.Value, b.Value)
			if !ok {
				return why, false
			}
			why = Why{x, y, fact}
		}
	}
	return why, true
}

// pair is Commute for one pair of handlers.
func (c *Classifier) pair(x, y Ref, first, second any) (fact string, ok bool) {
	p := c.Table.Pair(x, y)
	if c.shared(x) || c.shared(y) || !c.allow.Disjoint && !c.allow.Commute {
		return "", false
	}
	conflicts := p.Under(c.model)
	switch {
	case len(conflicts) == 0 && len(p.Commuting) == 0:
		return "disjoint", true
	case !c.allow.Commute:
		return "", false
	}
	texts := slices.Clone(p.Commuting)
	for _, f := range conflicts {
		i := slices.IndexFunc(f.Unless, func(a facts.Atom) bool { return a.Holds(first, second) })
		if i < 0 {
			return "", false
		}
		texts = append(texts, f.Unless[i].String())
	}
	return strings.Join(texts, ", "), true
}

// Sent returns the value of a message of the execution under way.
func (c *Classifier) Sent(m trace.Message) (v any, ok bool) { return c.world.Sent(m) }

// InOrder is Commute for tasks that both send to channels which keep the order of their messages.
func (c *Classifier) InOrder(a, b *Delivery) bool {
	strict := *c
	strict.model = facts.PairsModel
	_, ok := strict.Commute(a, b)
	return ok
}

// Hopeful reports whether there are tasks with which that of d may commute.
func (c *Classifier) Hopeful(d *Delivery) bool {
	return !slices.ContainsFunc(d.Handlers, func(r Ref) bool { return !c.hopeful(r) })
}

func (c *Classifier) hopeful(r Ref) bool {
	for len(c.hopes) <= r.Actor {
		c.hopes = append(c.hopes, make([]hope, len(c.Table.Program.Behaviours[len(c.hopes)].Tasks)))
	}
	h := &c.hopes[r.Actor][r.Handler]
	if !h.known {
		h.known = true
		for k := range c.hopes[r.Actor] {
			h.is = h.is || c.Table.Pair(r, Ref{r.Actor, k}).Verdict(c.model) != facts.Dependent
		}
		h.is = h.is && !c.shared(r)
	}
	return h.is
}

// Plain reports whether messages and goroutines are the only effects of d's task that others
// notice. Then the task does the same in any order with the steps of other processes.
func (c *Classifier) Plain(d *Delivery) bool {
	return !slices.ContainsFunc(d.Handlers, func(r Ref) bool {
		return slices.ContainsFunc(c.task(r).Operations, func(o facts.Operation) bool {
			return o.Kind != facts.Spawns
		})
	})
}

// Rounds tells the last task of d's loop from the steps after the loop, if the loop ends after a
// fixed number of messages. sends is the number of messages that each of its tasks sends; others
// notice no other effects of the task. It is math.MaxInt if others notice nothing after the loop up
// to the next receive. ok is false if there is no such loop, or the two cannot be told apart.
func (c *Classifier) Rounds(d *Delivery) (sends int, ok bool) {
	sends, ok = c.rounds(d.Handlers[0])
	return sends, ok && !slices.ContainsFunc(d.Handlers, func(r Ref) bool {
		n, known := c.rounds(r)
		return !known || n != sends
	})
}

func (c *Classifier) rounds(r Ref) (sends int, ok bool) {
	t := &c.Table.Program.Behaviours[r.Actor].Tasks[r.Handler]
	round := t.Round
	switch {
	case round == nil || !round.Same:
		return 0, false
	case round.Sent != nil:
		return *round.Sent, true
	}
	return math.MaxInt, len(round.Sends) == len(t.Sends) && noticed(round) == noticed(t)
}

// noticed counts the operations of t, except for the end of its loop.
func noticed(t *facts.Task) (n int) {
	for _, o := range t.Operations {
		if o.Kind != facts.Stops {
			n++
		}
	}
	return n
}

// shared reports whether a task accesses variables that other goroutines access. Facts about pairs
// are about the tasks of one actor; steps of other processes between two of them must not matter.
func (c *Classifier) shared(r Ref) bool {
	return slices.ContainsFunc(c.task(r).Accesses,
		func(a facts.Access) bool { return a.Shared.IsValid() })
}

func (c *Classifier) task(r Ref) *facts.Task {
	return c.Table.Program.Behaviours[r.Actor].Tasks[r.Handler].Followed()
}
