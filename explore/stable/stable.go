// Package stable finds actors to which nobody else will send anything until they move: E. Albert,
// P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, sect. 4. A search that selects such an actor first
// need not select another one in that state.
//
//	paper                    here
//	act(a, t, h, Q)          a process that waits for messages; Q: those that are under way to its mailboxes
//	tsk(t, m1, l, s) in Q'   pending
//	class(a), A1::m1         View.Class, View.Targets
//	l(x) = a                 View.Carries; knowledge
//	h(f) = a                 View.Holds; knowledge
//	Ch(A1::m1)               calls.chains
//	temporarily stable       Order.Stable; Theorem 1 is in breaks
//	st(a, t, Ch, S), ka...   weight
//	st(a, S)                 Order.level
//
// Deviations. The weights of Def. 3 are summed up over the chains and over the actors that have
// tasks; of one actor's tasks, the one with the highest sum counts. Of the chains of one task,
// those of weight kc count once, because their number says more about the facts than about the
// program. The sum says how unstable an actor is, so the actor with the least sum is selected, as
// in the paper's Example 4. In that example, two chains of three tasks whose first actor holds the
// reference have weight kc; by the definition before it, and here, their weight is kb.
//
// Theorem 1 looks for references in the task, in its actor, and in the actors on the way. These
// places are not enough: a message that causes no task may carry the reference to an actor on the
// way, which keeps it (TestKeptReference), or passes it on to one. Here, the processes that may
// know a are those that hold the reference, those with a message that carries it, and those to
// which these may send references. A task breaks the stability of a if it causes a task in which
// one of these processes may send to a.
//
// A chain may contain its first task again in its middle, as Example 4 needs (Fib::res -> Fib::res
// -> Fib::res), though the definition of Ch excludes it. Theorem 1 is about all ways from m1 to An,
// not about chains only: if two parts of a way overlap, no chain contains them both, but a
// reference can go that way.
//
// For a goroutine that is no actor, tasks cannot be told apart. Its calls count from its first
// operation that may wait (facts.Call.Early), because a search selects an actor only when all other
// processes have gone on as far as they can.
//
// The two refinements of the end of sect. 4.3: a call that needs d conditions counts 1/(1+d). Of
// two actors of equal level, the one that breaks the stability of more others is selected, and then
// the one that was created last.
//
// Guarantees: if the View's answers are true or err towards yes, Stable is right as long as
// processes get references by messages only. A search that selects an unstable actor is still
// complete, only longer.
//
// LIMITS: a process that waits for something other than a message counts as idle.
package stable

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// View is the knowledge of a running program beside its trace.
type View interface {
	// At says which state the other methods are about, until it is called again.
	At(s *trace.State)
	// Class returns the actor that process p is (facts.Target.Actor), or "" if that is not known.
	Class(p int32) string
	// Targets returns the tasks one of which message m starts in process p; none: the task is
	// unknown.
	Targets(p int32, m trace.Message) []facts.Target
	// Carries reports whether message m may lead to a mailbox of process a.
	Carries(m trace.Message, a int32) bool
	// Holds reports whether process p may hold, beside its messages, a value that leads to a
	// mailbox of process a.
	Holds(p, a int32) bool
	// Told reports, if Holds is true, whether p may have been told of a mailbox of a. Else p has
	// made it, and perhaps keeps it.
	Told(p, a int32) bool
}

// Order selects actors. It implements search.Order.
type Order struct {
	view  View
	calls *calls
}

// New returns the order for a program with these calls.
func New(calls []facts.Call, view View) *Order { return &Order{view: view, calls: newCalls(calls)} }

// Tells says which actors may get references from which. Without it, any call may carry one.
func (o *Order) Tells(tells func(from, to string) bool) *Order {
	o.calls.restrict(tells)
	return o
}

// pending is a message that has been sent and not taken.
type pending struct {
	message trace.Message
	proc    int32          // who will take it, -1 if that is not known
	targets []facts.Target // one of them is the task; none: it is not known
}

// Proves implements transdpor.Prover.
func (o *Order) Proves() {}

