// Package whole searches over whole steps: of the code of the library's border, which has
// goroutines of its own (net/http), only one order is explored inside of each step. Package
// runtime/sched says what is a choice and what is done at once.
//
// It is the search of package dpor, which has the argument why nothing is lost: dynamic
// partial-order reduction with source sets and sleep sets. Its events are whole steps here.
//
//	there                              here
//	an event                           step: a choice, and the inner operations after it
//	the effect of an event             footprint: its events, and what decides inner operations
//	dependent                          some process moves in both, or the footprints conflict
//	e, e' in a race                    conflict.race
//
// A whole step is a function of the state, so whole steps make a transition system like any other.
// Two steps whose footprints do not conflict, in either order, lead to one state: each makes its
// operations as it would without the other one, up to the first that would tell.
//
// Deviations. What a step will do is known only when it has been done. So a race is one of two
// steps that have been done, and the operation that a process waits with at the end of an execution
// is a step of one event. A process q that is to move before step i may do more than that operation
// in the step. So where other steps v are to come before it, an initial of v is explored, and never
// q for its own sake.
//
// Lemma W2. What decides an inner operation belongs to the footprint. Inner operations have no
// alternatives, so these are dependent, though their events may commute:
//   - a step after which a process waits inside for an object, also a process that the step has
//     started, and a step that uses the object: the later one moves the process, if it comes later;
//   - a step with an inner select, and a step that uses the object of any of its cases;
//   - a step with an inner send to a closed channel, and a step that uses the channel, as it might
//     have made room for the send before the close.
//
// A process that has not been inside in the step waits for nothing: what it declares next is its
// first inner operation after an outer one, a choice, with alternatives.
//
// To read what has arrived is a choice. So a process that waits in a Read waits for its own side
// only. Where a step ends a Read of its own side, the reader is one of those who were in a race.
// TestBorder attacks the lemma.
//
// Lemma W1. Let steps a and b be possible in one state, with footprints in two executions, and let
// a sleeper, a, know b only from another execution. Objects that both executions have numbered
// alike are compared. An object that a has numbered itself is nobody else's if a made it; if a was
// only the first to use it (Execution.Met), b may use it by another number: then every object of
// the same class that b was the first to use is taken for it.
//
// LIMITS: executions are explored in memory that grows with the depth of one execution. The
// strategy knows nothing of twins, tasks or contexts.
package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New.
type Search struct {
	stack []*station
	depth int // stations of the execution under way that have been reached
	more  bool
	fresh bool
	spun  bool
	long  bool // some execution was longer than depend.MaxEvents
	fair  explore.Fair
	first search.First
	w     walk
	idle  int // executions that have left connections of the library behind
}

// Name is the strategy's name.
const Name = "whole"

// patience is that of explore.Fair: a whole step may have a thousand events.
const patience = 1 << 16

// New returns the strategy before its first execution.
func New() *Search {
	return &Search{fresh: true, fair: explore.Fair{Patience: patience}}
}

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (d *Search) SetSpins(n int) { d.fair.Bound = n }

// Begin implements explore.Strategy.
func (d *Search) Begin() bool {
	d.fair.Reset()
	d.depth = 0
	if d.fresh {
		d.fresh = false
		return true
	}
	return d.more
}

// Choose implements explore.Strategy.
func (d *Search) Choose(s *trace.State) int {
	d.fair.See(s)
	if s.Inner || endsSection(s) {
		return 0
	}
	d.depth++
	if d.depth <= len(d.stack) {
		return d.stack[d.depth-1].again(s)
	}
	n := newStation(s)
	if d.depth > 1 {
		n.fallAsleep(d.stack[d.depth-2], s)
	}
	n.held.See(s, &d.fair)
	i := d.first.Of(s, func(i int) bool { return n.sleeps(n.alts[i]) || n.held.Has(i) })
	if i < 0 {
		d.spun = d.spun || n.held.Any()
		return -1
	}
	n.backtrack.Add(n.alts[i].Proc)
	if n.fires == len(n.alts) {
		n.backtrack.AddAll(n.enabled) // nothing orders the timers of one deadline
	}
	n.take(i)
	d.stack = append(d.stack, n)
	return i
}

// endsSection reports whether the only alternative ends the section that the last event has begun.
// It is a part of that step: behind the section the process may wait inside, and who is to come
// before that must come before the section.
func endsSection(s *trace.State) bool {
	if s.Depth == 0 || len(s.Alts) != 1 {
		return false
	}
	begun, op := &s.Events[s.Depth-1], s.Procs[s.Alts[0].Proc]
	switch op.Kind {
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		return begun.Proc == s.Alts[0].Proc && begun.Op.Sectioned() != 0 && op.Sectioned() != 0 &&
			op.Obj == begun.Obj
	}
	return false
}

// End implements explore.Strategy.
func (d *Search) End(x *trace.Execution) {
	if d.depth < len(d.stack) { // ended from outside
		d.more = false
		return
	}
	if slices.ContainsFunc(x.Blocked, func(b int32) bool { return x.Procs[b].IsBorders() }) {
		d.idle++
	}
	d.long = d.long || len(x.Events) > depend.MaxEvents
	d.w.read(x, d.stack)
	d.reverseAll(x)
	d.backtrack(x)
}

// backtrack goes back to the last station that has something left to explore, and takes it.
func (d *Search) backtrack(x *trace.Execution) {
	d.more = false
	for at := len(d.stack) - 1; at >= 0 && !d.more; at-- {
		n := d.stack[at]
		if i := n.next(); i >= 0 {
			n.done = append(n.done, d.w.sleeper(x, at, n))
			n.take(i)
			d.more = true
			return
		}
		d.spun = d.spun || n.lost()
		d.stack = d.stack[:at]
	}
}

// Last implements explore.Strategy.
func (d *Search) Last() explore.Last { return explore.Last{} }

// idle is the warning about them.
const idle = "goroutines of the library are left, such as those of idle connections of a net/http client: " +
	"CloseIdleConnections ends them"

// Summary implements explore.Strategy.
func (d *Search) Summary() explore.Summary {
	s := explore.Summary{Name: Name, Partial: search.SpinBound(d.spun, &d.fair)}
	if d.long {
		s.Partial = "an execution is too long to vary all of its order"
	}
	if d.idle > 0 {
		s.Warnings = map[string]int{idle: d.idle}
	}
	for _, n := range d.stack {
		s.Planned += n.planned()
	}
	return s
}
