package effects

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Conditional depth (paper, sect. 4.3): how many conditions are checked before a block runs. It is
// the number of dominators of the block that branch, and from which the end can be reached without
// the block. A task begins at its receive, so dominators are computed from there (begin). For
// example, the last branch of a counted loop then dominates the end of the loop, though the
// function as a whole may come there without a receive.

// flow is the part of a function's control flow that the code in question may take.
type flow struct {
	// immediate dominators, where the code does not begin with its function; nil: it does
	over map[*ssa.BasicBlock]*ssa.BasicBlock
	in   map[*ssa.BasicBlock]bool // nil: all
	// where the code may end, beside blocks that nothing follows
	ends map[*ssa.BasicBlock]bool
	// branches that are no conditions: they tell kinds of messages apart
	skip map[*ssa.BasicBlock]bool
}

// depth returns the conditional depth of b.
func (f flow) depth(b *ssa.BasicBlock) int {
	n := 0
	for d := f.dominator(b); d != nil && f.has(d); d = f.dominator(d) {
		if !f.skip[d] && len(f.succs(d)) > 1 && f.avoids(d, b) {
			n++
		}
	}
	return n
}

// dominator returns the immediate dominator of b; nil if there is none.
func (f flow) dominator(b *ssa.BasicBlock) *ssa.BasicBlock {
	if f.over == nil {
		return b.Idom()
	}
	return f.over[b]
}

// begin says that the code begins with block start, and computes the dominators from there: K. D.
// Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001, Fig. 3.
func (f *flow) begin(start *ssa.BasicBlock) {
	order := f.postorder(start)
	number := map[*ssa.BasicBlock]int{}
	for i, b := range order {
		number[b] = i
	}
	f.over = map[*ssa.BasicBlock]*ssa.BasicBlock{}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order[:len(order)-1]) {
			var last *ssa.BasicBlock // that dominates all predecessors seen so far
			for _, p := range b.Preds {
				if _, reached := number[p]; !reached || p != start && f.over[p] == nil {
					continue
				}
				last = f.common(last, p, number)
			}
			if f.over[b] != last {
				f.over[b], changed = last, true
			}
		}
	}
}

// common returns the last block that dominates both x and y, or is one of them; x may be nil.
// Blocks are numbered in postorder.
func (f *flow) common(x, y *ssa.BasicBlock, number map[*ssa.BasicBlock]int) *ssa.BasicBlock {
	if x == nil {
		return y
	}
	for x != y {
		for number[x] < number[y] {
			x = f.over[x]
		}
		for number[y] < number[x] {
			y = f.over[y]
		}
	}
	return x
}

// postorder lists the blocks that are reached from start, which is the last one.
func (f *flow) postorder(start *ssa.BasicBlock) (list []*ssa.BasicBlock) {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b] = true
		for _, s := range f.succs(b) {
			if !seen[s] {
				visit(s)
			}
		}
		list = append(list, b)
	}
	visit(start)
	return list
}

func (f flow) has(b *ssa.BasicBlock) bool { return f.in == nil || f.in[b] }

func (f flow) succs(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if f.in == nil {
		return b.Succs
	}
	var out []*ssa.BasicBlock
	for _, s := range b.Succs {
		if f.has(s) {
			out = append(out, s)
		}
	}
	return out
}

// avoids reports whether the end can be reached from d without b.
func (f flow) avoids(d, b *ssa.BasicBlock) bool {
	seen := make([]bool, len(d.Parent().Blocks))
	seen[b.Index], seen[d.Index] = true, true
	for work := slices.Clone(f.succs(d)); len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x.Index] {
			if x == d && d != b {
				return true // round a loop
			}
			continue
		}
		seen[x.Index] = true
		next := f.succs(x)
		if len(next) == 0 && !panics(x) || f.ends[x] {
			return true
		}
		work = append(work, next...)
	}
	return false
}

// panics reports whether b ends in a panic.
func panics(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}