// Rank implements search.Order: 0 for an actor that is proved stable, then those with the least
// levels.
func (o *Order) Rank(s *trace.State, dst []int32) []int32 {
	o.view.At(s)
	tasks := o.pending(s)
	var list []ranked
	for _, a := range s.Alts {
		if len(list) == 0 || list[len(list)-1].proc != a.Proc {
			list = append(list, ranked{proc: a.Proc})
		}
	}
	o.rank(s, list, tasks)
	for _, a := range s.Alts {
		i := slices.IndexFunc(list, func(r ranked) bool { return r.proc == a.Proc })
		dst = append(dst, list[i].rank)
	}
	return dst
}

// Stable reports whether process a is proved to be stable in s.
func (o *Order) Stable(s *trace.State, a int32) bool {
	o.view.At(s)
	tasks := o.pending(s)
	return o.stable(o.knowing(s, a, tasks), tasks)
}

func (o *Order) stable(k *knowledge, tasks []pending) bool {
	return !slices.ContainsFunc(tasks, func(t pending) bool { return o.breaks(&t, k) })
}

// breaks reports whether t may make some process send to k's actor: neither condition of Theorem 1
// holds.
func (o *Order) breaks(t *pending, k *knowledge) bool {
	switch {
	case t.proc == k.actor:
		return false
	case len(t.targets) == 0 || k.class == "":
		return true
	}
	return slices.ContainsFunc(t.targets, func(m facts.Target) bool {
		w := o.calls.way(m, k.class) // condition 1: it leads nowhere
		return w.own && (k.direct(t) || k.told[m.Actor]) || k.any(w.callers)
	})
}

// knowledge is the set of processes that may know an actor, and so may send to it.
type knowledge struct {
	actor   int32
	class   string
	procs   map[int32]bool  // that know it now, or when they have taken their messages
	heard   map[int32]bool  // of these, those that were told of it
	classes map[string]bool // of these
	told    map[string]bool // those that may be told by others
}

// knowing finds the processes that may know a while a does not move.
func (o *Order) knowing(s *trace.State, a int32, tasks []pending) *knowledge {
	k := &knowledge{actor: a, class: o.view.Class(a), procs: map[int32]bool{},
		heard:   map[int32]bool{},
		classes: map[string]bool{}, told: map[string]bool{}}
	for q, op := range s.Procs {
		if int32(q) == a || op == nil {
			continue
		}
		if o.view.Holds(int32(q), a) {
			k.procs[int32(q)] = true
			k.heard[int32(q)] = o.view.Told(int32(q), a)
		}
	}
	for _, t := range tasks {
		if t.proc != a && t.proc >= 0 && o.view.Carries(t.message, a) {
			k.procs[t.proc], k.heard[t.proc] = true, true
		}
	}
	for q := range k.procs {
		k.classes[o.view.Class(q)] = true
	}
	if k.classes[""] { // it may be any goroutine that is no actor
		maps.Copy(k.classes, o.calls.aliens)
	}
	for class := range k.classes {
		o.calls.tell(class, k.told)
	}
	return k
}

// direct reports whether t's actor may know the actor.
func (k *knowledge) direct(t *pending) bool { return k.procs[t.proc] }

// any reports whether one of the classes may know the actor.
func (k *knowledge) any(classes map[string]bool) bool {
	for c := range classes {
		if k.has(c) {
			return true
		}
	}
	return false
}

// has reports whether a process of a class may know the actor.
func (k *knowledge) has(class string) bool { return k.classes[class] || k.told[class] }

// pending lists the messages that have been sent and not taken.
func (o *Order) pending(s *trace.State) []pending {
	var list []pending
	taken := map[trace.Message]bool{}
	for i := s.Depth - 1; i >= 0; i-- {
		e := &s.Events[i]
		switch m := e.Message(); {
		case m.Number == 0:
		case e.Kind == trace.Recv:
			taken[m] = true
		case !taken[m]:
			p := pending{message: m, proc: taker(s, e.Obj)}
			if p.proc >= 0 {
				p.targets = o.view.Targets(p.proc, m)
			}
			list = append(list, p)
		}
	}
	return list
}

// taker returns the process that waits for messages of a mailbox; -1 if there is none.
func taker(s *trace.State, box int32) int32 {
	for p, op := range s.Procs {
		if op == nil {
			continue
		}
		if op.Kind == trace.Recv && op.Obj == box {
			return int32(p)
		}
		for _, c := range op.Cases {
			if c.Kind == trace.Recv && c.Obj == box {
				return int32(p)
			}
		}
	}
	return -1
}
