package strategy

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Context-sensitive independence: E. Albert, P. Arenas, M. G. de la Banda, M. Gomez-Zamalloa, P. J.
// Stuckey, "Context-Sensitive Dynamic Partial Order Reduction", CAV 2017; with the summaries of Y.
// Yang, X. Chen, G. Gopalakrishnan, R. M. Kirby, "Efficient Stateful Dynamic Partial Order
// Reduction", SPIN 2008.
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
//	backtracking by a summary      DPOR.findContext, DPOR.raceBeyond; OptimalTasks.findContext, OptimalTasks.raceBeyond
//
// Two tasks may commute where they are, although they do not everywhere: two results of which the
// maximum is taken, say. Both orders are run, once; the second one comes to a state that the first
// one has been in, and all that can follow that has been explored. So it is cut off there.
//
// Deviations. The paper runs w.q.p once to compare the states, puts the sequence to sleep at E, and
// recognises it where it would be run again. Here not the sequence is kept, but the state that it
// leads to: whatever leads there is cut off, be it another order of two tasks or of more. States
// are compared between two tasks only. The paper cuts off without a summary, since the races with
// what follows have been found in the first order, from E. Not so where any equal states meet: what
// follows may have another past in the two executions. TestTrapContext has what is lost without
// one.
//
// Why nothing is lost. Let an execution be cut off at t, which equals s, from which all has been
// explored but what sleeps there. What sleeps at s sleeps at t, too. So whatever has to be explored
// from t has been explored from s, as sequences of the same alternatives, for all things are called
// the same in equal states. What is left is that those sequences, done at t, are in races with the
// events that lead to t, which are not those that lead to s. So they are run in thought. For s it
// is known which processes declare what in all that follows (the summary), in executions that were
// cut off, too. Of each such operation the conflicts with the events before t are looked up as if
// it were declared at t; if its process does not exist there, as if that of which it comes declared
// it. In truth more happens before it than is taken for granted so: races may be found that are
// none, and none is missed. Where a race is to be reversed at a node, the events before t that do
// not happen after it tell an initial; if there are none, the initials are not known, and all that
// is enabled is explored.
//
// So, by induction over the meetings in the order in which they are over, the argument of dpor.go
// holds as if what is cut off had been run. The ends of executions, the log, and the findings are
// functions of states. Races of memory accesses are not: they are looked for in the executions that
// are run.
//
// LIMITS: what follows s is not known well enough if there is anything in it but operations on
// channels, locks, tests and the log (a timer, an atomic operation, a select with default, ...), a
// panic, an exit, or a process that polls and is held back. Then nothing is cut off at s. States
// and their summaries are kept in memory until the exploration ends.

// Look identifies the present state. why is why it cannot be compared; empty: it can. Equal states
// have reported the same, and have the same future, in which processes, messages and objects have
// the same numbers.
type Look func() (state [16]byte, why string)

// contexts lets a search cut off executions that come to a state from which all has been explored.
type contexts struct {
	look   Look                    // nil: nothing is cut off
	states map[[16]byte][]*meeting // those with one state differ in what sleeps there
	open   []*meeting              // of the execution under way, from its beginning on
	// which the execution under way has come to, and is cut off at; nil: none
	here    *meeting
	parents []int32 // of the processes of the last execution
	nested  nested
	looked  int            // states that were to be compared
	unknown map[string]int // of them, those that could not be, by why
	cuts    int            // executions that were cut off
	// races with what follows a meeting are not looked for: for the test of that trap
	hasty bool
	// optimal counts a sequence as covered by a sleeper that is no part of it: likewise
	lax bool
}

func newContexts(look Look) contexts {
	return contexts{look: look, states: map[[16]byte][]*meeting{}, unknown: map[string]int{}}
}

// forget drops all meetings.
func (c *contexts) forget() {
	clear(c.states)
	c.open, c.here = nil, nil
}

// meets reports whether all that follows the present state has been explored, but for what sleeps.
// If not, it becomes a meeting: m, of which all is known but what state s tells.
func (c *contexts) meets(m *meeting, s *trace.State) bool {
	c.looked++
	state, why := c.look()
	if why != "" {
		c.unknown[why]++
		return false
	}
	m.procs, m.known = len(s.Procs), map[laterKey]int{}
	for _, before := range c.states[state] {
		if before.over && !before.opaque && before.covers(m) {
			c.here = before
			c.cuts++
			return true
		}
	}
	c.open = append(c.open, m)
	c.states[state] = append(c.states[state], m)
	return false
}

// strict reports whether a sleeper covers only sequences that it is a part of: see taskbeyond.go.
func (c *contexts) strict() bool { return c.look != nil && !c.lax }

