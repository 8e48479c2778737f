// Package optimal is optimal dynamic partial-order reduction: P. Abdulla, S. Aronis, B. Jonsson, K.
// Sagonas, "Optimal dynamic partial order reduction", POPL 2014; "Source sets: a foundation for
// optimal dynamic partial order reduction", JACM 64(4), 2017, Algorithm 2: one execution for each
// trace, none of them cut off.
//
//	paper                 here
//	E, pre(E, e)          Search.stack; the station at the depth of e
//	Sleep                 station.sleep, and station.done for what has been explored at the station itself
//	wut(E)                station.tree
//	e, e' in a race       races: event i, and an alternative of an act that depends on it
//	notdep(e, E)          cuts.rest
//	v                     depend.Cut and the alternative; while it is inserted, insertion
//	WI(v)                 races.covers, insertion.Initial
//	insert(v, wut(E))     wakeup.Insert
//
// Deviations. In the papers a process has one next step, which stays possible until it is done.
// Here a process has declared an operation that can have several alternatives (the cases of a
// select, the partners of a rendezvous). Other events enable some of them and disable others. So
//   - the events of a sequence are alternatives, and two alternatives of one operation are
//     dependent;
//   - an event e is in a race with any alternative that was possible in some state after E' =
//     pre(E, e) and events that do not happen after e. The alternative need not be an event of E;
//     it may be another one of e's own operation. Its effect there is foreseen from the events
//     (depend.Cut). v is then the alternative behind all of notdep(e, E), except events that depend
//     on the alternative and are to come after it. If there is a choice of these (default, a case
//     of the select that did e, WgWait, firings), each choice is tried;
//   - a race need not be of adjacent events: between a Lock and the Lock that it holds up there
//     always is an Unlock. But if each of several events could have been done where the other ones
//     were (the sends into one buffer), only the next one is looked at: see agenda;
//   - labels name a process by where it was started (names), as its number depends on the order.
//     Objects have no such name: see dictionary.
//
// Why nothing is lost. Let w be a maximal sequence from station s, none of whose initials has been
// explored there or sleeps. For each q that has been explored there or sleeps, let w(q) be the part
// of w that commutes with q. Take the q whose w(q) is longest, and let e be the first event of w
// after w(q) that depends on q. By induction an execution with q, w(q) has been explored where q
// was taken, at s or above. There v, which is w(q), some events that commute with e, and e, was
// inserted, or some b covered it. If b is in w(q)e, it is an initial of w; else b commutes with
// w(q)e, so that w(b) is longer. A sequence that the end of a branch covers adds nothing: that
// branch wakes all sleepers of the state where it begins, so that nothing sleeps where it ends.
// Below an event that wakes q, nothing need be put for q (insertion.servedBy): the argument asks
// for v at s, and at stations below where q sleeps on. On the way to those nothing wakes q.
// Alternatives that cover v beside the way, or that are put there, are explored before, so they
// sleep there, too. So v begins with the events that e needs, and e, and of all sequences with that
// beginning the tree has one. All of this assumes that b is possible. A branch that may turn out to
// be impossible (wake.loose) therefore covers only sequences that contain its event, and these are
// then impossible, too.
//
// A panic or an exit hides the events that would have followed, so all that was possible before it
// is explored, as in dpor. Only an execution shows that an alternative ends it. Once it has done
// so, the alternative counts as an end wherever it is asked for again in the same state
// (cuts.isEnd). An event that may avert the end covers nothing that may come before the end
// (races.averts). A branch below which the end sleeps on is no end of sequences that are to be put
// there (turn.open).
//
// An execution may be cut off all the same (it counts as blocked): for some of the events that a
// crash hid, or because the events leave something open. They do not tell whether a firing, or a
// receive from a timer's channel, is possible after other operations on the clock; whether a
// CompareAndSwap would succeed; and, in rare cases, whether two objects are one.
//
// The races of two events that the execution before had, too, are looked for again, unless all of v
// was there as well (races.settle). Events after a race belong to v: a sleeping alternative that
// covers the v of one execution may depend on an event that only the next execution has. If the
// race in the next execution were skipped, two alternatives could each be left to the other one.
//
// Three refinements have files of their own: observers (observed.go), mailboxes (mailbox.go), and
// contexts, with which executions are cut off (revisit.go).
//
// LIMITS: a tree has a branch for each past that e can have beside q. If such pasts begin alike,
// there can be exponentially many: lastzero(12) of package bench holds 3 MB, and each further
// writer doubles that. The places of one alternative can grow in the same way. The search for races
// takes time with the square of the length. See Adaptive.
package optimal

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// New returns the strategy before its first execution.
func New() *Search { return &Search{fresh: true} }

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (d *Search) SetSpins(n int) { d.fair.Bound = n }

