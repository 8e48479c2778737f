// Package revisit cuts executions off at states from which all has been explored, for
// context-sensitive independence: E. Albert, P. Arenas, M. G. de la Banda, M. Gomez-Zamalloa, P. J.
// Stuckey, "Context-Sensitive Dynamic Partial Order Reduction", CAV 2017; with the summaries of Y.
// Yang, X. Chen, G. Gopalakrishnan, R. M. Kirby, "Efficient Stateful Dynamic Partial Order
// Reduction", SPIN 2008.
//
//	CAV 2017                       here
//	E                              a station of Search.stack
//	p, q                           two tasks of one actor, or any two events in a race
//	E.p.w.q and E.w.q.p            two executions with a visit
//	s[E.p.w.q] = s[E.w.q.p]        Look
//	w.q.p in the sleep set of E    Contexts.states has a visit that is over
//	SPIN 2008                      here
//	visited states                 Contexts.states
//	summary of a state             Visit.Later
//	backtracking by a summary      Search.findContext, Search.raceBeyond; Search.findContext, Search.raceBeyond
//
// Two tasks may commute in some state, although they do not commute in all states: two updates of a
// maximum, for example. Both orders are run once. The second order leads to a state to which the
// first one has led, and from which everything has been explored. So it is cut off there.
//
// Deviations. The paper runs w.q.p once to compare the states, puts the sequence to sleep at E, and
// recognises it where it would be run again. Here the state is kept, not the sequence: each
// execution that reaches the state, by another order of two or more tasks, is cut off. States are
// compared between two tasks only. The paper cuts off without a summary, since the races with later
// events have been found in the first order, from E. That fails if any two equal states may meet: a
// later event may have different pasts in the two executions. TestTrapContext shows what is lost
// without a summary.
//
// Why nothing is lost. Let an execution be cut off at t, which equals s, and let everything from s
// have been explored except the sleepers of s. The sleepers of s sleep at t, too. So each sequence
// that has to be explored from t has been explored from s, as the same alternatives, for all things
// have the same names in equal states. One thing is left: these sequences, done at t, are in races
// with the events before t, and these differ from the events before s. So the sequences are run in
// thought. For s it is known which processes declare which operations later (the summary), also in
// executions that were cut off. For each such operation, the search looks up the conflicts with the
// events before t as if the operation were declared at t. If its process does not exist there, the
// process from which it descends stands for it. In truth more events happen before the operation
// than this assumes: races may be found that are none, and none is missed. To reverse a race at a
// station, the search takes an initial of the events before t that do not happen after the
// station's event. If there are none, the initials are not known, and all enabled alternatives are
// explored.
//
// So, by induction over the visits in the order in which they are over, the argument of package
// dpor holds as if the executions that are cut off had been run. The ends of executions, the log,
// and the findings are functions of states. Races of memory accesses are not: they are looked for
// in the executions that are run.
//
// LIMITS: the summary of s must know all later operations well. It does so only for operations on
// channels, locks, tests and the log. Nothing is cut off at s if later there is another operation
// (a timer, an atomic operation, a select with default, ...), a panic, an exit, or a process that
// polls and is held back. States and their summaries are kept in memory until the exploration ends.
package revisit

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Look identifies the present state. why is the reason why it cannot be compared; empty: it can. In
// equal states, the tests have reported the same, and the future is the same, with the same numbers
// of processes, messages and objects.
type Look func() (state [16]byte, why string)

// Contexts lets a search cut off executions that reach a state from which all has been explored.
type Contexts struct {
	Look   Look                  // nil: nothing is cut off
	states map[[16]byte][]*Visit // those with one state differ in what sleeps there
	open   []*Visit              // of the execution under way, from its beginning on
	// the visit that the execution under way has reached, and at which it is cut off; nil: none
	Here    *Visit
	parents []int32 // of the processes of the last execution
	Nested  nested
	Looked  int            // states that were to be compared
	Unknown map[string]int // of them, those that could not be, by why
	Cuts    int            // executions that were cut off
	// races with the events after a visit are not looked for: for a test of that trap
	Hasty bool
	// optimal counts a sequence as covered by a sleeper that is no part of it: for a test of that
	// trap
	Lax bool
}

// New returns contexts without a visit; look identifies states.
func New(look Look) Contexts {
	return Contexts{Look: look, states: map[[16]byte][]*Visit{}, Unknown: map[string]int{}}
}

// Forget drops all visits.
func (c *Contexts) Forget() {
	clear(c.states)
	c.open, c.Here = nil, nil
}

// Meets reports whether all that follows the present state has been explored, except for sleepers.
// If not, the state becomes a visit: m, which has all but the parts that state s tells.
func (c *Contexts) Meets(m *Visit, s *trace.State) bool {
	c.Looked++
	state, why := c.Look()
	if why != "" {
		c.Unknown[why]++
		return false
	}
	m.procs, m.known = len(s.Procs), map[laterKey]int{}
	for _, before := range c.states[state] {
		if before.over && !before.Opaque && before.covers(m) {
			c.Here = before
			c.Cuts++
			return true
		}
	}
	c.open = append(c.open, m)
	c.states[state] = append(c.states[state], m)
	return false
}

