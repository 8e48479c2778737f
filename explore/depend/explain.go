package depend

import (
	"cmp"
	"slices"
	"sync"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Race is a pair of steps of an execution, of different processes, each of which might have come
// first.
type Race struct {
	First int32 // the event that came first
	// the event of Proc that came second; -1: Proc has not done it when the execution ends
	Second int32
	Proc   int32  // a process of the second, which had declared it
	After  int32  // the event after which it was declared; -1: it was from the start
	Object int32  // what both act on
	Rule   string // why their order matters
}

// Races lists the races of x, ordered by their second steps and, among those of one step, latest
// first: pairs that interfere. A pair is left out if its first event happens before another event
// in conflict with the second step: that other conflict decides its order.
func Races(x *trace.Execution) (list []Race) {
	var o Order
	var conflicts []Conflict
	o.Sweep(x, func(q int32, op *trace.Op) {
		conflicts = o.Conflicts(x, q, op, conflicts[:0])
		after := o.Previous(x, q)
		second := int32(o.Len())
		if int(second) == len(x.Events) || !x.Events[second].Involves(q) {
			second = -1
		}
		for i, c := range conflicts {
			if !c.Race || between(&o.closure, c.Event, conflicts[:i]) {
				continue
			}
			obj, rule := reason(&x.Events[c.Event], op)
			list = append(list, Race{c.Event, second, q, after, obj, rule})
		}
	})
	return list
}

// between reports whether event i happens before one of list.
func between(c *closure, i int32, list []Conflict) bool {
	return slices.ContainsFunc(list, func(d Conflict) bool { return c.Before(i, d.Event) })
}

// Sweep adds the events of x that o does not know yet. Before it adds an event, it calls reverse
// for each of the event's operations: op, as process q declared it. At the end it calls reverse for
// the operations of processes that wait.
func (o *Order) Sweep(x *trace.Execution, reverse func(q int32, op *trace.Op)) {
	for k := o.Len(); k < len(x.Events); k++ {
		e := &x.Events[k]
		if op := Declared(e); k < MaxEvents && !IsBarrier(e) {
			reverse(e.Proc, &op)
		}
		if k < MaxEvents && e.Partner >= 0 {
			reverse(e.Partner, &e.PartnerOp)
		}
		o.Add(x)
		if k < MaxEvents && (e.Kind == trace.TimerStop || e.Kind == trace.TimerReset) {
			// the firing that it called off might have come first
			reverse(e.Op.Sleeping(), &trace.Op{Kind: trace.Fire, Obj: e.Obj, Cap: trace.Timers})
		}
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; len(x.Events) <= MaxEvents && !p.Ended &&
			p.Pending.Kind != trace.None {
			reverse(int32(q), &p.Pending)
		}
	}
}

// interfering lists the pairs of effects on one object that commute and yet interfere. The second
// effect stands for an operation that may have it.
var interfering = []rule{
	{met, met, "whoever comes first is the partner"},
	{met, counted, "len of an unbuffered channel is always 0"},
	{missedRecv, met, "a partner that has come makes the select's case ready"},
	{missedSend, met, "a partner that has come makes the select's case ready"},
	{picked, posted, "the receive might take this message, were it there"},
	{picked, picked, "either might take the other one's message"},
	{closed, received, "the close makes a receive possible"},
	{closed, picked, "the close makes a receive possible"},
}

// untakenCase is the reason why an operation interferes with a select, or its partner's select,
// that took another case.
const untakenCase = "it decides whether a case of the select is ready, or who meets it"

// reason returns the object through which op interferes with event a, and the rule. If op does not
// interfere, both mean nothing.
func reason(a *trace.Event, op *trace.Op) (obj int32, rule string) {
	if op.Kind != trace.Select {
		return op.Obj, reasonOn(a, op, false)
	}
	for _, c := range op.Cases {
		if c.Obj >= 0 && interferesOn(a, c.Obj, c.Cap, c.Kind, op.Default) {
			return c.Obj, reasonOn(a, &trace.Op{Kind: c.Kind, Obj: c.Obj, Cap: c.Cap}, op.Default)
		}
	}
	return -1, undecided
}

// reasonOn is Reason for one communication, or other operation.
func reasonOn(a *trace.Event, op *trace.Op, hasDefault bool) string {
	if op.Kind == trace.None { // see Declared
		return reasons()[effectOf(a)][overdone]
	}
	if a.Obj == op.Obj && op.Kind.OfStream() {
		did := why[effectOf(a)]
		return cmp.Or(did[streamed(op, true, true)], did[streamed(op, false, false)], undecided)
	}
	if a.Obj == op.Obj && hitBy(a, op.Cap, kindOf(op), hasDefault) {
		return reasons()[effectOf(a)][likely(op)]
	}
	for _, c := range a.Op.Cases {
		if a.Kind == trace.Default && c.Obj == op.Obj {
			return reasons()[missed(c)][likely(op)]
		}
	}
	return untakenCase
}

// likely returns the effect that op usually has.
func likely(op *trace.Op) effect {
	e := trace.Event{Op: *op, Kind: op.Kind, Obj: op.Obj, Cap: op.Cap, OK: true}
	if op.Cap != 0 {
		e.Partner = -1
	}
	return effectOf(&e)
}

// reasons is why, completed by the pairs that only interfere.
var reasons = sync.OnceValue(func() *[numEffects][numEffects]string {
	t := why
	for _, r := range interfering {
		t[r.a][r.b] = r.why
	}
	for a := range t {
		for b := range t {
			t[a][b] = cmp.Or(t[a][b], undecided)
		}
	}
	return &t
})
