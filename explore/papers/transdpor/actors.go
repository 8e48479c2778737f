package transdpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Actor-level search: E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection
// Strategies for Pruning Redundant State-Exploration in Testing", FORTE 2014, Fig. 2. It is
// TransDPOR (transdpor.go), or DPOR, whose backtrack sets have actors instead of messages. Task
// selection (Fig. 6) is in marks.go.
//
//	paper               here
//	S, E                configuration; Search.stack
//	a, t                a process; a message that it takes
//	selectActor(S)      the actor of the first alternative, in the Order's ranking
//	selectTask(a)       the alternatives of a that are not marked
//	back(S)             configuration.backtrack, where all alternatives of one actor are equal
//	updateBackSets      Search.findRaces
//
// Deviations: see transdpor.go.

// NewActors returns Fig. 2 before its first execution, with the freeze flag of TransDPOR if freeze.
// tasks says which tasks commute, for Fig. 6; nil: all are explored. A nil order is fifo.
func NewActors(freeze, sleepSets bool, order search.Order, tasks Tasks) *Search {
	d := NewDPOR(sleepSets, order)
	if freeze {
		d = New(sleepSets, order)
	}
	d.whole, d.tasks = true, tasks
	return d
}

// Prover is implemented by orders that rank an actor as 0 if nobody else can send it anything until
// it moves.
type Prover interface{ Proves() }

// selectActor puts the actor of delivery i of n, the first one to be explored there, into the
// backtrack set. // l. 4-6
func (d *Search) selectActor(n *configuration, i int) {
	n.want(n.alts[i].Proc)
	if _, ok := d.rank.(Prover); !ok {
		return
	}
	if n.proved = d.ranks[n.index[i]] == 0; n.proved {
		d.count.Proved++
	} else {
		d.count.Heuristic++
	}
}

// backtrackTo puts process p into the backtrack set of n, and reports whether it was not there.
func (d *Search) backtrackTo(n *configuration, p int32) bool {
	if !n.want(p) {
		return false
	}
	d.count.Backtracked++
	if n.proved {
		d.count.Refuted++
	}
	return true
}

// want has all deliveries to p explored, and reports whether one of them is not pruned and was not
// to be.
func (n *configuration) want(p int32) (news bool) {
	for i, a := range n.alts {
		if a.Proc == p {
			news = news || !n.backtrack[i] && !n.sleeps(i) && !n.marked[i]
			n.backtrack[i] = true
		}
	}
	return news
}

// receiverAt returns the process that takes m at n.
func (n *configuration) receiverAt(m trace.Message) int32 {
	return n.alts[slices.IndexFunc(n.alts, func(a trace.Alt) bool { return a.Takes == m })].Proc
}
