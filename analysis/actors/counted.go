package actors

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// A counted loop ends after a number of messages, whatever they are: for range n, for i := 0; i <
// n; i++. Which of its tasks is the last depends on how many there have been. So two of its tasks
// that follow each other can be looked at without what comes after the loop: if they are exchanged,
// neither the first one ends the loop, nor does the end of it see which came first.

// round returns what a task of r runs but for the end of the counted loop around r; nil if r is in
// none, or if the loop is entered again after its end: two tasks that follow each other may then be
// the last of one run of the loop and the first of the next one. The comparison of the counter is
// left out, too.
func (p *program) round(g *Goroutine, r *Receive, t task, closed []edge) *Code {
	var exits []edge
	var left []ssa.Instruction
	for _, b := range r.Instr.Parent().Blocks {
		if e, ok := countedExit(b, r.Instr.Block()); ok && carried(b, r.Instr.Block()) {
			exits, left = append(exits, e), append(left, last(b).(*ssa.If).Cond.(*ssa.BinOp))
		}
	}
	if exits == nil || p.comesBack(g, r, exits) {
		return nil
	}
	code := p.taskCode(g, r, t, slices.Concat(closed, exits))
	for _, cmp := range left {
		if phi := counter(cmp.(*ssa.BinOp), r.Instr.Block()); onlyCounts(phi, phi, cmp) {
			code.Counts = append(code.Counts, phi)
		}
	}
	for _, region := range code.Regions {
		region.Instrs = slices.DeleteFunc(region.Instrs, func(i ssa.Instruction) bool { return slices.Contains(left, i) })
	}
	return &code
}

// comesBack reports whether r may be reached by way of the exits.
func (p *program) comesBack(g *Goroutine, r *Receive, exits []edge) bool {
	w := p.newWalk(g)
	for _, e := range exits {
		w.enter(point{e.from.Succs[e.succ], 0})
	}
	w.run()
	return w.next[r.Instr]
}

// Sends returns the send statements of h.Round that stand in the function that receives; ok is
// false if there is one that a round may do several times, or not at all.
func (h *Handler) Sends() (list []*ssa.Send, ok bool) {
	in, region := h.Receive.Instr.Block(), h.Round.Regions[0]
	parts := map[*ssa.BasicBlock]bool{}
	for _, i := range region.Instrs {
		parts[i.Block()] = true
	}
	for _, i := range region.Instrs {
		switch i := i.(type) {
		case *ssa.Send:
			list = append(list, i)
			if !onceARound(i.Block(), in, parts) {
				return nil, false
			}
		case *ssa.Select:
			if slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.SendOnly }) {
				return nil, false
			}
		}
	}
	return list, true
}

// onceARound reports whether each way from in to in, or out of the counted loop around it, goes
// through b once, if it stays in the given blocks.
func onceARound(b, in *ssa.BasicBlock, parts map[*ssa.BasicBlock]bool) bool {
	if b == in {
		return true
	}
	outside := slices.DeleteFunc(slices.Clone(b.Parent().Blocks), func(x *ssa.BasicBlock) bool { return parts[x] })
	if kernel.Way(b, b, append(outside, in)...) { // again, before the next round
		return false
	}
	beside := append(outside, b)
	return !kernel.Way(in, in, beside...) && !slices.ContainsFunc(b.Parent().Blocks, func(x *ssa.BasicBlock) bool {
		_, leaves := countedExit(x, in)
		return leaves && x != b && (x == in || kernel.Way(in, x, beside...))
	})
}

// countedExit returns the way out of the loop around block in, if b leaves it by comparing a
// counter of its rounds with a value that stays what it is.
func countedExit(b, in *ssa.BasicBlock) (exit edge, ok bool) {
	branch, ok := last(b).(*ssa.If)
	if !ok || !kernel.Way(in, b) {
		return edge{}, false
	}
	out := slices.IndexFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != in && !kernel.Way(s, in) })
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if out < 0 || !ok || !kernel.Way(b, in) || len(*cmp.Referrers()) != 1+debugRefs(cmp) {
		return edge{}, false
	}
	switch cmp.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL:
		return edge{b, out}, counter(cmp, in) != nil
	}
	return edge{}, false
}

// carried reports whether what is known after the loop around in, when it is left at b, of what its
// rounds have computed is what the next round would get: variables at the head of the loop. A value
// that the last round alone has computed would tell which that was.
func carried(b, in *ssa.BasicBlock) bool {
	for _, x := range b.Parent().Blocks {
		if !kernel.Way(in, x) || !kernel.Way(x, in) {
			continue
		}
		for _, i := range x.Instrs {
			if v, ok := i.(ssa.Value); ok && v.Referrers() != nil && usedOutside(v, in) && !isCarried(v, b, in) {
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
		return !debug && !kernel.Way(ref.Block(), in)
	})
}

// isCarried reports whether v, where the loop around in is left at b, is a variable at the head of
// the loop, or what b hands on as one.
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

// counter returns the variable that cmp compares with a fixed value, if each round of the loop
// around in adds a constant to it.
func counter(cmp *ssa.BinOp, in *ssa.BasicBlock) *ssa.Phi {
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

// onlyCounts reports whether v, phi or the sum that is its next value, is used for nothing but that
// and for cmp.
func onlyCounts(v ssa.Value, phi *ssa.Phi, cmp ssa.Instruction) bool {
	for _, ref := range *v.Referrers() {
		sum, ok := ref.(*ssa.BinOp)
		switch _, debug := ref.(*ssa.DebugRef); {
		case debug, ref == cmp, ref == phi:
		case !ok || v != phi || !isSum(sum, phi) || !onlyCounts(sum, phi, cmp):
			return false
		}
	}
	return true
}

// counts reports whether phi is at the head of a loop around in, each round of which adds a
// constant to it.
func counts(phi *ssa.Phi, in *ssa.BasicBlock) bool {
	head := phi.Block()
	if !head.Dominates(in) || !kernel.Way(in, head) {
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
	return head == in || !kernel.Way(in, in, head) && !kernel.Way(head, head, in)
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
		return !kernel.Way(in, v.Block())
	}
	return false
}