// blocked reports, of an execution that was cut off, whether that was not at a meeting: all that is
// possible there sleeps.
func (c *contexts) blocked() bool { return c.look != nil && c.here == nil }

// nearest returns the last meeting up to node number upto; nil if there is none.
func (c *contexts) nearest(upto int) *meeting {
	for i := len(c.open) - 1; i >= 0; i-- {
		if m := c.open[i]; m.at <= upto {
			return m
		}
	}
	return nil
}

// everywhere is beyond the last node.
const everywhere = math.MaxInt

// obscure notes that it is not known what follows the nodes up to number upto.
func (c *contexts) obscure(upto int) {
	if m := c.nearest(upto); m != nil {
		m.opaque = true // and when it is over, those before it
	}
}

// descend notes which processes of x come from which.
func (c *contexts) descend(x *trace.Execution) {
	c.parents = c.parents[:0]
	for i := range x.Procs {
		c.parents = append(c.parents, x.Procs[i].Parent)
	}
}

// declared notes that l is declared after node number upto.
func (c *contexts) declared(upto int, l later) {
	if m := c.nearest(upto); m != nil {
		c.add(m, l)
	}
}

// add notes that l is declared after m.
func (c *contexts) add(m *meeting, l later) {
	for int(l.proc) >= m.procs {
		l.proc, l.fresh = c.parents[l.proc], true
	}
	l.past = c.elders(l.past, m.procs)
	k := l.key()
	switch i, known := m.known[k]; {
	case l.proc < 0:
		m.opaque = true
	case known:
		m.later[i].past = m.later[i].past.shared(l.past)
	default:
		l.op.Cases = slices.Clone(l.op.Cases)
		m.later, m.known[k] = append(m.later, l), len(m.later)
	}
}

// elders returns, for each process of a set, that of the first n which it is, or comes from.
func (c *contexts) elders(set procset, n int) procset {
	if len(set) == 0 {
		return nil
	}
	elders := procset(nil).empty(n)
	for p := range int32(len(set) << 6) {
		if !set.has(p) {
			continue
		}
		for int(p) >= n {
			p = c.parents[p]
		}
		if p >= 0 {
			elders.add(p)
		}
	}
	return elders
}

// merge adds what follows b to what follows the last meeting.
func (c *contexts) merge(b *meeting) {
	m := c.nearest(everywhere)
	if m == nil {
		return
	}
	m.opaque = m.opaque || b.opaque
	for _, l := range b.later {
		c.add(m, l)
	}
}

// leave notes that all that follows node number at, the last one, has been explored.
func (c *contexts) leave(at int) {
	last := len(c.open) - 1
	if last < 0 || c.open[last].at != at {
		return
	}
	m := c.open[last]
	c.open = c.open[:last]
	c.merge(m)
	m.over = true
}

// follow notes, for the meetings on the way of x, of which events from number kept on are new,
// which processes come from which, and whether something new follows that may be in a race with
// anything. The nodes are the events.
func (c *contexts) follow(x *trace.Execution, kept int) {
	if c.look == nil {
		return
	}
	c.descend(x)
	for i := range x.Procs {
		if p := &x.Procs[i]; !p.Ended && !numbered(&p.Pending) {
			c.obscure(everywhere)
		}
	}
	for k := kept; k < len(x.Events); k++ {
		if e := &x.Events[k]; !numbered(&e.Op) || !numbered(&e.PartnerOp) {
			c.obscure(k)
		}
	}
	if final(x) || x.End == trace.Steps || len(x.Events) > depend.MaxEvents {
		c.obscure(everywhere)
	}
}

// declares notes that process q of the execution that is looked at declares op, before its event
// number k.
func (c *contexts) declares(q int32, op *trace.Op, k int) {
	if c.look != nil && op.Kind != trace.None {
		c.declared(k, later{proc: q, op: *op})
	}
}

// beyond calls f for each race of an event of x, which has been cut off at a meeting, with what
// follows there, and with the process that declares that, or of which that comes.
func (c *contexts) beyond(x *trace.Execution, o *depend.Order, f func(i, q int32)) {
	if c.here == nil || c.hasty {
		return
	}
	c.merge(c.here)
	for _, l := range c.here.later {
		q := l.proc
		if l.fresh {
			q = nobody
		}
		for _, r := range o.ConflictsAfter(x, o.Previous(x, l.proc), q, &l.op, nil) {
			if r.Race {
				f(r.Event, l.proc)
			}
		}
	}
}

// Contexts says how often executions were cut off at states from which all had been explored.
type Contexts struct {
	Cuts    int            // executions that were
	Listed  int            // of them, those that Pruned has
	Looked  int            // states that were to be compared
	Unknown map[string]int // of them, those that could not be, by why
}
