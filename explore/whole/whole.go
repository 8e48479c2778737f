// Package whole searches over whole steps. Code of the library's border (net/http) has goroutines
// of its own; of their operations, only one order is explored within each step. Package
// runtime/sched says which operations are choices and which are done at once.
//
// It is the search of package dpor, whose comment proves that nothing is lost: dynamic
// partial-order reduction with source sets and sleep sets. Its events are whole steps here.
//
//	there                              here
//	an event                           step: a choice, and the inner operations after it
//	the effect of an event             footprint: its events, and what decides inner operations
//	dependent                          some process moves in both, or the footprints conflict
//	e, e' in a race                    conflict.race
//
// A whole step is a function of the state, so whole steps make a transition system like any other.
// Two steps whose footprints do not conflict lead to the same state in either order: each does the
// operations that it would do without the other one.
//
// Deviations. The footprint of a step is known only when the step has been done. So a race is one
// of two steps that have been done, and an operation with which a process waits at the end of an
// execution is a step of one event. If the reversal moves process q before step i, the step of q
// may do more than that operation. So if other steps v are to come before q, the search explores an
// initial of v, and never q for its own sake.
//
// Lemma W2. The objects that decide an inner operation belong to the footprint. Inner operations
// have no alternatives, so these steps are dependent, though their events may commute:
//   - a step after which a process waits inside for an object, also a process that the step has
//     started, and a step that uses the object: if the latter comes second, it also moves that
//     process;
//   - a step with an inner select, and a step that uses the object of any of its cases;
//   - a step with an inner send to a closed channel, and a step that uses the channel, as it might
//     have made room for the send before the close.
//
// A process without an inner operation in the step does not wait inside. Its next operation is its
// first inner one after an outer one: a choice, with alternatives.
//
// A Read of data that has arrived is a choice. So a process that waits in a Read waits for its own
// side only. If a step ends a Read of its own side, the reader is one of the processes in a race.
// TestBorder attacks the lemma.
//
// Lemma W1. Let steps a and b be possible in one state, with footprints of two executions. Let a be
// a sleeper, so that b is known only from the other execution. Objects with the same number in both
// executions are compared. Let a have given an object its number. If a made the object, no other
// step uses it. If a was only the first to use it (Execution.Met), b may use it by another number.
// Then each object of the same class that b was the first to use counts as this object.
//
// Lemma W3 is in reader.go.
//
// Lemma W4. Let event a be a Write and event e a Read of the same direction, or the other way
// round, and let both have moved a segment. Let the Read take another segment, and the room for
// the Write be not the Read's. Then e might have come before a, but would have done the same:
// segments are read in order, so the Read's is older, and was there; and the Write had room. So
// a and e are in no race, although e had declared an operation that may conflict with a: a Read may
// learn of an end. TestBorder attacks the lemma, with -programs 400 or more.
//
// LIMITS: memory grows with the depth of one execution. The strategy knows nothing of twins, tasks
// or contexts.
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
// Then both are one step: after the section the process may wait inside, and an event that is to
// come before that must come before the section.
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

// idle is the warning about executions that leave connections of the library behind.
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