// Prefer makes d take the first alternative of an order if nothing else decides.
func (d *Search) Prefer(o search.Order) { d.first.Order = o }

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

// Begin implements explore.Strategy.
func (d *Search) Begin() bool {
	d.fair.Reset()
	d.guide, d.barren, d.Context.Here = nil, false, nil
	if d.fresh {
		d.fresh = false
		return true
	}
	return d.more
}

// Choose implements explore.Strategy.
func (d *Search) Choose(s *trace.State) int {
	d.fair.See(s)
	d.names.See(s.Events[:s.Depth], len(s.Procs))
	d.Context.See(s)
	if s.Depth < len(d.stack) {
		return d.again(s)
	}
	n := d.arrive(s)
	if d.meets(n, s) {
		d.pool = append(d.pool, n)
		return -1
	}
	i := d.follow(n, s)
	if i < 0 {
		i = d.free(n, s)
	}
	if i < 0 {
		d.spun = d.spun || n.held
		d.pool = append(d.pool, n)
		return -1
	}
	n.take(i, s)
	if last := len(d.stack) - 1; last >= 0 && d.stack[last].count > search.Wide {
		d.stack[last].alts = nil
	}
	d.stack = append(d.stack, n)
	return i
}

// again repeats a choice, or takes the next branch of the station to which the search has gone
// back.
func (d *Search) again(s *trace.State) int {
	n := d.stack[s.Depth]
	if n.index == search.Unknown {
		i := d.find(n, n.next.Event, s)
		d.guide = n.next.Take()
		if i < 0 {
			i = d.follow(n, s)
		}
		if d.barren = i < 0; !d.barren {
			n.take(i, s)
		}
		return i
	}
	if len(s.Alts) != n.count || s.Alts[n.index] != n.taken ||
		s.Procs[n.taken.Proc].Kind != n.kind {
		panic(explore.Mismatch{Depth: s.Depth, Want: search.Describe(n.taken, n.kind),
			Got: search.DescribeAll(s)})
	}
	return n.index
}

// arrive returns the station of a new state.
func (d *Search) arrive(s *trace.State) *station {
	n := d.pool.Get()
	n.alts, n.count = append(n.alts[:0], s.Alts...), len(s.Alts)
	n.tree, n.next, d.guide = d.guide, nil, nil
	n.procs = len(s.Procs)
	n.sleep, n.done, n.doze, n.held = n.sleep[:0], n.done[:0], n.doze[:0], false
	n.vague = d.vague && len(n.tree) > 0
	n.known, n.bound = -1, unsettled
	n.fires = s.Procs[s.Alts[len(s.Alts)-1].Proc].Kind.Late()
	if s.Depth > 0 {
		from := int32(s.Depth) - 1
		parent, e := d.stack[from], &s.Events[from]
		n.known = parent.known
		next := d.nextOf(s, parent)
		n.sleep = d.stillAsleep(n.sleep, parent.sleep, e, next)
		n.sleep = d.stillAsleep(n.sleep, parent.done, e, next)
		n.doze = dozeOn(doze(doze(n.doze[:0], parent.sleep, from, e), parent.done, from, e),
			parent.doze,
			e)
	}
	for _, op := range s.Procs {
		if op != nil {
			n.know(op)
		}
	}
	for i := range s.Alts {
		n.held = n.held || d.fair.Waits(&s.Alts[i])
	}
	return n
}

// follow takes the first branch of a new station that can be taken, -1 if there is none.
func (d *Search) follow(n *station, s *trace.State) int {
	for len(n.tree) > 0 {
		w := n.tree.Next()
		if i := d.find(n, w.Event, s); i >= 0 {
			d.guide = w.Take()
			return i
		}
	}
	return -1
}

// find returns the alternative of a branch; -1 if it cannot, or need not, be taken.
func (d *Search) find(n *station, w *turn, s *trace.State) int {
	a, ok := d.names.Alt(w.Label)
	for i := range s.Alts {
		if !ok || s.Alts[i] != a {
			continue
		}
		if d.fair.Waits(&a) {
			d.spun = true
			return -1
		}
		if contains(n.sleep, a) || contains(n.done, a) {
			return -1
		}
		return i
	}
	d.lost = d.lost || !w.loose
	return -1
}

// free chooses if no branch leads on.
func (d *Search) free(n *station, s *trace.State) int {
	skip := func(i int) bool { return contains(n.sleep, s.Alts[i]) || d.fair.Waits(&s.Alts[i]) }
	return d.first.Of(s, skip)
}

