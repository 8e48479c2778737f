package kernel

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Reaches reports whether control can come from just after a to b without an instruction for which
// stop holds. The stop is not asked about b.
func Reaches(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return Search(a.Block(), slices.Index(a.Block().Instrs, a)+1, func(i ssa.Instruction) Answer {
		switch {
		case i == b:
			return Found
		case stop != nil && stop(i):
			return Blocked
		}
		return Onward
	}) != nil
}

// Answer says how a search goes on after an instruction.
type Answer int

// The answers.
const (
	Onward  Answer = iota // go on
	Blocked               // not on this path
	Found                 // end the search
)

// Search walks all paths from instruction i of block b, until visit finds something, which it
// returns.
func Search(b *ssa.BasicBlock, i int, visit func(ssa.Instruction) Answer) ssa.Instruction {
	return SearchEdges(b, i, visit, nil)
}

// SearchEdges is Search that does not go from a block to its successor k when cut says so.
func SearchEdges(b *ssa.BasicBlock, i int, visit func(ssa.Instruction) Answer,
	cut func(b *ssa.BasicBlock, k int) bool) ssa.Instruction {
	type place struct {
		b *ssa.BasicBlock
		i int
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []place{{b, i}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		hit, through := walk(at.b, at.i, visit)
		if hit != nil {
			return hit
		}
		if !through {
			continue
		}
		for k, s := range at.b.Succs {
			if !seen[s] && (cut == nil || !cut(at.b, k)) {
				seen[s] = true
				work = append(work, place{s, 0})
			}
		}
	}
	return nil
}

// walk visits the instructions of a block from i on.
func walk(b *ssa.BasicBlock, i int,
	visit func(ssa.Instruction) Answer) (hit ssa.Instruction, through bool) {
	for _, instr := range b.Instrs[i:] {
		switch visit(instr) {
		case Found:
			return instr, false
		case Blocked:
			return nil, false
		}
	}
	return nil, true
}

// Cyclic reports whether instr can be run again in one activation of its function.
func Cyclic(instr ssa.Instruction) bool { return Reaches(instr, instr, nil) }

// IndexOf returns the number of i in its block.
func IndexOf(i ssa.Instruction) int { return slices.Index(i.Block().Instrs, i) }

// Dominates reports whether a comes before b on all paths to b.
func Dominates(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	return slices.Index(a.Block().Instrs, a) <= slices.Index(b.Block().Instrs, b)
}

// LeadsTo reports whether all paths from a come to b.
func LeadsTo(a, b ssa.Instruction) bool {
	return Reaches(a, b, nil) && Search(a.Block(), IndexOf(a)+1, func(i ssa.Instruction) Answer {
		switch _, returns := i.(*ssa.Return); {
		case i == b:
			return Blocked
		case returns || i == a || NeverReturns(i):
			return Found
		}
		return Onward
	}) == nil
}
