// Package stateful explores states instead of orders: M. Dotta, "State Exploration of Scala Actor
// Programs", MSc thesis, University of Illinois at Urbana-Champaign, 2009: Algorithm 1 (section
// 4.4), state comparison (5.1) and the granularity of steps (5.2).
//
//	paper                     here
//	StatesToExplore           Search.open: a stack for a depth-first search, a queue for a breadth-first one
//	VisitedStates             Search.visited
//	DeliverableMsgs           frontier.alts, of which a receive is the delivery of a message
//	macro step, Little step   what follows a choice, up to the next state that is looked at
//	Big step                  the same, where states with one alternative are not looked at
//	state comparison          Options.Look; nil is None
//
// Deviations. The paper restores states; here a state is the sequence of choices that leads to it,
// and the choices are made again. The paper's macro step is all that a delivery causes. Here, sends
// to mailboxes are part of the step before them, for they commute with all operations of others.
// All other operations (of Go's channels, locks, the test's log) are steps of their own. Sends are
// no steps only as long as nobody closes a mailbox, asks for its length, or looks into it with a
// select that has a default branch. If a process is about to, the search starts again, with sends
// as steps.
//
// A state that cannot be compared differs from all others. An execution that comes back to a state
// may go on for ever. Then Partial says so, as the search has not looked for problems of endless
// executions.
//
// LIMITS: the visited states are kept in memory and, in a breadth-first search, the ways to the
// open ones.
package stateful

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Options say how to explore.
type Options struct {
	Breadth bool // breadth first
	Big     bool // states with one alternative are not looked at
	Macro   bool // sends to mailboxes are no steps of their own
	Spins   int  // explore.Fair's bound

	// Look identifies the present state, or the last state of the execution. why is the reason why
	// it cannot be compared; empty: it can. nil: all states differ.
	Look func() (state [16]byte, why string)
}

// Search is the strategy. See New.
type Search struct {
	o       Options
	visited map[[16]byte]bool
	open    []*frontier
	// the last state of the execution under way that was looked at; nil: none yet
	here *frontier
	// the choices that lead to the state where the execution under way leaves known ground, and its
	// choice there
	replay   []trace.Alt
	done     []trace.Alt // the choices of the execution under way
	fair     explore.Fair
	fresh    bool
	restart  bool // sends have to be steps
	spun     bool // an alternative was held back
	endless  bool // an execution came back to a state of its own
	states   int
	messages int
	unknown  map[string]int // states that could not be compared, by why
	warnings map[string]int // executions that ended with one
}

// frontier is a state that was looked at.
type frontier struct {
	parent *frontier
	path   []trace.Alt // the choices that lead to it
	alts   []trace.Alt // that have not been taken yet
	state  [16]byte
	known  bool // state identifies it
}

// New returns the strategy before its first execution.
func New(o Options) *Search {
	s := &Search{o: o}
	s.fair.Bound = o.Spins
	s.begin()
	return s
}

func (s *Search) begin() {
	s.visited, s.unknown, s.warnings = map[[16]byte]bool{}, map[string]int{}, map[string]int{}
	s.open, s.fresh, s.restart, s.spun, s.endless, s.states, s.messages = nil, true, false, false,
		false, 0, 0
}

// Begin implements explore.Strategy. Alg. 1, l. 3-5 and 7.
func (s *Search) Begin() bool {
	s.fair.Reset()
	s.done, s.replay, s.here = s.done[:0], s.replay[:0], nil
	if s.restart {
		s.o.Macro = false
		s.begin()
	}
	if s.fresh {
		s.fresh = false
		return true
	}
	f := s.next()
	if f == nil {
		return false
	}
	s.replay = append(append(s.replay, f.path...), f.alts[0])
	s.here, f.alts = f, f.alts[1:]
	return true
}

// next returns the state to go on from, nil if there is none.
func (s *Search) next() *frontier {
	for len(s.open) > 0 {
		at := len(s.open) - 1
		if s.o.Breadth {
			at = 0
		}
		if f := s.open[at]; len(f.alts) > 0 {
			return f
		}
		s.open = slices.Delete(s.open, at, at+1)
	}
	return nil
}

