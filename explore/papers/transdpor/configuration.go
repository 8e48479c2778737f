package transdpor

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// configuration is a state of the current execution in which only deliveries are possible.
type configuration struct {
	depth     int         // events before it
	alts      []trace.Alt // enabled, in the order in which they are to be explored
	index     []int       // of each among the state's alternatives
	backtrack []bool      // of each: it is to be explored
	done      []bool      // of each: it has been, or is being
	taken     int         // the one that is being explored; unknown: none, all sleep
	freeze    bool
	final     []bool // of each: its task ended the execution, by a crash or an exit
	// explored before, and nothing has been delivered to their actors since
	sleep  []trace.Alt
	marked []bool // of each: task selection prunes it
	// of each: why it is marked after the one that is being explored; nil: it is not
	after  []*handlers.Why
	proved bool // the actor of the first one explored was proved to be stable
}

// newConfiguration returns the configuration of state s.
func (d *Search) newConfiguration(s *trace.State) *configuration {
	n := &configuration{depth: s.Depth, index: make([]int, len(s.Alts))}
	for i := range n.index {
		n.index[i] = i
	}
	d.ranks = d.rank.Rank(s, d.ranks[:0])
	slices.SortStableFunc(n.index, func(i, j int) int {
		return cmp.Compare(d.ranks[i], d.ranks[j])
	})
	for _, i := range n.index {
		n.alts = append(n.alts, s.Alts[i])
	}
	n.marked = make([]bool, len(n.alts))
	d.mark(n)
	flags := make([]bool, 3*len(n.alts))
	n.backtrack, n.done, n.final = flags[:len(n.alts)], flags[len(n.alts):2*len(n.alts)],
		flags[2*len(n.alts):]
	if last := len(d.stack) - 1; d.sleepSets && last >= 0 {
		n.sleep = d.stack[last].asleep()
	}
	return n
}

// asleep returns the deliveries that sleep after the one under way: those that have been explored,
// at n or above, and are for another actor. A delivery that ended an execution never sleeps: the
// end comes too early for independent events.
func (n *configuration) asleep() (list []trace.Alt) {
	actor := n.alts[n.taken].Proc
	for _, a := range n.sleep {
		if a.Proc != actor {
			list = append(list, a)
		}
	}
	for i, a := range n.alts {
		if n.done[i] && !n.final[i] && a.Proc != actor {
			list = append(list, a)
		}
	}
	return list
}

// sleeps reports whether delivery i sleeps.
func (n *configuration) sleeps(i int) bool { return slices.Contains(n.sleep, n.alts[i]) }

// again makes the choice that is due at n when it is reached another time.
func (n *configuration) again(s *trace.State) int {
	i := n.index[n.taken]
	if len(s.Alts) != len(n.alts) || s.Depth != n.depth || s.Alts[i] != n.alts[n.taken] {
		panic(explore.Mismatch{Depth: s.Depth, Want: search.Describe(n.alts[n.taken], trace.Recv),
			Got: search.DescribeAll(s)})
	}
	return i
}

// next returns a delivery that is still to be explored, -1 if there is none.
func (n *configuration) next() int {
	for i := range n.alts {
		if n.open(i) {
			return i
		}
	}
	return -1
}

func (n *configuration) open(i int) bool {
	return n.backtrack[i] && !n.done[i] && !n.sleeps(i) && !n.marked[i]
}

func (n *configuration) planned() (sum int) {
	for i := range n.alts {
		if n.open(i) {
			sum++
		}
	}
	return sum
}

// addAll adds all that is enabled.
func (n *configuration) addAll() {
	for i := range n.backtrack {
		n.backtrack[i] = true
	}
}

// accepts reports whether message m can be delivered at n.
func (n *configuration) accepts(m trace.Message) bool {
	return slices.ContainsFunc(n.alts, func(a trace.Alt) bool { return a.Takes == m })
}

// add adds the deliveries of m, and reports whether one of them was not there before. One that
// sleeps counts if literal.
func (n *configuration) add(m trace.Message, literal bool) (added bool) {
	for i, a := range n.alts {
		if a.Takes == m && !n.backtrack[i] {
			n.backtrack[i] = true
			added = added || literal || !n.sleeps(i)
		}
	}
	return added
}