// End implements explore.Strategy.
func (d *Search) End(x *trace.Execution) {
	stopped := !d.barren && len(x.Events) < len(d.stack)
	if !stopped {
		d.gauge.End(x, len(d.stack))
	}
	switch {
	case d.barren:
		d.pop()
	case stopped:
		d.more = false // from outside
		return
	default:
		if len(x.Events) > 0 && len(d.names.Procs) > 0 && x.End != trace.Cut {
			d.names.See(x.Events, len(x.Procs))
		}
		d.order.Rewind(d.kept)
		d.Context.Follow(x, d.kept)
		d.order.Sweep(x, func(q int32, op *trace.Op) { d.Context.Declares(q, op, d.order.Len()) })
		if d.Observed {
			narrow := d.narrowed(x)
			d.remember(x, &d.order)
			if narrow && d.begun {
				d.restart()
				return
			}
		}
		d.begun = true
		d.measure(len(x.Events))
		d.reverseAll(x)
		d.prune(x)
	}
	d.backtrack(x)
	d.weigh()
}

// backtrack goes back to the last station that has something left to explore.
func (d *Search) backtrack(x *trace.Execution) {
	d.more = false
	for depth := len(d.stack) - 1; depth >= 0; depth-- {
		n := d.stack[depth]
		if n.index != search.Unknown {
			z := d.newSleeper(&x.Events[depth], depth == len(x.Events)-1 && search.Final(x))
			z.lazy = d.lazy(x, depth)
			n.done = append(n.done, z)
		}
		if len(n.tree) > 0 {
			d.gauge.Next(depth)
			n.next, n.index = n.tree.Next(), search.Unknown
			d.more, d.kept = true, depth
			return
		}
		d.pop()
	}
}

// pop drops the last station.
func (d *Search) pop() {
	last := len(d.stack) - 1
	n := d.stack[last]
	d.rested = append(d.rested, n.done...)
	d.pool = append(d.pool, n)
	n.done = n.done[:0]
	d.stack = d.stack[:last]
	d.gauge.Drop()
	d.Context.Leave(last)
}

func (d *sleepers) newSleeper(e *trace.Event, final bool) *sleeper {
	z := d.rested.Get()
	z.Set(e, final)
	return z
}

// stillAsleep appends to dst those of list that e does not wake. next is the operation that the
// receiver of e, if it has one, has declared after e.
func (d *sleepers) stillAsleep(dst, list []*sleeper, e *trace.Event, next *trace.Op) []*sleeper {
	for _, z := range list {
		woken, beyond := z.WokenBy(e)
		if !woken || z.sleepsBeside(e, next) {
			dst = append(dst, z)
		}
		d.doubt = d.doubt || beyond
	}
	return dst
}

// hash returns the hash of the trace of the last execution.
func (d *Search) hash() uint64 {
	if d.Observed {
		return d.unseen.Hash()
	}
	return d.order.Hash()
}

// planned counts the branches that are known and unexplored.
func (d *Search) planned() (sum int) {
	for _, n := range d.stack {
		sum += len(n.tree)
	}
	return sum
}

// LeavesOut reports whether the search left something out that another strategy would explore.
func (d *Search) LeavesOut() bool { return d.lost || d.coarse }

// leftOut says what the search left out; empty: nothing.
func (d *Search) leftOut() string {
	switch {
	case d.Hurried:
		return explore.TimeIsUp
	case d.lost:
		return "something that was foreseen was not possible"
	case d.partial:
		return fmt.Sprintf("of an execution, only the order of the first %d events is varied",
			depend.MaxEvents)
	case d.coarse:
		return "some operation had too many places among others to try all of them"
	}
	return search.SpinBound(d.spun, &d.fair)
}

// Last implements explore.Strategy.
func (d *Search) Last() explore.Last {
	return explore.Last{
		Hash: d.hash(), Hashed: true, Distinct: !d.doubt && !d.Observed, Repeats: d.repeats,
		GaveUp: d.Over || d.Full || d.LeavesOut(),
		Sight:  explore.Sight{Observed: d.Observed, Least: d.least, Joining: d.joining},
	}
}

// Summary implements explore.Strategy.
func (d *Search) Summary() explore.Summary {
	s := explore.Summary{
		Name: "optimal", Partial: d.leftOut(), Planned: d.planned(),
		Joints: d.joints, Unseen: d.hidden, Revisits: d.Context.Revisits(0),
		Spun: d.spun,
	}
	s.Total, s.Spread = d.gauge.Estimate(func(depth int) int { return len(d.stack[depth].tree) })
	return s
}
