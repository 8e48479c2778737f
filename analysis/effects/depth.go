package effects

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Conditional depth (paper, sect. 4.3): how many conditions are checked before a block runs. It is the number of blocks
// that come before it in any case, that branch, and from which the end can be reached without it.

// flow is a function's control flow, as far as the code in question may take it.
type flow struct {
	in   map[*ssa.BasicBlock]bool // nil: all
	ends map[*ssa.BasicBlock]bool // where the code may end, beside blocks that nothing follows
	skip map[*ssa.BasicBlock]bool // branches that are no conditions: they tell kinds of messages apart
}

// depth returns the conditional depth of b.
func (f flow) depth(b *ssa.BasicBlock) int {
	n := 0
	for d := b.Idom(); d != nil && f.has(d); d = d.Idom() {
		if !f.skip[d] && len(f.succs(d)) > 1 && f.avoids(d, b) {
			n++
		}
	}
	return n
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
