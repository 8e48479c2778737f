package skeleton

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// loop is a natural loop: its head dominates its body, from which an edge goes back to the head.
type loop struct {
	head *ssa.BasicBlock
	body map[*ssa.BasicBlock]bool
}

// loops are those of a function, those with the smaller bodies first.
type loops struct{ list []*loop }

func loopsOf(fn *ssa.Function) *loops {
	out := &loops{}
	for _, head := range fn.Blocks {
		l := &loop{head, map[*ssa.BasicBlock]bool{head: true}}
		for _, p := range head.Preds {
			if head.Dominates(p) {
				l.add(p)
			}
		}
		if len(l.body) > 1 || slices.Contains(head.Succs, head) {
			out.list = append(out.list, l)
		}
	}
	slices.SortStableFunc(out.list, func(a, b *loop) int { return len(a.body) - len(b.body) })
	return out
}

// add puts b into the body, and what leads to b from the head.
func (l *loop) add(b *ssa.BasicBlock) {
	if l.body[b] {
		return
	}
	l.body[b] = true
	for _, p := range b.Preds {
		l.add(p)
	}
}

// around returns the innermost loop around b, or nil.
func (l *loops) around(b *ssa.BasicBlock) *loop {
	for _, x := range l.list {
		if x.body[b] {
			return x
		}
	}
	return nil
}

// exit returns which successor of b leaves the loop, if one of two does, or else -1.
func (l *loop) exit(b *ssa.BasicBlock) int {
	if len(b.Succs) != 2 || l.body[b.Succs[0]] == l.body[b.Succs[1]] {
		return -1
	}
	if l.body[b.Succs[0]] {
		return 1
	}
	return 0
}

// Outer returns the head of the loop around the loop with a head, or -1.
func (f *Func) Outer(head int) int {
	for _, l := range f.loops {
		if l.head == head {
			return l.outer
		}
	}
	return -1
}

// Bound returns how many rounds the counted loop with a head has at most, if a constant says it.
func (f *Func) Bound(head int) (int64, bool) {
	for _, l := range f.loops {
		if l.head == head {
			return l.bound, l.counted
		}
	}
	return 0, false
}

// ParamName returns the name of a parameter; the receiver is one.
func (f *Func) ParamName(i int) string {
	if n := i - (f.Params - f.Sig.Params().Len()); n >= 0 {
		return cmp.Or(f.Sig.Params().At(n).Name(), "an argument")
	}
	return "the receiver"
}

// TypeOf returns the type of a register.
func (f *Func) TypeOf(reg int) types.Type { return f.types[reg] }

// shape is what a machine asks of a loop.
type shape struct {
	head, outer int
	counted     bool
	bound       int64
}

// shapes describes the loops of a function.
func (l *loops) shapes() (out []shape) {
	for _, x := range l.list {
		s := shape{head: x.head.Index, outer: -1}
		for _, y := range l.list {
			if y != x && y.body[x.head] && len(y.body) > len(x.body) {
				s.outer = y.head.Index
				break
			}
		}
		s.bound, s.counted = x.bound()
		out = append(out, s)
	}
	return out
}

// bound returns the constant that a counter is compared with at the exit of l.
func (l *loop) bound() (int64, bool) {
	for b := range l.body {
		if l.exit(b) < 0 {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if !ok || kernel.Counter(cmp, b) == nil {
			continue
		}
		for _, v := range []ssa.Value{cmp.X, cmp.Y} {
			if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
				return k.Int64(), true
			}
		}
	}
	return 0, false
}
