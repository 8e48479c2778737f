// Package tasks is optimal dynamic partial-order reduction over whole tasks: P. Abdulla, S. Aronis,
// B. Jonsson, K. Sagonas, "Optimal dynamic partial order reduction", POPL 2014; "Source sets: a
// foundation for optimal dynamic partial order reduction", JACM 64(4), 2017, Algorithm 2; in the
// setting of P. A. Abdulla, M. F. Atig, F. M. Bonneland, S. Das, B. Jonsson, M. Lang, K. Sagonas,
// "Tailoring Stateless Model Checking for Event-Driven Multi-Threaded Programs" (Event-DPOR), ATVA
// 2023: the unit that changes its place is a message with its whole task. Static facts say which
// tasks commute: E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing", FORTE 2014, sect. 5.
//
//	paper                     here
//	process p                 a message: it has one step, which is possible once it has been sent and its receiver waits for it
//	E, pre(E, e)              Search.stack; the station of e
//	Sleep                     station.sleep, and station.done for what has been explored at the station itself
//	wut(E)                    station.tree
//	e -> e'                   course.ordered
//	e, e' in a race           Search.reverse, reversePending
//	v = notdep(e, E).e'       sequence
//	WI(v)                     insertion.initial
//	insert(v, wut(E))         wakeup.Insert
//	indep(t1, t2)             Facts.Commute
//
// As in package transdpor, each step that is no delivery is done as soon as it is possible, and a
// program in which such a step is in a race is refused. A station is a state in which only
// deliveries are possible. So an execution is a sequence of deliveries. Two deliveries depend on
// each other if one process takes both messages and the facts do not say that their tasks commute.
// One delivery happens before another in three cases: if it comes first and they depend on each
// other, if its task causes the send of the other message, or if goroutines that are no actors
// establish the order (order.go).
//
// A task that commutes with others (a plain one) needs more than facts that say so. It begins at a
// receive from mailboxes and ends at the same receive, from the same mailboxes. In between it only
// sends, and waits for nobody who was not there when it began. Each execution is checked for that.
// If a task does otherwise, the facts of its handler are not used any more, and the search begins
// anew. This comes to light in time: up to the first such task, an execution that has been left out
// is equivalent to one that was run, and the steps of a task depend only on the events that happen
// before it.
//
// Facts take all sends to commute under -model actor. A channel of Go's keeps the order of sends.
// If a handler is seen to send to such a channel after another task, without which that would have
// been otherwise, it commutes only as under -model pairs. Facts with conditions on values are asked
// with the values of one execution: channels and pointers of two executions differ.
//
// A loop that ends after a number of messages, whatever they are, is an exception (Facts.Rounds):
// the last of its plain tasks may leave the loop. If two of the tasks both run, neither their order
// matters nor which one is the last; events after the loop happen after all of them. But a message
// for which no round is left cannot be taken any more. So a message that is never taken is in a
// race with each of the loop's deliveries, not just with the last one. And the task that takes the
// last round commutes with no other delivery to that process (insertion.ended).
//
// Deviations.
//   - Processes and messages are known by names that count within a task, as commuting tasks
//     exchange the numbers that a process gives its messages: names.
//   - A race need not be of neighbours: an actor that waits for one mailbox and then for another
//     one takes messages in between that are in no race. A message races with the last deliveries,
//     of those on which it depends, by a receive that might have taken it.
//   - A message that is never taken is in a race, too: with the delivery after which nobody waits
//     for it.
//   - A task that crashes or exits hides later events. So all deliveries that are possible when it
//     begins are explored, it never sleeps, and nothing comes after it in a wakeup tree.
//   - All races of an execution are looked at, also those in the part that it shares with the one
//     before: their v has new events.
//   - Executions are cut off at states from which all has been explored, if that is wanted:
//     revisit.go.
//
// Why nothing is lost. Take the argument of package optimal, with deliveries for events. Let w be a
// maximal sequence from a station, none of whose initials has been explored there or sleeps. Let q
// be an explored delivery for which w(q), the part of w that commutes with q, is longest, and let e
// be the first delivery of w after w(q) that depends on q. An execution with q, w(q) has been
// explored. If e has been taken there, it is in a race with q, or with a delivery after q, which is
// reversed first. If not, its receiver has left the receive. It may have left by a task that
// depends on e; then the race with that task is reversed. Or it has left by the last round of a
// loop, to which q belongs, as otherwise q had left a round for e; then e and q are in a race as
// well. In each case v, which is w(q), some deliveries that commute with e, and e, was inserted, or
// is covered. e is possible in v because the program was not refused: e needs only that its message
// has been sent and that its receiver waits, and plain tasks change neither.
//
// LIMITS: let the tasks of a loop send different numbers of messages, and let the process send
// after the loop, before it next waits for messages. Then the two kinds of sends cannot be told
// apart at run time, and such tasks commute with none. The trees can grow exponentially with the
// length of an execution. Numbers of traces are equal only for executions that do not crash.
package tasks

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/revisit"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New. It stands on a judgement, which says which tasks commute, and on
// the course of an execution, which has happens-before. The search for races has its methods with
// races.
type Search struct {
	course
	rank  search.Order
	at    int               // the station that comes next
	guide wakeup.Tree[turn] // branches of the station that comes next

	fresh  bool // nothing has run yet
	more   bool // the last station has a branch to take
	runs   int  // executions since the search began, or began anew
	barren bool // nothing could be taken at the last station
	lost   bool // a delivery that was foreseen was not there
	doubt  bool // some execution may have been run twice
	gauge  search.Gauge

	Context revisit.Contexts
	// branches of a station that is reached again, since it is not cut off any more
	regain wakeup.Tree[turn]

	matrix handlers.Matrix // orders that have been left out
	met    int             // of those, because of equal states: see contexts
	hash   uint64
	ranks  []int32 // scratch
}

