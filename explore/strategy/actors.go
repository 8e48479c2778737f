package strategy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Actor-level search: E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning
// Redundant State-Exploration in Testing", FORTE 2014, Fig. 2, with the freeze flag of S. Tasharofi et al.,
// "TransDPOR", FMOODS/FORTE 2012, Fig. 2. Task selection (Fig. 6) is in marks.go.
//
//	paper               here
//	a, t                a process; an alternative of it, by which it takes message t
//	S                   a state in which nothing is left to do but to take messages: round
//	S -a.t-> S'         macro-step: a takes t, and then everything goes on that can without taking another message
//	E                   Actors.stack
//	selectActor(S)      Actors.order
//	selectTask(a)       round.tasks
//	back(S), done(S)    round.back, round.done
//	updateBackSets      Actors.update
//	freeze(S)           round.frozen
//
// Deviations. The paper's tasks do nothing but send. A task of a Go program may also lock, write to a plain channel,
// or make another process go on, and the rest of it is run as part of the step. That is sound as long as no such
// operation is in a race: in the executions that are run, races are looked for among all events, as dpor does, and one
// that is not of the receive of a message with the send of another one makes the search partial: it says so. So does
// a choice that is no message (of a select, of a random number).
//
// updateBackSets is done when an execution ends, for all of its sends, in their order. Nothing looks at back sets before.
// The task that comes first after a step and leads to a message is always possible in the step's state: what it would
// wait for would come before it, and lead to the message, too.
//
// A panic hides what other actors would have done. Their steps are explored in front of it.

// Actors is the strategy. See NewActors.
type Actors struct {
	order   Order
	tasks   Tasks // which tasks commute; nil: none, all are explored
	freeze  bool
	literal bool // task selection as printed, see marks.go

	stack   []*round
	pool    []*round
	at      int // rounds of the execution so far
	hb      depend.Order
	kept    int // events from which an execution is not the one before
	fresh   bool
	more    bool
	partial string // why this search is not complete
	fair    explore.Fair
	spun    bool
	count   Selection

	conflicts []depend.Conflict // scratch
	ranks     []int32           // scratch
}

// Prover is implemented by orders that rank an actor as 0 if nobody else can send it anything until it moves.
type Prover interface{ Proves() }

// Selection says how actors were selected.
type Selection struct {
	States      int // in which a message could be taken, each as often as it was come to by another way
	Proved      int // of them, where the actor selected was proved to be stable
	Heuristic   int // where that failed
	Backtracked int // how often another actor had to be selected as well
	Refuted     int // how often that was so although the first one had been proved to be stable: never, if the facts are right
}

// round is a state on the path of the current execution.
type round struct {
	depth  int // events before it
	alts   []trace.Alt
	marked []bool  // Fig. 6: alternatives that are not to be selected
	procs  []int32 // that have messages to take, ascending; with task selection, an unmarked one
	back   []int32 // to be explored, in the order in which they were added
	done   int     // how many of back have been begun
	queue  []int   // alternatives of the present actor that are left
	taken  int     // the present alternative
	after  []bool  // Fig. 6: what it marks
	frozen bool    // nothing is added to back until another actor is begun
	proved bool    // the first actor was proved to be stable
}

// NewActors returns the search before its first execution. order nil is fifo.
func NewActors(order Order, tasks Tasks, freeze bool) *Actors {
	if order == nil {
		order = fifo{}
	}
	return &Actors{order: order, tasks: tasks, freeze: freeze, fresh: true}
}

// Begin implements explore.Strategy.
func (x *Actors) Begin() bool {
	x.fair.Reset()
	x.at = 0
	fresh := x.fresh
	x.fresh = false
	return fresh || x.more
}

// Choose implements explore.Strategy.
func (x *Actors) Choose(s *trace.State) int {
	x.fair.See(s)
	if i := x.within(s); i >= 0 {
		return i
	}
	x.at++
	if x.at <= len(x.stack) {
		return x.again(s, x.stack[x.at-1])
	}
	r := x.enter(s)
	if len(r.procs) == 0 { // all tasks are marked
		x.pool = append(x.pool, r)
		return -1
	}
	x.selectActor(s, r)
	if !x.advance(r) { // literal only
		return -1
	}
	x.stack = append(x.stack, r)
	x.choose(s, r)
	return r.taken
}

// again takes what was taken before.
func (x *Actors) again(s *trace.State, r *round) int {
	if len(s.Alts) != len(r.alts) || s.Depth != r.depth || s.Alts[r.taken] != r.alts[r.taken] {
		panic(explore.Mismatch{Depth: s.Depth, Want: describe(r.alts[r.taken], trace.Recv), Got: describeAll(s)})
	}
	if x.at == len(x.stack) {
		x.choose(s, r)
	}
	return r.taken
}

// enter makes a round of s.
func (x *Actors) enter(s *trace.State) *round {
	r := x.newRound()
	r.depth, r.alts = s.Depth, append(r.alts[:0], s.Alts...)
	r.procs, r.back, r.done, r.frozen, r.proved = r.procs[:0], r.back[:0], 0, false, false
	x.mark(r)
	for i, a := range r.alts {
		if (x.literal || !r.marked[i]) && !slices.Contains(r.procs, a.Proc) {
			r.procs = append(r.procs, a.Proc)
		}
	}
	x.count.States++
	return r
}

// selectActor begins r with the actor that the order ranks first.                   // Fig. 2, l. 4-7
func (x *Actors) selectActor(s *trace.State, r *round) {
	x.ranks = x.order.Rank(s, x.ranks[:0])
	best := -1
	for i, rank := range x.ranks {
		if slices.Contains(r.procs, r.alts[i].Proc) && (best < 0 || rank < x.ranks[best]) {
			best = i
		}
	}
	r.back = append(r.back, r.alts[best].Proc)
	if _, ok := x.order.(Prover); ok {
		if r.proved = x.ranks[best] == 0; r.proved {
			x.count.Proved++
		} else {
			x.count.Heuristic++
		}
	}
}

