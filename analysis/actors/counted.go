package actors

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// A counted loop ends after a number of messages, whatever they are: for range n, for i := 0; i <
// n; i++. The number of tasks so far decides which task is the last. So two tasks that follow each
// other can be compared without the code after the loop. If they are exchanged, the first one still
// does not end the loop. The end of the loop does not see which came first.

// round returns the code of a task of r without the end of the counted loop around r, and without
// the comparison of the counter. It is nil if r is in no such loop. It is nil, too, if the loop is
// entered again after its end: two tasks that follow each other may then be the last of one run of
// the loop and the first of the next one.
func (p *tasks) round(g *Goroutine, r *Receive, t task, closed []edge) *Code {
	var exits []edge
	var left []ssa.Instruction
	for _, b := range r.Instr.Parent().Blocks {
		if k, ok := kernel.CountedExit(b, r.Instr.Block()); ok &&
			kernel.Carried(b, r.Instr.Block()) {
			exits, left = append(exits, edge{b, k}),
				append(left, kernel.Last(b).(*ssa.If).Cond.(*ssa.BinOp))
		}
	}
	if exits == nil || p.comesBack(g, r, exits) {
		return nil
	}
	code := p.taskCode(g, r, t, slices.Concat(closed, exits))
	for _, cmp := range left {
		if phi := kernel.Counter(cmp.(*ssa.BinOp), r.Instr.Block()); kernel.OnlyCounts(phi, phi,
			cmp) {
			code.Counts = append(code.Counts, phi)
		}
	}
	for _, region := range code.Regions {
		region.Instrs = slices.DeleteFunc(region.Instrs,
			func(i ssa.Instruction) bool { return slices.Contains(left, i) })
	}
	return &code
}

// comesBack reports whether r may be reached by way of the exits.
func (p *tasks) comesBack(g *Goroutine, r *Receive, exits []edge) bool {
	w := p.newWalk(g)
	for _, e := range exits {
		w.enter(point{e.from.Succs[e.succ], 0})
	}
	w.run()
	return w.next[r.Instr]
}

// Sends returns the send statements of h.Round that stand in the function that receives; ok is
// false if a round may run one of them several times, or not at all.
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
			if slices.ContainsFunc(i.States,
				func(s *ssa.SelectState) bool { return s.Dir == types.SendOnly }) {
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
	outside := slices.DeleteFunc(slices.Clone(b.Parent().Blocks),
		func(x *ssa.BasicBlock) bool { return parts[x] })
	if kernel.Way(b, b, append(outside, in)...) { // again, before the next round
		return false
	}
	beside := append(outside, b)
	return !kernel.Way(in, in, beside...) &&
		!slices.ContainsFunc(b.Parent().Blocks, func(x *ssa.BasicBlock) bool {
			_, leaves := kernel.CountedExit(x, in)
			return leaves && x != b && (x == in || kernel.Way(in, x, beside...))
		})
}
