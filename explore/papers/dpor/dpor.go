// Package dpor is dynamic partial-order reduction: C. Flanagan, P. Godefroid, "Dynamic
// partial-order reduction for model checking software", POPL 2005; with the source sets of P.
// Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Optimal dynamic partial order reduction", POPL 2014
// (JACM 2017), Algorithm 1.
//
//	paper            here
//	E, pre(E, e)     Search.stack; the station at the depth of e
//	enabled(s)       station.alts; station.enabled for their processes
//	backtrack(E)     station.backtrack
//	Sleep            station.sleep, and station.done for what has been explored at the station itself
//	e -> e'          depend.Order.Before
//	e, e' in a race  depend.Order.Conflicts, where e' is a declared operation
//	v, I(v)          race, race.initials
//
// Deviations. In the papers a process has one next step. Here it can have several (a select), and a
// step can belong to two processes (a rendezvous). So
//   - backtrack is a set of processes. It stands for all enabled alternatives in which one of them
//     takes part. If a rendezvous is explored for one partner, and the other partner can also do
//     something alone, the other one joins the set (search.Alone);
//   - a race is one of an event with the declared operation of a process, not with the event that
//     came of it: the operation might have had another partner or taken another case. The
//     operations of processes that wait when an execution ends, or is cut off, are in races, too;
//   - the process q of that operation is itself an initial of v only if no event of v concerns its
//     operation: else q's first step in the reversed execution is unknown. If no initial is in
//     backtrack and q is one, q is added, else the process of one event of I(v);
//   - a race need not be of adjacent events: between a Lock and the Lock that it holds up there
//     always is an Unlock.
//
// A receive from a mailbox (trace.Mailbox) has an alternative per message. All of them are explored
// with its process. The race of the receive with a declared send leads to executions in which a
// message that was sent later is taken in its place. There the send comes first, and the receive of
// the earlier message sleeps.
//
// Why nothing is lost. Let w be a sequence possible at station s, none of whose initials has been
// explored at s or sleeps there. Let a be the alternative that was explored last at s. Let e be the
// first event of w with which a interferes, done by q (if by two processes, one that has moved in w
// before). The part u of w before e commutes with a. By induction some execution through a contains
// u, and the events of u that concern q's operation come before q moves. There the race of a and
// q's operation was found. No event of I(v) was in backtrack by then: it would have been explored
// before a, and so sleep. Nor was q, unless e is an initial of w. So a process was added, which
// would have been explored after a. Without sleep sets the argument fails, as two explored
// alternatives could vouch for each other: then all initials are added.
//
// An execution that ends in a crash or an exit hides the events that would have followed, so all
// that was enabled before its last event is explored. The last event is also in a race with the
// lines of the log, as nothing else is seen of the other events.
//
// Let such an event z of process q sleep at s, and let w be u and then z, where u has a line of the
// log: then z is no initial of w. If a changes the effect of q's operation, the race of a and q may
// be found where q moves before that line. Then v does not have the line, and q is an initial of v.
// To add q would be in vain, as z sleeps. So all enabled processes are added, as they would have
// been had z been explored at s: the initials of w are among them. z is the only alternative of q
// at s, for it would not sleep otherwise (search.Rivalled).
//
// If z has ended an execution, the races of the operations that others had declared are looked for
// as if z had not been done. z is in none of them, as all that was enabled before it is explored
// anyway. z is no part of v, either: it would count as an initial there, although nothing is
// explored for its sake where it sleeps.
package dpor

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New. Its methods beyond those of a strategy are the steps of one walk
// along the stations.
type Search struct {
	sleepSets bool
	stack     []*station
	pool      search.Pool[station]
	order     depend.Order
	fresh     bool // nothing has run yet
	more      bool // the last station of stack has a new alternative to take
	barren    bool // the execution was cut off at a wide station that had nothing left
	kept      int  // depth from which events are not those of the execution before
	partial   bool // some execution was longer than depend.MaxEvents
	fair      explore.Fair
	spun      bool // something was held back because its process polls
	gauge     search.Gauge
	first     search.First // where nothing else decides
	Context   revisit.Contexts
	of        *ofItem // of a search that explores an item; else nil
	search.Patience

	sleepers
	conflicts []depend.Conflict // scratch
}