// Choose implements explore.Strategy. Alg. 1, l. 8-20.
func (s *Search) Choose(st *trace.State) int {
	s.fair.See(st)
	if st.Depth < len(s.replay) {
		return s.again(st)
	}
	if s.o.Macro && observed(st) {
		s.restart = true
		return -1
	}
	if i := s.straight(st); i >= 0 {
		return s.take(st, i)
	}
	f := s.look(st)
	if f == nil {
		return -1
	}
	s.open, s.here = append(s.open, f), f
	if s.o.Breadth && f.parent != nil {
		return -1
	}
	first := f.alts[0]
	f.alts = f.alts[1:]
	return s.take(st, slices.Index(st.Alts, first))
}

// again makes a choice that has been made before; the last one of them leads to new ground.
func (s *Search) again(st *trace.State) int {
	want := s.replay[st.Depth]
	i := slices.Index(st.Alts, want)
	if i < 0 {
		panic(explore.Mismatch{Depth: st.Depth, Want: fmt.Sprint(want), Got: fmt.Sprint(st.Alts)})
	}
	if st.Depth == len(s.replay)-1 {
		return s.take(st, i)
	}
	s.done = append(s.done, want)
	return i
}

// take makes a choice for the first time.
func (s *Search) take(st *trace.State, i int) int {
	a := st.Alts[i]
	if kindOf(st, a) == trace.Recv || a.Partner >= 0 {
		s.messages++
	}
	s.done = append(s.done, a)
	return i
}

// kindOf returns the kind of the communication that a is.
func kindOf(st *trace.State, a trace.Alt) trace.Kind {
	op := st.Procs[a.Proc]
	if op.Kind == trace.Select && a.Case >= 0 {
		return op.Cases[a.Case].Kind
	}
	return op.Kind
}

// observed reports whether a process is about to see more of a mailbox than a message in it.
func observed(st *trace.State) bool {
	return slices.ContainsFunc(st.Procs, func(op *trace.Op) bool {
		if op == nil {
			return false
		}
		mailbox := trace.Mailbox(op.Cap) && (op.Kind == trace.Close || op.Kind == trace.Len)
		return mailbox || op.Default && slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
			return trace.Mailbox(c.Cap)
		})
	})
}

// straight returns an alternative that is part of the step under way; -1: a new step begins.
func (s *Search) straight(st *trace.State) int {
	if s.o.Macro {
		for i, a := range st.Alts {
			if op := st.Procs[a.Proc]; op.Kind == trace.Send && trace.Mailbox(op.Cap) {
				return i
			}
		}
	}
	if s.o.Big && s.here != nil && len(st.Alts) == 1 {
		return 0
	}
	return -1
}

// look returns the present state; nil if it has been visited.
func (s *Search) look(st *trace.State) *frontier {
	f := &frontier{parent: s.here}
	if s.visit(f) {
		return nil
	}
	for _, a := range st.Alts {
		if s.fair.Waits(&a) {
			s.spun = true
		} else {
			f.alts = append(f.alts, a)
		}
	}
	f.path = slices.Clone(s.done)
	return f
}

// visit counts f, and reports whether it has been visited.
func (s *Search) visit(f *frontier) (before bool) {
	if s.o.Look != nil {
		var why string
		if f.state, why = s.o.Look(); why != "" {
			s.unknown[why]++
		} else {
			before, f.known = s.visited[f.state], true
			s.visited[f.state] = true
		}
	}
	if !before {
		s.states++
	}
	for a := f.parent; before && a != nil; a = a.parent {
		s.endless = s.endless || a.known && a.state == f.state
	}
	return before
}

// End implements explore.Strategy. The last state of an execution counts, too.
func (s *Search) End(x *trace.Execution) {
	switch {
	case x.End == trace.Quiet:
		s.visit(&frontier{parent: s.here})
		for _, warning := range explore.Warnings(x) {
			s.warnings[warning]++
		}
	case x.End != trace.Cut:
		s.states++
	}
}

// leftOut says what the search left out; empty: nothing.
func (s *Search) leftOut() string {
	if s.endless {
		return "an execution came back to a state that it had been in, from which it may go on for ever"
	}
	return search.SpinBound(s.spun, &s.fair)
}

// planned counts the alternatives that are known and unexplored.
func (s *Search) planned() int {
	n := 0
	for _, f := range s.open {
		n += len(f.alts)
	}
	return n
}

// Last implements explore.Strategy.
func (s *Search) Last() explore.Last { return explore.Last{} }

// Summary implements explore.Strategy.
func (s *Search) Summary() explore.Summary {
	return explore.Summary{
		Partial: s.leftOut(), Planned: s.planned(), States: s.states, Messages: s.messages,
		Warnings: s.warnings, Revisits: &explore.Revisits{Looked: s.states, Unknown: s.unknown},
	}
}
