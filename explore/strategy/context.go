package strategy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Context-sensitive independence: E. Albert, P. Arenas, M. G. de la Banda, M. Gomez-Zamalloa, P. J. Stuckey, "Context-Sensitive
// Dynamic Partial Order Reduction", CAV 2017; with the summaries of Y. Yang, X. Chen, G. Gopalakrishnan, R. M. Kirby, "Efficient
// Stateful Dynamic Partial Order Reduction", SPIN 2008.
//
//	CAV 2017                       here
//	E                              a node of DPOR.stack
//	p, q                           two tasks of one actor, or any two events in a race
//	E.p.w.q and E.w.q.p            two executions with a meeting
//	s[E.p.w.q] = s[E.w.q.p]        Look
//	w.q.p in the sleep set of E    contexts.states has a meeting that is over
//	SPIN 2008                      here
//	visited states                 contexts.states
//	summary of a state             meeting.later
//	backtracking by a summary      DPOR.findContext, DPOR.raceBeyond
//
// Two tasks may commute where they are, although they do not everywhere: two results of which the maximum is taken, say. Both
// orders are run, once; the second one comes to a state that the first one has been in, and all that can follow that has been
// explored. So it is cut off there.
//
// Deviations. The paper runs w.q.p once to compare the states, puts the sequence to sleep at E, and recognises it where it would
// be run again. Here not the sequence is kept, but the state that it leads to: whatever leads there is cut off, be it another
// order of two tasks or of more. States are compared between two tasks only. The paper cuts off without a summary, since the races
// with what follows have been found in the first order, from E. Not so where any equal states meet: what follows may have another
// past in the two executions. TestTrapContext has what is lost without one.
//
// Why nothing is lost. Let an execution be cut off at t, which equals s, from which all has been explored but what sleeps
// there. What sleeps at s sleeps at t, too. So whatever has to be explored from t has been explored from s, as sequences of the
// same alternatives, for all things are called the same in equal states. What is left is that those sequences, done at t, are in
// races with the events that lead to t, which are not those that lead to s. So they are run in thought. For s it is known which
// processes declare what in all that follows (the summary), in executions that were cut off, too. Of each such operation the
// conflicts with the events before t are looked up as if it were declared at t; if its process does not exist there, as if that
// of which it comes declared it. In truth more happens before it than is taken for granted so: races may be found that are
// none, and none is missed. Where a race is to be reversed at a node, the events before t that do not happen after it tell an
// initial; if there are none, the initials are not known, and all that is enabled is explored.
//
// So, by induction over the meetings in the order in which they are over, the argument of dpor.go holds as if what is cut off
// had been run. The ends of executions, the log, and the findings are functions of states. Races of memory accesses are not: they
// are looked for in the executions that are run.
//
// LIMITS: what follows s is not known well enough if there is anything in it but operations on channels, locks, tests and the log
// (a timer, an atomic operation, a select with default, ...), a panic, an exit, or a process that polls and is held back. Then
// nothing is cut off at s. States and their summaries are kept in memory until the exploration ends.

// Look identifies the present state. why is why it cannot be compared; empty: it can. Equal states have reported the same, and have
// the same future, in which processes, messages and objects have the same numbers.
type Look func() (state [16]byte, why string)

// contexts lets dpor with sleep sets cut off executions that come to a state from which all has been explored.
type contexts struct {
	look    Look                    // nil: nothing is cut off
	states  map[[16]byte][]*meeting // those with one state differ in what sleeps there
	here    *meeting                // which the execution under way has come to, and is cut off at; nil: none
	parents []int32                 // of the processes of the last execution
	nested  nested
	looked  int            // states that were to be compared
	unknown map[string]int // of them, those that could not be, by why
	cuts    int            // executions that were cut off
	hasty   bool           // races with what follows a meeting are not looked for: for the test of that trap
}

// meeting is a state in which the process that moved last is between two tasks.
type meeting struct {
	sleep  []asleep
	procs  int               // that there are
	over   bool              // all that follows has been explored
	opaque bool              // what follows may be in a race with anything
	later  []later           // what processes declare in what follows
	known  map[laterKey]bool // the keys of that
}

// asleep is a sleeper, as far as that tells what is left out.
type asleep struct {
	alt         trace.Alt
	final       bool
	task, apart bool // see sleepingTask
}

