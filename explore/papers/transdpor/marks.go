package transdpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Task selection: E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies
// for Pruning Redundant State-Exploration in Testing", FORTE 2014, Fig. 6, which replaces lines 10
// and 11 of Fig. 2 (actors.go).
//
//	paper             here
//	<t, flag>         an alternative and configuration.marked
//	Q                 the alternatives of one process, in the order in which the messages were sent
//	indep(t, t')      Tasks
//	unmark(a)         what is marked for a is not kept
//	mark(t, a)        the tasks that commute with t and came after it
//
// Of two tasks of one actor that commute, the order "t, then t'", where t came first, is pruned, as
// long as the actor does nothing else in between. The order "t', then t" leads to the same state.
//
// Deviations. As printed, selectActor may select an actor all of whose tasks are marked; the branch
// ends there, although other actors might still have sent that actor a task that does not commute.
// That loses final states (literal, in tests only). Here only actors that have an unmarked task are
// selected.
//
// A message that may not be taken yet (of a sender another of whose messages comes first) is not
// marked, for it cannot come before that one.

// Tasks says which tasks of one actor commute.
type Tasks interface {
	// Independent reports whether a and b, which take messages for one process in state s, start
	// independent tasks, and why: run one right after the other, these give the same in either
	// order.
	Independent(s *trace.State, a, b trace.Alt) (why handlers.Why, ok bool)
}

// ByFacts answers from the static facts. The facts say whether two tasks commute. To put a task off
// until other actors have had their turn needs more: once begun, the task waits for nothing, and it
// comes back to the receive where it began.
type ByFacts struct{ *handlers.Classifier }

// Independent implements Tasks.
func (f ByFacts) Independent(s *trace.State, a, b trace.Alt) (why handlers.Why, ok bool) {
	d, ok1 := f.Delivery(s.Procs[a.Proc], a.Takes)
	e, ok2 := f.Delivery(s.Procs[b.Proc], b.Takes)
	if !ok1 || !ok2 || !f.Plain(&d) || !f.Plain(&e) || !f.returns(d.Handlers[0].Actor) {
		return why, false
	}
	return f.Commute(&d, &e)
}

// returns reports whether all tasks of an actor begin at one receive.
func (f ByFacts) returns(actor int) bool {
	tasks := f.Table.Program.Behaviours[actor].Tasks
	return !slices.ContainsFunc(tasks, func(t facts.Task) bool {
		return t.Receive != tasks[0].Receive
	})
}

// choose notes which tasks mark(t, a) will mark; t is the task that n is about to run in state s.
// // Fig. 6, l. 10
func (d *Search) choose(s *trace.State, n *configuration) {
	n.after = n.after[:0]
	t := n.alts[n.taken]
	for i, a := range n.alts {
		var because *handlers.Why
		if d.tasks != nil && i > n.taken && a.Proc == t.Proc {
			if why, ok := d.tasks.Independent(s, t, a); ok {
				because = &why
			}
		}
		n.after = append(n.after, because)
	}
}

// mark sets the marks of n, which follows the last configuration of the stack. New deliveries are
// not marked.
func (d *Search) mark(n *configuration) {
	if d.tasks == nil || len(d.stack) == 0 {
		return
	}
	before := d.stack[len(d.stack)-1]
	for i, a := range n.alts {
		switch k := slices.Index(before.alts, a); {
		case k < 0:
		case a.Proc != before.alts[before.taken].Proc:
			n.marked[i] = before.marked[k]
		case before.after[k] != nil:
			n.marked[i] = true
			d.matrix.Add(*before.after[k])
		}
	}
}
