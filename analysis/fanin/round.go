package fanin

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
)

// region is the code that a process may run quietly from a receive to the next one at the same
// place: the nodes on a way from the one to the other.
type region struct {
	*graph
	in    map[*node]bool
	order []*node // of them, from the receive on
}

// round is what happens in a region. Its methods decide whether rounds commute: those in values.go
// classify values, those in accumulator.go find the accumulators.
type round struct {
	region
	cells   map[*ssa.Alloc]bool
	stores  map[*ssa.Store]string // those that change an accumulator in memory, with what they do
	loads   map[ssa.Value]bool    // of the values that these change
	stored  map[ssa.Value]bool    // variables that something is stored to
	tainted map[ssa.Value]bool    // what depends on the values received, in this round or before
	decided map[*node]bool        // a branch on a moment decides whether control comes here
	// of registers that are accumulators, and what they become: union-find
	parts   map[ssa.Value]ssa.Value
	classes map[ssa.Value]string // what is done with them, by the representative
	facts   []string
}

// loops returns the groups of one receive each that control comes back to.
func loops(fn *ssa.Function) []group {
	var out []group
	for i := range kernel.All(fn) {
		r, ok := i.(*ssa.UnOp)
		if !ok || !isReceive(r) {
			continue
		}
		if l := roundOf(r); l != nil && l.isSymmetric() {
			out = append(out, group{[]*ssa.UnOp{r}, l.fact()})
		}
	}
	return out
}

// roundOf returns the round of r; nil if control does not come back to r quietly.
func roundOf(r *ssa.UnOp) *round {
	g := quietGraph(r)
	l := &round{region: region{graph: g, in: map[*node]bool{}}}
	there := reach([]*node{g.after}, nil, forward)
	back := reach([]*node{g.at[r]}, nil, backward)
	for _, n := range g.nodes {
		l.in[n] = there[n] && back[n]
	}
	if !l.in[g.at[r]] {
		return nil
	}
	return l
}

// isSymmetric reports whether the order of the values does not matter.
func (l *round) isSymmetric() bool {
	return l.sort() && l.isPlain() && l.memory() && l.taint() && l.accumulators() && l.branches() &&
		l.isKept() && l.isComplete()
}

// sort orders the nodes. It reports false if there is a loop that does not come to the receive.
func (r *region) sort() bool {
	const open, done = 1, 2
	state := map[*node]int{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		state[n] = open
		for _, s := range n.succs {
			if r.in[s] && (state[s] == open || state[s] == 0 && !visit(s)) {
				return false
			}
		}
		state[n] = done
		r.order = append(r.order, n)
		return true
	}
	ok := visit(r.after)
	slices.Reverse(r.order)
	return ok
}

// each calls f for all instructions but debugging information, until that is false.
func (r *region) each(f func(n *node, i ssa.Instruction) bool) bool {
	for _, n := range r.order {
		for _, i := range n.instrs {
			if _, debug := i.(*ssa.DebugRef); !debug && !f(n, i) {
				return false
			}
		}
	}
	return true
}

// isPlain reports whether there are only instructions of which the rest of this package knows what
// they do.
func (r *region) isPlain() bool {
	return r.each(func(_ *node, i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Alloc, *ssa.Store:
			return true
		case *ssa.UnOp:
			return i == r.receive || isPure(i) || isLoad(i) && variable(i.X) != nil
		case *ssa.FieldAddr:
			return variable(i) != nil
		case *ssa.Extract:
			return r.isMessage(i) || r.isOK(i)
		case ssa.Value:
			return isPure(i)
		}
		return false
	})
}

// branches reports whether branches on moments decide about accumulators and moments only. No other
// branch may decide about these, as its outcome may differ from round to round: neither may follow
// such a branch.
func (l *round) branches() bool {
	for _, n := range l.order {
		branch, ok := n.instrs[len(n.instrs)-1].(*ssa.If)
		switch {
		case !ok || l.isOK(branch.Cond) || l.isSteady(branch.Cond):
		case l.tainted[branch.Cond] && !l.isMoment(branch.Cond):
			return false
		case !l.tainted[branch.Cond]:
			for m := range reach(l.next(n), nil, l.next) {
				if l.decides(m) {
					return false
				}
			}
		}
	}
	return true
}

// next is forward, in the round.
func (r *region) next(n *node) []*node {
	var out []*node
	for _, s := range n.succs {
		if r.in[s] {
			out = append(out, s)
		}
	}
	return out
}

// decides reports whether n changes an accumulator, or depends on a moment.
func (l *round) decides(n *node) bool {
	return slices.ContainsFunc(n.instrs, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Store:
			return true
		case *ssa.If:
			return l.tainted[i.Cond]
		case *ssa.Phi:
			return l.tainted[i] && len(distinct(l.edges(i))) > 1
		case ssa.Value:
			return l.parts[i] != nil
		}
		return false
	})
}

// join returns the first node on all ways from the branch at the end of n to the end of the round,
// and the nodes before that node, which depend on the branch. It is nil if the branch decides how
// the round ends.
func (r *region) join(n *node) (j *node, before map[*node]bool) {
	if r.isExit(n) {
		return nil, nil
	}
	from := r.next(n)
	for _, j := range r.order[slices.Index(r.order, n)+1:] {
		before := reach(from, j, r.next)
		ends := false
		for m := range before {
			ends = ends || m == r.at[r.receive] || r.isExit(m)
		}
		if !ends {
			return j, before
		}
	}
	return nil, nil
}

// isExit reports whether the round may end with n and another node that does not belong to it.
func (r *region) isExit(n *node) bool {
	return slices.ContainsFunc(n.succs, func(s *node) bool { return !r.in[s] })
}

// fact says what is done with the values.
func (l *round) fact() string {
	if len(l.facts) == 0 {
		return "values unused"
	}
	slices.Sort(l.facts)
	return strings.Join(slices.Compact(l.facts), ", ")
}