// station is a state of the current execution in which only deliveries are possible.
type station struct {
	depth int               // events before it
	alts  []trace.Alt       // enabled
	index int               // of the one that is being explored
	op    trace.Op          // that its process had declared
	task  *task             // that it begins; nil: none
	tree  wakeup.Tree[turn] // to be explored after it // wut(E)
	// explored before, and nothing dependent has been delivered since // sleep(E)
	sleep []*task
	done  []*task // explored here
}

// task is a delivery with all that it causes, by names that hold across executions.
type task struct {
	name  int32 // of the delivery
	proc  int32 // of the process that takes the message
	mail  int32 // of the message
	which int32 // the case of a select that takes it
	facts handlers.Delivery
	epoch int // the execution that the message's value in facts is of
	// the facts know the task, and it is as they say; else it commutes with no task of its process
	plain  bool
	rounds bool // it belongs to a loop that ends after a number of messages, whatever they are
	sends  int  // what comes after these is no part of it
	last   bool // it was the last one of its loop when it was explored
	final  bool // it ended the execution, by a crash or an exit
}

// New returns the strategy before its first execution. A nil order is fifo.
func New(f Facts, order search.Order) *Search {
	if order == nil {
		order = search.Fifo{}
	}
	d := &Search{rank: order, fresh: true}
	d.Eager = deliveries.New("optimal with facts", "dpor -sleep")
	d.judgement = judgement{facts: f, distrusted: map[handlers.Ref]bool{},
		ordering: map[handlers.Ref]bool{}}
	return d
}

// Compare makes d cut off executions at stations from which all has been explored; if nest, d uses
// the order Contexts.Nested. It is to be called before the first execution, and returns d.
func (d *Search) Compare(look revisit.Look, nest bool) *Search {
	d.Context = revisit.New(look)
	if nest {
		d.rank = &d.Context.Nested
	}
	return d
}

// Begin implements explore.Strategy.
func (d *Search) Begin() bool {
	d.Fair.Reset()
	d.at, d.guide, d.barren = 0, d.regain, false
	d.regain, d.Context.Here = nil, nil
	d.epoch++
	if d.fresh {
		d.fresh = false
		return true
	}
	return d.more
}

// Choose implements explore.Strategy.
func (d *Search) Choose(s *trace.State) int {
	d.Fair.See(s)
	d.names.see(s.Events[:s.Depth], len(s.Procs))
	d.Context.See(s)
	if i, ok := d.Step(s); ok {
		return i
	}
	d.Crowded = false
	if d.at == len(d.stack) {
		d.stack = append(d.stack, d.arrive(s))
		d.barren = d.meets(d.stack[d.at], s)
	}
	n := d.stack[d.at]
	d.at++
	if d.barren {
		return -1
	}
	n.check(s)
	if n.task == nil {
		return d.pick(n, s)
	}
	d.refresh(n.task)
	return n.index
}

// arrive returns the station of a new state.
func (d *Search) arrive(s *trace.State) *station {
	n := &station{depth: s.Depth, alts: slices.Clone(s.Alts), tree: d.guide}
	d.guide = nil
	if last := len(d.stack) - 1; last >= 0 {
		before := d.stack[last]
		for _, list := range [...][]*task{before.sleep, before.done} {
			for _, z := range list {
				d.refresh(z)
				if !z.final && d.commute(z, before.task) &&
					(z.proc != before.task.proc || before.returned(s)) {
					n.sleep = append(n.sleep, z)
				}
			}
		}
	}
	if d.Context.Look != nil { // without contexts there are none
		n.tree = slices.DeleteFunc(n.tree, func(w *wake) bool { return n.sleeps(w.Event.name) })
	}
	return n
}

// returned reports whether the process of n's task waits, in the state s after it, at the receive
// at which it waited before.
func (n *station) returned(s *trace.State) bool {
	op := s.Procs[n.alts[n.index].Proc]
	return op != nil && sameOp(op, &n.op)
}

