package kernel

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A counted loop ends after a number of rounds, whatever they do: for range n, for i := 0; i < n;
// i++.

// CountedExit returns which successor of b is the way out of the loop around block in, if b leaves
// the loop by comparing a counter of the rounds with a value that does not change.
func CountedExit(b, in *ssa.BasicBlock) (succ int, ok bool) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !Way(in, b) {
		return 0, false
	}
	out := slices.IndexFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != in && !Way(s, in) })
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if out < 0 || !ok || !Way(b, in) || len(*cmp.Referrers()) != 1+debugRefs(cmp) {
		return 0, false
	}
	switch cmp.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL:
		return out, Counter(cmp, in) != nil
	}
	return 0, false
}

// Carried looks at the code after the loop around in, when the loop is left at b. It reports
// whether that code uses only those values of the rounds that a next round would get: variables at
// the head of the loop. A value that only the last round has computed would tell which round was
// the last.
func Carried(b, in *ssa.BasicBlock) bool {
	for _, x := range b.Parent().Blocks {
		if !Way(in, x) || !Way(x, in) {
			continue
		}
		for _, i := range x.Instrs {
			if v, ok := i.(ssa.Value); ok && v.Referrers() != nil && usedOutside(v, in) &&
				!isCarried(v, b, in) {
				return false
			}
		}
	}
	return true
}

// usedOutside reports whether v is used where the loop around in has ended.
func usedOutside(v ssa.Value, in *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		_, debug := ref.(*ssa.DebugRef)
		return !debug && !Way(ref.Block(), in)
	})
}

// isCarried reports whether v, where the loop around in is left at b, is a variable at the head of
// the loop, or a value that b hands on as one.
func isCarried(v ssa.Value, b, in *ssa.BasicBlock) bool {
	if phi, ok := v.(*ssa.Phi); ok && phi.Block() == b && in != b && b.Dominates(in) {
		return true // the loop ends at its head
	}
	for _, ref := range *v.Referrers() {
		phi, ok := ref.(*ssa.Phi)
		if !ok || !phi.Block().Dominates(in) {
			continue
		}
		if i := slices.Index(phi.Block().Preds, b); i >= 0 && phi.Edges[i] == v {
			return true
		}
	}
	return false
}

func debugRefs(v ssa.Value) (n int) {
	for _, ref := range *v.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			n++
		}
	}
	return n
}

// Counter returns the variable that cmp compares with a fixed value, if each round of the loop
// around in adds a constant to it.
func Counter(cmp *ssa.BinOp, in *ssa.BasicBlock) *ssa.Phi {
	for _, at := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		v := at[0]
		if sum, ok := v.(*ssa.BinOp); ok && isSum(sum, sum.X) {
			v = sum.X
		}
		if phi, ok := v.(*ssa.Phi); ok && counts(phi, in) && isFixed(at[1], in) {
			return phi
		}
	}
	return nil
}

// OnlyCounts reports whether v, phi or the sum that is its next value, is used for nothing but that
// and for cmp.
func OnlyCounts(v ssa.Value, phi *ssa.Phi, cmp ssa.Instruction) bool {
	for _, ref := range *v.Referrers() {
		sum, ok := ref.(*ssa.BinOp)
		switch _, debug := ref.(*ssa.DebugRef); {
		case debug, ref == cmp, ref == phi:
		case !ok || v != phi || !isSum(sum, phi) || !OnlyCounts(sum, phi, cmp):
			return false
		}
	}
	return true
}

// counts reports whether phi is at the head of a loop around in, each round of which adds a
// constant to it.
func counts(phi *ssa.Phi, in *ssa.BasicBlock) bool {
	head := phi.Block()
	if !head.Dominates(in) || !Way(in, head) {
		return false
	}
	var next ssa.Value
	for i, e := range phi.Edges {
		switch {
		case !head.Dominates(head.Preds[i]): // into the loop
		case !isSum(e, phi) || next != nil && next != e:
			return false
		default:
			next = e
		}
	}
	return next != nil && once(head, in)
}

// once reports whether each way from in to in goes through head once.
func once(head, in *ssa.BasicBlock) bool {
	return head == in || !Way(in, in, head) && !Way(head, head, in)
}

// isSum reports whether v is x plus or minus a constant.
func isSum(v, x ssa.Value) bool {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.X != x || sum.Op != token.ADD && sum.Op != token.SUB {
		return false
	}
	_, ok = sum.Y.(*ssa.Const)
	return ok
}

// isFixed reports whether v has one value for all rounds of the loop around in.
func isFixed(v ssa.Value, in *ssa.BasicBlock) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return true
	case ssa.Instruction:
		return !Way(in, v.Block())
	}
	return false
}
