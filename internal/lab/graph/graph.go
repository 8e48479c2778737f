// Package graph is an oracle for the strategies: it shares nothing with them but the executor. It
// explores a program by its execution graphs, if every channel has one receiver and a send never
// waits: M. Kokologiannakis, I. Marmanis, V. Gladstein, V. Vafeiadis,
// "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022 (TruSt); C. Enea, D.
// Giannakopoulou, M. Kokologiannakis, R. Majumdar, "Model Checking Distributed Protocols in Must",
// OOPSLA 2024.
//
// Vocabulary: a graph has the events of each process, and for each receive the send from which it
// reads. Two executions are equivalent if their graphs are equal. A graph is maximal if no process
// can go on. A cut is a part of a graph that has, with each event, all events that it needs; it is
// a number of events for each process.
//
//	papers                   here
//	G.E, po                  Graph.Events; Event.Proc and Event.Index
//	rf(r)                    Event.From
//	co                       of the sends into one channel: those that are read, in the order of their receives; then those
//	                         that nobody reads, which have no order among themselves
//	<G                       the order of Graph.Events
//	porf prefix of a         view.need: a cut
//	consistent(G)            Linearise: po, rf and co of all channels together have no circle
//	next(G)                  player.next, and for the running program run.choose
//	Visit                    Stack.Next
//	Deleted, IsMaximallyAdded view.witness
//
// A node of the search is a graph. The search runs it: first its own events, linearised, then
// further events in a fixed order of processes. In the latter, receives come last, and each receive
// takes the first value of its channel. So a node has one execution, which leads to one maximal
// graph T. Let G be another maximal graph that contains the node, and e the first event of the run
// that G does not have, or has otherwise. Only a receive can be such an e. Let A be the events that
// were run before e, s the event from which e reads in G, and P the events that s needs. The node
// of G is then A, P, and e reading from s; in the papers, s revisits e.
//
// Each node once, with nothing remembered: A, P, e and s are all in many maximal graphs, but one of
// these is the witness: the graph of the run of A and P without s, then e, then further events in
// the fixed order. T alone tells whether it is the witness. Each maximal graph is run once, so each
// node is found once, in its witness.
//
// Nothing is lost: the witness is a maximal graph that contains A. So it belongs to some other
// event, which comes later in the run, or to e with another send, one that P needs. Later events,
// and smaller P, come to an end.
//
// No run is in vain: a consistent graph can be linearised, and a program whose sends never wait can
// go on from there.
//
// Deviations.
//   - The papers' memory models order writes, or messages, when they are added. Here a channel is
//     first in, first out, but two sends are ordered only by the receives of their values, so the
//     order of values that nobody receives makes no difference. The price: a receive orders other
//     events, also those of other channels, as consistency is about all channels together. So an
//     event does not tell by itself whether it is "added maximally": the witness is run again, on
//     the graph.
//   - The papers revisit when a write is added. Here the whole graph is looked at when it is
//     maximal: an event that is added costs a run of the program from its beginning, so a node goes
//     on to its end at once.
//   - A receive can wait for several channels (select), and read from the close of one. There is no
//     revisit for a receive that found nothing: it waits.
//
// Guarantees: a node is a plain value, and the nodes below it depend on nothing else, so a node can
// be explored anywhere. A Stack holds the maximal graph in which the present node was found, the
// one in which that graph's node was found, and so on.
//
// LIMITS: the caller must ensure that the graphs are those of such a program. Looking through a
// graph takes time for each pair of a receive and a send that might be exchanged; in proportion to
// the graph's length, if the send was added later. That a Stack holds no more graphs than an
// execution has events is not proved; all tests have shown it.
package graph

import "slices"

// Kind is what an event is to others.
type Kind uint8

// The kinds of events.
const (
	Step    Kind = iota // nobody sees it
	Send                // a value into a channel
	Close               // of a channel, after all that is sent into it
	Receive             // of a value, or of the end of a closed channel
)