// later is an operation that is declared after a meeting.
type later struct {
	proc  int32 // a process that there is at the meeting
	fresh bool  // it is not this one that declares it, but one that comes from it
	op    trace.Op
}

// laterKey tells apart what may be in other races.
type laterKey struct {
	proc   int32
	fresh  bool
	kind   trace.Kind
	obj, n int32  // n only where it matters
	cases  string // of a Select
}

func newContexts(look Look) contexts {
	return contexts{look: look, states: map[[16]byte][]*meeting{}, unknown: map[string]int{}}
}

// forget drops all meetings.
func (c *contexts) forget() {
	clear(c.states)
	c.here = nil
}

// meets reports whether all that follows n, a new node of state s, has been explored. If not, n has a meeting.
func (d *DPOR) meets(n *node, s *trace.State) bool {
	c := &d.context
	switch {
	case c.look == nil:
		return false
	case n.held:
		c.obscure(d.stack)
		return false
	case !resting(s):
		return false
	}
	c.looked++
	state, why := c.look()
	if why != "" {
		c.unknown[why]++
		return false
	}
	m := newMeeting(n, s)
	for _, before := range c.states[state] {
		if before.over && !before.opaque && before.covers(m) {
			c.here = before
			c.cuts++
			d.refine.meets(s)
			return true
		}
	}
	n.meeting = m
	c.states[state] = append(c.states[state], m)
	return false
}

// resting reports whether the process that moved last is between two tasks, or has ended.
func resting(s *trace.State) bool {
	if s.Last < 0 {
		return false
	}
	op := s.Procs[s.Last]
	return op == nil || op.Kind == trace.Recv || op.Kind == trace.Select
}

func newMeeting(n *node, s *trace.State) *meeting {
	m := &meeting{procs: len(s.Procs), known: map[laterKey]bool{}}
	for _, z := range n.sleep {
		m.sleep = append(m.sleep, asleep{z.event.Alt, z.final, z.task != nil, z.task != nil && z.task.apart})
	}
	return m
}

// covers reports whether what has to be explored from m, which has the same state, has to be explored from b, too: what sleeps at b
// sleeps at m, and as deeply.
func (b *meeting) covers(m *meeting) bool {
	return !slices.ContainsFunc(b.sleep, func(z asleep) bool {
		return !slices.ContainsFunc(m.sleep, func(y asleep) bool {
			return y.alt == z.alt && y.final == z.final && y.apart == z.apart && (y.task || !z.task)
		})
	})
}

// nearest returns the last meeting among the first nodes of a stack; nil if there is none.
func nearest(stack []*node) *meeting {
	for i := len(stack) - 1; i >= 0; i-- {
		if m := stack[i].meeting; m != nil {
			return m
		}
	}
	return nil
}

// obscure notes that it is not known what follows the nodes of stack.
func (c *contexts) obscure(stack []*node) {
	if m := nearest(stack); m != nil {
		m.opaque = true // and when it is over, those before it
	}
}

// follow notes, for the meetings on the way of x, which processes come from which, and whether something new follows that may be in
// a race with anything.
func (d *DPOR) follow(x *trace.Execution) {
	c := &d.context
	if c.look == nil {
		return
	}
	c.parents = c.parents[:0]
	for i := range x.Procs {
		p := &x.Procs[i]
		c.parents = append(c.parents, p.Parent)
		if !p.Ended && !numbered(&p.Pending) {
			c.obscure(d.stack)
		}
	}
	for k := d.kept; k < len(x.Events); k++ {
		if e := &x.Events[k]; !numbered(&e.Op) || !numbered(&e.PartnerOp) {
			c.obscure(d.stack[:k+1])
		}
	}
	if final(x) || x.End == trace.Steps || len(x.Events) > depend.MaxEvents {
		c.obscure(d.stack)
	}
}

// numbered reports whether op acts on an object whose number is a part of the state, or on none. It is a flat table.
func numbered(op *trace.Op) bool {
	switch op.Kind {
	case trace.None, trace.Yield, trace.Draw, trace.Pick, trace.Log, trace.End, trace.Join:
		return true
	case trace.Send, trace.Recv, trace.Close, trace.Len:
		return op.Cap != trace.Timers
	case trace.Select:
		return !op.Default && !slices.ContainsFunc(op.Cases, func(c trace.Case) bool { return c.Cap == trace.Timers })
	case trace.Lock, trace.TryLock, trace.Unlock, trace.WLock, trace.WWait, trace.WTryLock, trace.WUnlock, trace.RLock, trace.RTryLock,
		trace.RUnlock, trace.WgAdd, trace.WgWait, trace.Once, trace.OnceDone, trace.CondEnter, trace.CondWait, trace.CondSignal,
		trace.CondBroadcast:
		return true
	}
	return false
}