// advance goes on to the next task of r, and reports whether there is one.          // Fig. 2, l. 8-11
func (x *Actors) advance(r *round) bool {
	for len(r.queue) == 0 {
		if r.done == len(r.back) {
			return false
		}
		r.queue, r.frozen = r.tasks(r.back[r.done], r.queue), false
		r.done++
	}
	r.taken, r.queue = r.queue[0], r.queue[1:]
	return true
}

// tasks is selectTask(a).
func (r *round) tasks(p int32, list []int) []int {
	for i, a := range r.alts {
		if a.Proc == p && !r.marked[i] {
			list = append(list, i)
		}
	}
	return list
}

// End implements explore.Strategy.
func (x *Actors) End(e *trace.Execution) {
	if e.End == trace.Cut && x.at <= len(x.stack) {
		x.more = false // from outside
		return
	}
	x.hb.Rewind(x.kept)
	x.findRaces(e)
	x.more = false
	for n := len(x.stack); n > 0 && !x.more; n-- {
		r := x.stack[n-1]
		if x.more = x.advance(r); x.more {
			x.kept = r.depth
			return
		}
		x.pool, x.stack = append(x.pool, r), x.stack[:n-1]
	}
}

// findRaces does updateBackSets for all that is new in e.
func (x *Actors) findRaces(e *trace.Execution) {
	for k := x.hb.Len(); k < len(e.Events); k++ {
		ev, last := &e.Events[k], int32(-1)
		if k < depend.MaxEvents {
			op := depend.Declared(ev)
			last = x.raced(e, ev.Proc, &op)
			if ev.Partner >= 0 {
				x.raced(e, ev.Partner, &ev.PartnerOp)
			}
		} else {
			x.leave("of an execution, only the order of the first %d events is varied", depend.MaxEvents)
		}
		x.hb.Add(e)
		if last >= 0 {
			x.update(e, last, int32(k))
		}
	}
	for q := range e.Procs {
		if p := &e.Procs[q]; !p.Ended && p.Pending.Kind != trace.None && len(e.Events) <= depend.MaxEvents {
			x.raced(e, int32(q), &p.Pending)
		}
	}
	if final(e) && len(x.stack) > 0 {
		x.stack[len(x.stack)-1].addAll()
	}
}

// raced returns the last receive of a message that might have taken what op sends; -1 if there is none, or op is no such
// send. Any other race is not for this search.
func (x *Actors) raced(e *trace.Execution, q int32, op *trace.Op) (last int32) {
	last = -1
	x.conflicts = x.hb.Conflicts(e, q, op, x.conflicts[:0])
	for _, c := range x.conflicts {
		i := &e.Events[c.Event]
		switch {
		case !c.Race:
		case op.Kind == trace.Send && trace.Mailbox(op.Cap) && i.Takes.Number > 0:
			last = max(last, c.Event)
		default:
			x.leave("%s may %v before or after %s may %v: the order of messages is not all that decides", e.Procs[i.Proc].Path, i.Kind, e.Procs[q].Path, op.Kind)
		}
	}
	return last
}

// update sees that the message that event k sends can come to where event i took another one.    // Fig. 2, l. 3
func (x *Actors) update(e *trace.Execution, i, k int32) {
	if x.hb.Before(i, k) {
		return
	}
	n := x.roundAt(int(i))
	r := x.stack[n]
	if x.freeze && r.frozen {
		return
	}
	for _, later := range x.stack[n+1:] {
		if j := int32(later.depth); j < k && x.hb.Before(j, k) {
			r.add(e.Events[j].Proc, x)
			return
		}
	}
	r.addAll()
}

// roundAt returns the number of the round whose step begins with event i.
func (x *Actors) roundAt(i int) int {
	n, ok := slices.BinarySearchFunc(x.stack, i, func(r *round, i int) int { return r.depth - i })
	if !ok {
		panic(fmt.Sprintf("strategy: no step begins with event %d", i))
	}
	return n
}

// add puts process p into the back set.
func (r *round) add(p int32, x *Actors) {
	if slices.Contains(r.back, p) {
		return
	}
	r.back, r.frozen = append(r.back, p), true
	x.count.Backtracked++
	if r.proved {
		x.count.Refuted++
	}
}

// addAll puts all processes into the back set.
func (r *round) addAll() {
	for _, p := range r.procs {
		if !slices.Contains(r.back, p) {
			r.back = append(r.back, p)
		}
	}
}

// leave notes that something is left out.
func (x *Actors) leave(format string, args ...any) {
	if x.partial == "" {
		x.partial = fmt.Sprintf(format, args...)
	}
}

// Partial implements the interface Partial.
func (x *Actors) Partial() string {
	if x.partial != "" {
		return x.partial
	}
	return spinBound(x.spun, &x.fair)
}

// Hash returns the hash of the trace of the last execution.
func (x *Actors) Hash() uint64 { return x.hb.Hash() }

// Selection returns how actors have been selected so far.
func (x *Actors) Selection() Selection { return x.count }

// Planned counts the tasks that are known to be still unexplored.
func (x *Actors) Planned() (sum int) {
	for _, r := range x.stack {
		sum += len(r.queue)
		for _, p := range r.back[r.done:] {
			sum += len(r.tasks(p, nil))
		}
	}
	return sum
}

func (x *Actors) newRound() *round {
	if last := len(x.pool) - 1; last >= 0 {
		r := x.pool[last]
		x.pool = x.pool[:last]
		return r
	}
	return &round{}
}
