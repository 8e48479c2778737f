package strategy

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// node is a state on the path of the current execution.
type node struct {
	alts      []trace.Alt  // enabled
	index     int          // in alts: the one taken
	kinds     []trace.Kind // of the operation that Proc of each had declared
	enabled   procset      // processes that take part in an alternative
	backtrack procset      // processes all whose alternatives are to be explored
	sleep     []*sleeper   // explored before, and nothing dependent has happened since
	done      []*sleeper   // explored here
}

// reset makes n the node of state s.
func (n *node) reset(s *trace.State) {
	n.alts = append(n.alts[:0], s.Alts...)
	n.kinds = n.kinds[:0]
	n.enabled = n.enabled.empty(len(s.Procs))
	n.backtrack = n.backtrack.empty(len(s.Procs))
	n.sleep, n.done = n.sleep[:0], n.done[:0]
	for _, a := range n.alts {
		n.kinds = append(n.kinds, s.Procs[a.Proc].Kind)
		n.enabled.add(a.Proc)
		if a.Partner >= 0 {
			n.enabled.add(a.Partner)
		}
	}
}

// onward returns the alternative with which an execution goes on by itself: the process that moved last moves again
// if it can, else the first one does. -1 if all alternatives sleep.
func (n *node) onward(last int32) int {
	first := -1
	for i, a := range n.alts {
		if first >= 0 && !a.Involves(last) || contains(n.sleep, a) {
			continue
		}
		if a.Involves(last) {
			return i
		}
		first = i
	}
	return first
}

// lighter returns the partner of a that takes part in fewer alternatives.
func (n *node) lighter(a trace.Alt) int32 {
	if a.Partner < 0 {
		return a.Proc
	}
	balance := 0
	for _, b := range n.alts {
		if b.Involves(a.Proc) {
			balance++
		}
		if b.Involves(a.Partner) {
			balance--
		}
	}
	if balance > 0 {
		return a.Partner
	}
	return a.Proc
}

// take chooses alternative i. A partner in it that could also do something alone must be seen doing that.
func (n *node) take(i int) {
	n.index = i
	a := n.alts[i]
	if a.Partner < 0 {
		return
	}
	for _, b := range n.alts {
		if b.Partner < 0 && a.Involves(b.Proc) {
			n.backtrack.add(b.Proc)
		}
	}
}

// next returns an alternative that is still to be explored, -1 if there is none.
func (n *node) next() int {
	for i := range n.alts {
		if n.open(i) {
			return i
		}
	}
	return -1
}

// open reports whether alternative i is still to be explored.
func (n *node) open(i int) bool {
	a := n.alts[i]
	return i != n.index && n.wants(a) && !contains(n.done, a) && !contains(n.sleep, a)
}

// wants reports whether a is, or has been, to be explored, unless it sleeps.
func (n *node) wants(a trace.Alt) bool { return n.backtrack.has(a.Proc) || n.backtrack.has(a.Partner) }

func describe(a trace.Alt, k trace.Kind) string {
	if a.Partner >= 0 {
		return fmt.Sprintf("process %d meets %d", a.Proc, a.Partner)
	}
	return fmt.Sprintf("process %d does %v", a.Proc, k)
}

func describeAll(s *trace.State) string {
	var list []string
	for _, a := range s.Alts {
		list = append(list, describe(a, s.Procs[a.Proc].Kind))
	}
	return strings.Join(list, ", ")
}