// Fixed is the Base of an event that is never to read from something else: a revisit needs it.
const Fixed = -1

// Event is one step of a process.
type Event struct {
	Proc, Index int32 // the process, and how many events it has had before
	Kind        Kind  // what others see
	Chan        int32 // what it is done on; of a Step, -1
	Case        int32 // of a Receive: which of Cases
	// of a Receive: the channels that it waits for, -1 for one that never delivers; not to be
	// changed
	Cases []int32
	// of a Receive: the event that it reads from, a Send or a Close; otherwise -1
	From   int32
	Base   int32 // of a Receive: how many events had been added when it became the next one
	Turned bool  // it reads from something else than it would have then: a revisit
}

// Proc names a process in the same way in all graphs: it is the Rank-th one that begins with event
// Event of Parent.
type Proc struct{ Parent, Event, Rank int32 }

// Root is the Parent of processes that are there from the beginning, in Event -1.
const Root = -1

// Graph is an execution graph. The zero value is the graph without events.
type Graph struct {
	Procs  []Proc  // a parent is before its children
	Events []Event // in the order in which they were added: that of a process is the program's
	Chans  int32   // channels are numbered from 0
	order  []int32 // the processes in an order that is the same in all graphs
	own    [][]int32
}

// Copy returns a graph like g. Only the exported fields of g need be set: all else follows from
// them.
func (g *Graph) Copy() *Graph {
	c := &Graph{Chans: g.Chans}
	for _, p := range g.Procs {
		c.AddProc(p)
	}
	for _, e := range g.Events {
		c.add(e)
	}
	return c
}

// AddProc adds a process that is not there yet, and returns its number.
func (g *Graph) AddProc(p Proc) int32 {
	n := int32(len(g.Procs))
	g.Procs, g.own = append(g.Procs, p), append(g.own, nil)
	at, _ := slices.BinarySearchFunc(g.order, n, g.compare)
	g.order = slices.Insert(g.order, at, n)
	return n
}

// Find returns the number of a process; ok is false if it is not there.
func (g *Graph) Find(p Proc) (n int32, ok bool) {
	i := slices.Index(g.Procs, p)
	return int32(i), i >= 0
}

// compare orders processes as they are started: a process is before its children, and all these
// before its next sibling.
func (g *Graph) compare(a, b int32) int {
	if a == b {
		return 0
	}
	p, q := g.line(a), g.line(b)
	i := 0
	for i < len(p) && i < len(q) && p[i] == q[i] {
		i++
	}
	switch {
	case i == len(p):
		return -1
	case i == len(q):
		return 1
	}
	x, y := g.Procs[p[i]], g.Procs[q[i]]
	if x.Event != y.Event {
		return int(x.Event) - int(y.Event)
	}
	return int(x.Rank) - int(y.Rank)
}

// line lists the ancestors of a process, the first one first, and itself.
func (g *Graph) line(p int32) (list []int32) {
	for ; p != Root; p = g.Procs[p].Parent {
		list = append(list, p)
	}
	slices.Reverse(list)
	return list
}

// Order returns the processes in the order in which they come next, if they can.
func (g *Graph) Order() []int32 { return g.order }

// Add adds the next event of its process, which may yet be revisited, and returns its number.
func (g *Graph) Add(e Event) int32 {
	e.Base = int32(len(g.Events))
	return g.add(e)
}

func (g *Graph) add(e Event) int32 {
	n := int32(len(g.Events))
	e.Index = int32(len(g.own[e.Proc]))
	g.own[e.Proc] = append(g.own[e.Proc], n)
	g.Events = append(g.Events, e)
	return n
}

// cut is a part of a graph: how many events of each process.
type cut []int32

// has reports whether event e is in it.
func (c cut) has(e *Event) bool { return e.Index < c[e.Proc] }

// join makes c the union of both.
func (c cut) join(d cut) {
	for p, n := range d {
		c[p] = max(c[p], n)
	}
}