// declared notes that process q of the execution that is looked at declares op, before its event number k.
func (d *DPOR) declared(q int32, op *trace.Op, k int) {
	if d.context.look == nil || op.Kind == trace.None {
		return
	}
	if m := nearest(d.stack[:min(k+1, len(d.stack))]); m != nil {
		d.context.add(m, later{proc: q, op: *op})
	}
}

func (l *later) key() laterKey {
	k := laterKey{proc: l.proc, fresh: l.fresh, kind: l.op.Kind, obj: l.op.Obj}
	switch l.op.Kind {
	case trace.Select:
		k.cases = fmt.Sprint(l.op.Cases)
	case trace.WgAdd, trace.CondWait:
		k.n = l.op.N
	}
	return k
}

// add notes that l is declared after m.
func (c *contexts) add(m *meeting, l later) {
	for int(l.proc) >= m.procs {
		l.proc, l.fresh = c.parents[l.proc], true
	}
	switch k := l.key(); {
	case l.proc < 0:
		m.opaque = true
	case !m.known[k]:
		l.op.Cases = slices.Clone(l.op.Cases)
		m.later, m.known[k] = append(m.later, l), true
	}
}

// merge adds what follows b to what follows the last meeting of stack.
func (c *contexts) merge(stack []*node, b *meeting) {
	m := nearest(stack)
	if m == nil {
		return
	}
	m.opaque = m.opaque || b.opaque
	for _, l := range b.later {
		c.add(m, l)
	}
}

// leave notes that all that follows n, which came after stack, has been explored.
func (c *contexts) leave(stack []*node, n *node) {
	if n.meeting == nil {
		return
	}
	c.merge(stack, n.meeting)
	n.meeting.over, n.meeting = true, nil
}

// findContext adds to the backtrack sets what is asked for by the races of x, if that has been cut off at a meeting, with
// what follows there.
func (d *DPOR) findContext(x *trace.Execution) {
	c := &d.context
	if c.here == nil || c.hasty {
		return
	}
	c.merge(d.stack, c.here)
	for _, l := range c.here.later {
		q := l.proc
		if l.fresh {
			q = nobody
		}
		for _, f := range d.order.ConflictsAfter(x, d.order.Previous(x, l.proc), q, &l.op, nil) {
			if f.Race {
				d.raceBeyond(x, f.Event, l.proc)
			}
		}
	}
}

// raceBeyond is race, where the second event is one of process q, or of one that comes from it, at some time after x.
func (d *DPOR) raceBeyond(x *trace.Execution, i, q int32) {
	n, k := d.stack[i], int32(d.order.Len())
	if d.covered(n, x, i, k) {
		return
	}
	if e := d.firstOf(x, i, k, q); e != nil {
		n.add(n.lighter(e.Alt))
		return
	}
	n.backtrack.addAll(n.enabled)
	n.todo = true
}

// meets counts the last two tasks of the process that moved last: their order has led to a state that has been explored.
func (r *refiner) meets(s *trace.State) {
	if r.tasks == nil {
		return
	}
	var last []handlers.Ref // of the latest task, then of the one before
	for k := len(s.Events) - 1; k >= 0 && len(last) < 2; k-- {
		if e := &s.Events[k]; e.Proc == s.Last && e.Takes.Number > 0 {
			if t, ok := r.tasks.DeliveryBy(&e.Op, e.Alt); ok {
				last = append(last, t.Handlers[0])
			}
		}
	}
	if len(last) == 2 && last[0].Actor == last[1].Actor {
		r.matrix.Add(handlers.Why{First: last[1], Second: last[0], Fact: "context"})
		r.met++
	}
}

// Contexts says how often executions were cut off at states from which all had been explored.
type Contexts struct {
	Cuts    int            // executions that were
	Listed  int            // of them, those that Pruned has
	Looked  int            // states that were to be compared
	Unknown map[string]int // of them, those that could not be, by why
}

// Contexts implements what a report asks for.
func (d *DPOR) Contexts() Contexts {
	return Contexts{d.context.cuts, d.refine.met, d.context.looked, d.context.unknown}
}
