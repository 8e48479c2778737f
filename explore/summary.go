package explore

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Last is what a strategy knows after an execution.
type Last struct {
	Hash   uint64 // of the trace of the last execution, if Hashed
	Hashed bool
	// no two complete executions so far, samples apart, can have been equivalent. Once false,
	// always false.
	Distinct bool
	// the last execution was equivalent to one that had been run before the search began again: it
	// is redundant
	Repeats bool
	// the randomised strategy that made the last execution beside a search; that execution may be
	// equivalent to one of the search. Empty: the search made it
	Sampler string
	// the search has left something out that another one would not: it takes too much work, or
	// memory
	GaveUp bool
	Sight  Sight
}

// Sight is how a search tells traces apart.
type Sight struct {
	Observed bool           // events whose order nobody sees commute
	Least    int32          // see depend.Order.Observe, as for the next one
	Joining  depend.Joining // which sends of equal values commute, too
}

// HashOf returns the hash of the trace of x, as a search with this sight sees it.
func (s Sight) HashOf(o *depend.Order, x *trace.Execution) uint64 {
	if s.Observed {
		o.Observe(x, s.Least, s.Joining)
		return o.Hash()
	}
	o.Rewind(0)
	for range x.Events {
		o.Add(x)
	}
	return o.Hash()
}

// Summary is what a strategy says of its search. The zero value says nothing, except for Planned.
type Summary struct {
	Name  string   // of the strategies at work, if they are others than was asked for
	Notes []string // what has begun again, and why

	Partial string   // what had to be left out; empty: nothing
	Bound   string   // what is known of what was missed
	Gap     *Refusal // shows what Partial speaks of; nil: there is nothing to show
	// why the program is none for the strategy; nothing is explored any more. nil: nothing speaks
	// against the program
	Refusal *Refusal

	Planned int // alternatives that are known and not explored; -1: it cannot say
	// estimate of the complete executions in all, samples apart, and the factor (1 or more) by
	// which that may well be wrong, in either direction. 0: nothing is known yet
	Total, Spread float64

	States, Messages int // distinct states, and the messages received on the ways between them
	Deliveries       int // each common beginning of executions once
	Selection        Selection
	Pruned           *handlers.Matrix // orders of tasks that were left out; nil: none
	// joint receives of the executions, by the group of their receives
	Joints   map[int32]int
	Unseen   int            // events whose order nobody sees, but for those
	Revisits *Revisits      // nil: no states were compared
	Warnings map[string]int // executions that ended with one
	Orphans  Orphans
	Twins    []Twins
	Drew     bool // no twins count: one of them, or who it has started, drew random numbers
	Spun     bool // an alternative was held back because its process polls; see Fair
}

// Refusal says why a strategy is not sound for a program.
type Refusal struct {
	Why     string
	Choices []trace.Alt // an execution that shows it
	Step    int         // the step of it that is to blame, -1 if that has not been done
	// Declared is, if Step is -1, 1 + the process whose declared operation is to blame; 0 if there
	// is none.
	Declared int32
}

// Selection says how actors were selected.
type Selection struct {
	States      int // configurations, and the ends of executions
	Proved      int // configurations where the actor selected first was proved to be stable
	Heuristic   int // where no actor was
	Backtracked int // how often another actor had to be selected as well
	// the number of times that this happened although the first one had been proved to be stable:
	// 0, if the facts are right
	Refuted int
}

// Revisits says how often executions were cut off at states from which all had been explored.
type Revisits struct {
	Cuts    int            // executions that were
	Listed  int            // of them, those that Pruned has
	Looked  int            // states that were to be compared
	Unknown map[string]int // of them, those that could not be, by why
}

// Orphans are messages that have been sent, and have not been received when all processes are at
// rest.
type Orphans struct {
	Executions int         // that have some
	Choices    []trace.Alt // the first of those
	Step       int         // the first send in it of such a message
}

// Twins has the counts of the twins that one go statement starts.
type Twins struct {
	Site  string
	Name  string     // the function that they run
	Most  int        // so many of them in one run of the loop
	First trace.Kind // the operation with which they begin
	// the number of times that one could have begun before its elder: once for each of them and
	// execution
	Held int
	// the number of times that two of them were no twins: their first operations differ, or could
	// meet
	Apart int
}
