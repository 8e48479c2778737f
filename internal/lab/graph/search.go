package graph

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search explores the execution graphs of the real program: it runs a node by doing its events, and
// then further events. It is for programs in which every channel has one receiver and is never
// full, and in which there is nothing but channels: see fit. The first execution that shows
// anything else ends the search.
//
// Graphs know sends and receives only. So
//
//   - The log of a test is a channel to a reader that nobody sees: so its lines have an order. The
//     reader has receives in graphs only, at the end, and only if several processes log.
//   - A select whose cases are all receives, without default, is a receive from several channels.
//   - Several processes may receive from a channel into which nobody ever sends: all read from its
//     close.
//   - runtime.Gosched is a step that nobody sees.
type Search struct {
	stack Stack
	run   run
	// the graphs to be explored after those of the stack; changed when they are run
	rest    []*Graph
	over    bool // the program was refused, or the search was stopped
	refused *explore.Refusal
}

// New returns the search before its first execution.
func New() *Search { return Below(&Graph{}) }

// Below returns the search below nodes that Share has given, in their order. They may be of
// another Search, with another executor of the same program.
func Below(nodes ...*Graph) *Search {
	s := &Search{}
	for _, node := range nodes {
		s.rest = append(s.rest, node.Copy())
	}
	return s
}

// Share returns the node that would be explored next, and leaves it to the caller; nil if there is
// none. It may be called between executions.
func (s *Search) Share() *Graph {
	if node := s.stack.Next(); node != nil || len(s.rest) == 0 {
		return node
	}
	node := s.rest[0]
	s.rest = s.rest[1:]
	return node
}

// Begin implements explore.Strategy.
func (s *Search) Begin() bool {
	if s.over {
		return false
	}
	node := s.Share()
	if node == nil {
		return false
	}
	s.run.begin(node)
	return true
}

// Choose implements explore.Strategy.
func (s *Search) Choose(st *trace.State) int {
	if s.refused != nil {
		return explore.Onward(st)
	}
	s.run.see(st.Events, len(st.Procs))
	s.run.fit.declared(st)
	if s.run.fit.why == "" {
		if i := s.run.choose(st); s.run.fit.why == "" {
			return i
		}
	}
	s.refuse(st.Events)
	return explore.Onward(st)
}

// End implements explore.Strategy.
func (s *Search) End(x *trace.Execution) {
	switch {
	case s.refused != nil:
		return
	case x.End == trace.Cut:
		s.over = true
		return
	}
	s.run.see(x.Events, len(x.Procs))
	if s.run.conclude(x); s.run.fit.why != "" {
		s.refuse(x.Events)
		return
	}
	s.stack.Push(s.run.g)
}

// refuse ends the search.
func (s *Search) refuse(events []trace.Event) {
	f := &s.run.fit
	s.over, s.stack, s.rest = true, Stack{}, nil
	s.refused = &explore.Refusal{Step: f.at, Declared: f.proc, Why: fmt.Sprintf(
		"graph is for programs of channels that have one receiver each and are never full, and here %s",
		f.why)}
	for i := range events {
		s.refused.Choices = append(s.refused.Choices, events[i].Alt)
	}
}

// Depth returns the number of graphs that are remembered.
func (s *Search) Depth() int { return s.stack.Depth() }

// Size returns the number of events of the graphs that are remembered.
func (s *Search) Size() int { return s.stack.Size() }

// Last implements explore.Strategy.
func (s *Search) Last() explore.Last { return explore.Last{Distinct: s.refused == nil} }

// Summary implements explore.Strategy.
func (s *Search) Summary() explore.Summary {
	sum := explore.Summary{Planned: -1, Refusal: s.refused}
	if s.refused != nil {
		sum.Partial = s.refused.Why
	}
	return sum
}