// New returns the strategy before its first execution.
func New(sleepSets bool) *Search { return &Search{sleepSets: sleepSets, fresh: true} }

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (d *Search) SetSpins(n int) { d.fair.Bound = n }

// Prefer makes d take the first alternative of an order if nothing else decides.
func (d *Search) Prefer(o search.Order) { d.first.Order = o }

// Lead makes d take alternative i of the next state, unless that sleeps; -1: it chooses itself.
func (d *Search) Lead(i int) { d.first.Lead = i + 1 }

// Compare makes d cut off executions at states from which all has been explored; if nest, d also
// prefers the order of Contexts.Nested. It is to be called before the first execution, and returns
// d.
func (d *Search) Compare(look revisit.Look, nest bool) *Search {
	d.Context = revisit.New(look)
	if nest {
		d.first.Order = &d.Context.Nested
	}
	return d
}

// LeaveOut makes d leave out orders of tasks that commute. It needs sleep sets.
func (d *Search) LeaveOut(tasks *handlers.Classifier) { d.refine.tasks = tasks }

// Begin implements explore.Strategy.
func (d *Search) Begin() bool {
	d.fair.Reset()
	d.Context.Here = nil
	if d.fresh {
		d.fresh = false
		return true
	}
	return d.more && (d.of == nil || d.of.whole == "")
}

// Choose implements explore.Strategy.
func (d *Search) Choose(s *trace.State) int {
	d.fair.See(s)
	d.Context.See(s)
	if s.Depth < len(d.stack) {
		return d.again(s)
	}
	if d.of != nil && !d.of.begun && s.Depth < len(d.of.item.Path) {
		return d.follow(s)
	}
	n := d.pool.Get()
	n.reset(s)
	if d.of != nil && n.wide() {
		d.of.whole = tooWide
	}
	d.fallAsleep(n, s)
	n.held.See(s, &d.fair)
	i := d.first.Of(s, func(i int) bool { return contains(n.sleep, n.alts[i]) || n.held.Has(i) })
	if i < 0 {
		d.spun = d.spun || n.held.Any()
		d.release(n)
		return -1
	}
	if d.meets(n, s) {
		d.release(n)
		return -1
	}
	n.backtrack.Add(n.lighter(n.alts[i]))
	if n.fires == n.count {
		// nothing orders the timers of one deadline but their firings, which may be barriers
		n.backtrack.AddAll(n.enabled)
	}
	n.take(i)
	n.todo = n.wide() && n.next() >= 0
	n.forget()
	d.stack = append(d.stack, n)
	return i
}

// again repeats a choice.
func (d *Search) again(s *trace.State) int {
	n := d.stack[s.Depth]
	if n.index == search.Unknown && !n.resolve(s) {
		d.barren = true
		return -1
	}
	if !n.matches(s) {
		panic(explore.Mismatch{Depth: s.Depth, Want: search.Describe(n.taken, n.takenKind),
			Got: search.DescribeAll(s)})
	}
	return n.index
}

// fallAsleep computes the sleep set of a new station.
func (d *Search) fallAsleep(n *station, s *trace.State) {
	if s.Depth == 0 || !d.sleepSets {
		return
	}
	parent, e := d.stack[s.Depth-1], &s.Events[s.Depth-1]
	n.sleep = d.stillAsleep(n.sleep, parent.sleep, e, s)
	n.sleep = d.stillAsleep(n.sleep, parent.done, e, s)
	n.sleep = slices.DeleteFunc(n.sleep, func(z *sleeper) bool {
		rouse := z.Final && search.Rivalled(n.alts, z.Event.Alt)
		d.doubt = d.doubt || rouse
		return rouse
	})
}