// Strict reports whether a sleeper covers only sequences that it is a part of: see package tasks.
func (c *Contexts) Strict() bool { return c.Look != nil && !c.Lax }

// Blocked reports whether an execution that was cut off was not at a visit: all of its alternatives
// there sleep.
func (c *Contexts) Blocked() bool { return c.Look != nil && c.Here == nil }

// Nearest returns the last visit up to station number upto; nil if there is none.
func (c *Contexts) Nearest(upto int) *Visit {
	for i := len(c.open) - 1; i >= 0; i-- {
		if m := c.open[i]; m.At <= upto {
			return m
		}
	}
	return nil
}

// Everywhere is beyond the last station.
const Everywhere = math.MaxInt

// Obscure notes that it is not known what follows the stations up to number upto.
func (c *Contexts) Obscure(upto int) {
	if m := c.Nearest(upto); m != nil {
		m.Opaque = true // and when it is over, those before it
	}
}

// Descend notes which processes of x come from which.
func (c *Contexts) Descend(x *trace.Execution) {
	c.parents = c.parents[:0]
	for i := range x.Procs {
		c.parents = append(c.parents, x.Procs[i].Parent)
	}
}

// Declared notes that l is declared after station number upto.
func (c *Contexts) Declared(upto int, l Later) {
	if m := c.Nearest(upto); m != nil {
		c.add(m, l)
	}
}

// add notes that l is declared after m.
func (c *Contexts) add(m *Visit, l Later) {
	for int(l.Proc) >= m.procs {
		l.Proc, l.Fresh = c.parents[l.Proc], true
	}
	l.Past = c.elders(l.Past, m.procs)
	k := l.Key()
	switch i, known := m.known[k]; {
	case l.Proc < 0:
		m.Opaque = true
	case known:
		m.Later[i].Past = m.Later[i].Past.Shared(l.Past)
	default:
		l.Op.Cases = slices.Clone(l.Op.Cases)
		m.Later, m.known[k] = append(m.Later, l), len(m.Later)
	}
}

// elders returns, for each process of a set, that of the first n which it is, or comes from.
func (c *Contexts) elders(set search.Procset, n int) search.Procset {
	if len(set) == 0 {
		return nil
	}
	elders := search.Procset(nil).Empty(n)
	for p := range int32(len(set) << 6) {
		if !set.Has(p) {
			continue
		}
		for int(p) >= n {
			p = c.parents[p]
		}
		if p >= 0 {
			elders.Add(p)
		}
	}
	return elders
}

// Merge adds what follows b to what follows the last visit.
func (c *Contexts) Merge(b *Visit) {
	m := c.Nearest(Everywhere)
	if m == nil {
		return
	}
	m.Opaque = m.Opaque || b.Opaque
	for _, l := range b.Later {
		c.add(m, l)
	}
}

// Leave notes that all that follows station number at, the last one, has been explored.
func (c *Contexts) Leave(at int) {
	last := len(c.open) - 1
	if last < 0 || c.open[last].At != at {
		return
	}
	m := c.open[last]
	c.open = c.open[:last]
	c.Merge(m)
	m.over = true
}

// Follow updates the visits on the way of x, whose events from number kept on are new. It notes the
// parents of processes, and whether a new event follows that may be in a race with any other. The
// stations are the events.
func (c *Contexts) Follow(x *trace.Execution, kept int) {
	if c.Look == nil {
		return
	}
	c.Descend(x)
	for i := range x.Procs {
		if p := &x.Procs[i]; !p.Ended && !Numbered(&p.Pending) {
			c.Obscure(Everywhere)
		}
	}
	for k := kept; k < len(x.Events); k++ {
		if e := &x.Events[k]; !Numbered(&e.Op) || !Numbered(&e.PartnerOp) {
			c.Obscure(k)
		}
	}
	if search.Final(x) || x.End == trace.Steps || len(x.Events) > depend.MaxEvents {
		c.Obscure(Everywhere)
	}
}

// Declares notes that process q of the execution that is looked at declares op, before its event
// number k.
func (c *Contexts) Declares(q int32, op *trace.Op, k int) {
	if c.Look != nil && op.Kind != trace.None {
		c.Declared(k, Later{Proc: q, Op: *op})
	}
}

// Beyond calls f for each race of an event i of x, which has been cut off at a visit, with an
// operation that follows there. q is the process that declares the operation, or the process from
// which that one descends.
func (c *Contexts) Beyond(x *trace.Execution, o *depend.Order, f func(i, q int32)) {
	if c.Here == nil || c.Hasty {
		return
	}
	c.Merge(c.Here)
	for _, l := range c.Here.Later {
		q := l.Proc
		if l.Fresh {
			q = search.Nobody
		}
		for _, r := range o.ConflictsAfter(x, o.Previous(x, l.Proc), q, &l.Op, nil) {
			if r.Race {
				f(r.Event, l.Proc)
			}
		}
	}
}

// Revisits sums up, for explore.Summary; nil if no states are compared. listed is the number of
// cuts that the search itself lists.
func (c *Contexts) Revisits(listed int) *explore.Revisits {
	if c.Look == nil {
		return nil
	}
	return &explore.Revisits{Cuts: c.Cuts, Listed: listed, Looked: c.Looked, Unknown: c.Unknown}
}
