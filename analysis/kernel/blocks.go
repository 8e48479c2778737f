// Package kernel answers the small questions about code in SSA form that all analyses ask: which
// value was converted, which function is called, where control may go.
//
// Vocabulary: a way is a sequence of blocks, each a successor of the one before, of at least one
// step; so a block comes to itself only in a loop. A search follows all paths of a function from an
// instruction on.
//
// Guarantees: a function looks at what it is given and keeps nothing. An answer on control flow
// takes time in proportion to the edges of the graph.
//
// LIMITS: conditions are not looked at: a way may be one that no run takes. No function looks into
// callees, but to find calls that never return.
package kernel

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Way reports whether there is a way from a to b that comes to none of the blocks without; b
// itself may be one of them.
func Way(a, b *ssa.BasicBlock, without ...*ssa.BasicBlock) bool {
	seen := make([]bool, len(a.Parent().Blocks))
	for _, x := range without {
		seen[x.Index] = true
	}
	for work := slices.Clone(a.Succs); len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x.Index] {
			seen[x.Index] = true
			work = append(work, x.Succs...)
		}
	}
	return false
}

// InLoop reports whether control may come from b to b.
func InLoop(b *ssa.BasicBlock) bool { return Way(b, b) }

// After reports whether j may run after i in one run of their function.
func After(i, j ssa.Instruction) bool {
	a, b := i.Block(), j.Block()
	return a == b && slices.Index(a.Instrs, i) < slices.Index(a.Instrs, j) || Way(a, b)
}