// End implements explore.Strategy.
func (d *Search) End(x *trace.Execution) {
	stopped := !d.barren && len(x.Events) < len(d.stack)
	if !stopped && d.of == nil {
		d.gauge.End(x, len(d.stack))
	}
	kept := d.kept
	switch {
	case d.barren:
		d.barren = false
		d.pop()
	case stopped || d.of.breaks(x):
		d.more = false // from outside
		return
	default:
		if !d.refine.watch(x, d.kept) {
			d.anew()
			return
		}
		d.order.Rewind(d.kept)
		races{d, x}.find()
		races{d, x}.findContext()
	}
	d.backtrack(x)
	if d.of != nil {
		d.settle(x, kept)
	}
}

// backtrack goes back to the last station that has something left to explore, and takes it.
func (d *Search) backtrack(x *trace.Execution) {
	d.more = false
	for depth := len(d.stack) - 1; depth >= d.own() && !d.more; depth-- {
		n := d.stack[depth]
		if n.advance() {
			if d.of == nil {
				d.gauge.Next(depth)
			}
			last := depth == len(x.Events)-1
			z := d.newSleeper(&x.Events[depth], last && search.Final(x))
			z.task = d.refine.taskOf(x, depth)
			n.done = append(n.done, z)
			d.more, d.kept = true, depth
			return
		}
		d.pop()
	}
}

// own is the depth of the first station that is no node.
func (d *Search) own() int {
	if d.of == nil {
		return 0
	}
	return d.of.item.Nodes
}

// anew forgets all executions.
func (d *Search) anew() {
	for len(d.stack) > 0 {
		d.pop()
	}
	d.order.Rewind(0)
	d.Context.Forget()
	d.fresh, d.more, d.kept, d.gauge = true, true, 0, search.Gauge{}
	d.doubt = true // they will be run again
}

// planned counts the alternatives that are known and unexplored.
func (d *Search) planned() int {
	sum := 0
	for _, n := range d.stack {
		sum += n.planned()
	}
	return sum
}

// leftOut says what the search left out; empty: nothing.
func (d *Search) leftOut() string {
	switch {
	case d.Hurried:
		return explore.TimeIsUp
	case d.partial:
		return TooLong()
	}
	return search.SpinBound(d.spun, &d.fair)
}

// TooLong says what is left out of executions that are too long.
func TooLong() string {
	return fmt.Sprintf("of an execution, only the order of the first %d events is varied",
		depend.MaxEvents)
}

func (d *sleepers) newSleeper(e *trace.Event, final bool) *sleeper {
	z := d.free.Get()
	z.Set(e, final)
	return z
}

// pop drops the last station.
func (d *Search) pop() {
	last := len(d.stack) - 1
	n := d.stack[last]
	d.spun = d.spun || n.lost()
	d.stack = d.stack[:last]
	if d.of == nil {
		d.gauge.Drop()
	}
	d.Context.Leave(last)
	d.release(n)
}

// release takes back the memory of n.
func (d *Search) release(n *station) {
	n.node, n.ended = false, nil
	d.free = append(d.free, n.done...)
	d.pool = append(d.pool, n)
}

// Last implements explore.Strategy. Of two equivalent executions, sleep sets cut the later one off
// when it takes the alternative that the other one took first.
func (d *Search) Last() explore.Last {
	return explore.Last{Hash: d.order.Hash(), Hashed: true, Distinct: d.sleepSets && !d.doubt}
}

// Summary implements explore.Strategy.
func (d *Search) Summary() explore.Summary {
	s := explore.Summary{Partial: d.leftOut(), Planned: d.planned(), Pruned: &d.refine.matrix,
		Spun: d.spun}
	if d.of != nil {
		return s
	}
	s.Total, s.Spread = d.gauge.Estimate(func(depth int) int { return d.stack[depth].planned() })
	s.Revisits = d.Context.Revisits(d.refine.met)
	return s
}