// check panics if s is not the state of n.
func (n *station) check(s *trace.State) {
	if s.Depth == n.depth && slices.Equal(s.Alts, n.alts) {
		return
	}
	want := "something else"
	if n.task != nil {
		want = search.Describe(n.alts[n.index], trace.Recv)
	}
	panic(explore.Mismatch{Depth: s.Depth, Want: want, Got: search.DescribeAll(s)})
}

// sleeps reports whether the delivery of a name has been explored at n, or sleeps there.
func (n *station) sleeps(name int32) bool {
	named := func(z *task) bool { return z.name == name }
	return slices.ContainsFunc(n.sleep, named) || slices.ContainsFunc(n.done, named)
}

// mailOnly reports whether op receives from mailboxes, and does nothing else.
func mailOnly(op *trace.Op) bool {
	return op.Kind == trace.Recv ||
		!op.Default && !slices.ContainsFunc(op.Cases, deliveries.NotMail)
}

// End implements explore.Strategy.
func (d *Search) End(x *trace.Execution) {
	if d.Refusal == nil && !d.barren && (x.End == trace.Cut || d.at < len(d.stack)) {
		d.more = false // from outside
		return
	}
	if len(x.Events) > 0 && len(d.names.procs) > 0 && x.End != trace.Cut {
		d.names.see(x.Events, len(x.Procs))
	}
	d.gauge.End(x, len(d.stack))
	guide := d.branches()
	switch again := d.Refusal == nil && d.study(x); {
	case d.Refusal != nil:
		d.more = false
	case again:
		d.anew()
	case d.follow(x):
		d.again(guide)
	default:
		d.runs++
		races{d, x}.reverseAll()
		races{d, x}.findContext()
		d.backtrack()
	}
}

// branches returns the branches of the last station.
func (d *Search) branches() wakeup.Tree[turn] {
	if len(d.stack) == 0 {
		return nil
	}
	return d.stack[len(d.stack)-1].tree
}

// study finds happens-before in x. It reports whether the search must begin anew, as some task is
// not plain.
func (d *Search) study(x *trace.Execution) (again bool) {
	if d.barren {
		d.pop()
		d.kept = min(d.kept, len(d.stack))
	}
	d.read(x)
	for d.Refusal == nil && d.findFaults(x, d.Context.Look != nil) {
		if d.runs > 0 {
			return true
		}
		d.rename(x)
		d.kept = 0
		d.read(x)
	}
	return false
}

// rename names all that is in x anew, after some tasks have turned out not to be plain.
func (d *Search) rename(x *trace.Execution) {
	at, procs := 0, 0
	for k := range len(x.Events) + 1 {
		for procs < len(x.Procs) && int(x.Procs[procs].Born) <= k {
			procs++
		}
		d.names.see(x.Events[:k], procs)
		if at < len(d.stack) && d.stack[at].depth == k {
			n := d.stack[at]
			n.task = d.taskOf(&n.op, n.alts[n.index])
			at++
		}
	}
}

// anew forgets all executions.
func (d *Search) anew() {
	for len(d.stack) > 0 {
		d.pop()
	}
	d.Context.Forget()
	d.matrix, d.met, d.gauge = handlers.Matrix{}, 0, search.Gauge{}
	d.fresh, d.more, d.kept, d.runs = true, true, 0, 0
	d.doubt = true // they will be run again
}

// backtrack goes back to the last station that has something left to explore.
func (d *Search) backtrack() {
	d.more = false
	for c := len(d.stack) - 1; c >= 0; c-- {
		n := d.stack[c]
		n.done, n.task = append(n.done, n.task), nil
		if len(n.tree) > 0 {
			d.gauge.Next(c)
			d.more, d.kept = true, c+1
			return
		}
		d.pop()
	}
}

// pop drops the last station.
func (d *Search) pop() {
	last := len(d.stack) - 1
	d.stack = d.stack[:last]
	d.gauge.Drop()
	d.Context.Leave(last)
}

// planned counts the branches that are known and unexplored.
func (d *Search) planned() (sum int) {
	for _, n := range d.stack {
		sum += len(n.tree)
	}
	return sum
}

// leftOut says what the search left out; empty: nothing.
func (d *Search) leftOut() string {
	if d.lost {
		return "something that was foreseen was not possible"
	}
	return d.Eager.Partial()
}

// Last implements explore.Strategy.
func (d *Search) Last() explore.Last {
	return explore.Last{Hash: d.hash, Hashed: true, Distinct: !d.doubt}
}

// Summary implements explore.Strategy.
func (d *Search) Summary() explore.Summary {
	s := explore.Summary{Partial: d.leftOut(), Planned: d.planned(), Refusal: d.Refusal,
		Pruned: &d.matrix}
	s.Total, s.Spread = d.gauge.Estimate(func(c int) int { return len(d.stack[c].tree) })
	s.Revisits = d.Context.Revisits(d.met)
	return s
}
