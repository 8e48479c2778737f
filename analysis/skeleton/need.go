package skeleton

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// need is the slice of a package: which instructions decide how its functions block. An operation
// is needed, and so are the values that it acts on, the stores that these may come from, the
// branches that decide whether it is done, and the calls that lead to it. (M. Weiser, Program
// Slicing, ICSE 1981; for all functions of the package at once, without contexts.)
//
// A value that may hold something to wait for is also needed where unseen code gets it: otherwise
// the machine would think that only the scope knows it.
type need struct {
	names    *names
	others   *others
	known    map[*ssa.Function]bool
	live     map[*ssa.Function]bool // has an instruction that is needed
	branches map[*ssa.If]bool       // that are needed
	cells    map[any]bool           // variables that are needed
	flow     map[*ssa.Function]*postdominators
	carry    map[types.Type]bool
	asked    []types.Type // of the question under way
	asking   int          // how deep that is in the types
}

// carries reports whether a value of type t may hold something to wait for.
func (n *need) carries(t types.Type) bool {
	if yes, ok := n.carry[t]; ok {
		return yes
	}
	n.carry[t] = false // until it is known: a type may lead to itself
	n.asked = append(n.asked, t)
	n.asking++
	yes := n.holds(t)
	n.asking--
	n.carry[t] = yes
	if n.asking == 0 {
		n.keep(yes)
	}
	return yes
}

// keep ends a question. If the answer is yes, a no on the way may come from a type that was asked
// about within its own question: such a no does not count.
func (n *need) keep(yes bool) {
	for _, t := range n.asked {
		if yes && !n.carry[t] {
			delete(n.carry, t)
		}
	}
	n.asked = n.asked[:0]
}

// holder reports whether v may hold something to wait for, also as a value of type any.
func (n *need) holder(v ssa.Value) bool {
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	return n.carries(v.Type())
}

func (n *need) holds(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch path := named.Obj().Pkg().Path(); {
		case path == "sync", path == "context" && named.Obj().Name() != "CancelFunc":
			return named.Obj().Name() != "Map" && named.Obj().Name() != "Pool"
		case path == "time":
			return named.Obj().Name() == "Timer" || named.Obj().Name() == "Ticker"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Pointer:
		return n.carries(u.Elem())
	case *types.Slice:
		return n.carries(u.Elem())
	case *types.Array:
		return n.carries(u.Elem())
	case *types.Map:
		return n.carries(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if n.carries(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Tuple:
		for i := range u.Len() {
			if n.carries(u.At(i).Type()) {
				return true
			}
		}
	case *types.Interface:
		return u.NumMethods() > 0 && !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}

func (n *need) flowOf(fn *ssa.Function) *postdominators {
	f := n.flow[fn]
	if f == nil {
		f = postdominate(fn)
		n.flow[fn] = f
	}
	return f
}

// matters reports whether fn has anything that is needed. Nothing is known of a function that is
// not of the package, such as an instance of a generic one.
func (n *need) matters(fn *ssa.Function) bool { return !n.known[fn] || n.live[fn] }

// Exit is Block.Idle of a branch after which nothing matters until the function returns.
const Exit = -2

// idle returns the block in which the ways of the branch at the end of b meet, if nothing that is
// needed depends on it; -1 if there is none.
func (n *need) idle(b *ssa.BasicBlock) int {
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !n.known[b.Parent()] || n.branches[i] {
		return -1
	}
	switch to := n.flowOf(b.Parent()).ipdom[b.Index]; {
	case to == unreachable:
		return -1
	case to == len(b.Parent().Blocks):
		return Exit
	default:
		return to
	}
}
