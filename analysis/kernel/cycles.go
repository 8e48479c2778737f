package kernel

import "golang.org/x/tools/go/ssa"

// Cycles numbers the strongly connected components of fn's control flow that contain a cycle, from
// 1. (R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1972.)
func Cycles(fn *ssa.Function) map[*ssa.BasicBlock]int {
	t := &tarjan{index: map[*ssa.BasicBlock]int{}, low: map[*ssa.BasicBlock]int{},
		on:  map[*ssa.BasicBlock]bool{},
		ids: map[*ssa.BasicBlock]int{}}
	for _, b := range fn.Blocks {
		if t.index[b] == 0 {
			t.visit(b)
		}
	}
	return t.ids
}

type tarjan struct {
	index, low map[*ssa.BasicBlock]int
	on         map[*ssa.BasicBlock]bool // is on stack
	stack      []*ssa.BasicBlock
	ids        map[*ssa.BasicBlock]int // the result
	last       int
}

func (t *tarjan) visit(b *ssa.BasicBlock) {
	t.index[b] = len(t.index) + 1
	t.low[b] = t.index[b]
	t.stack = append(t.stack, b)
	t.on[b] = true
	self := false
	for _, s := range b.Succs {
		self = self || s == b
		if t.index[s] == 0 {
			t.visit(s)
			t.low[b] = min(t.low[b], t.low[s])
		} else if t.on[s] {
			t.low[b] = min(t.low[b], t.index[s])
		}
	}
	if t.low[b] == t.index[b] {
		t.pop(b, self)
	}
}

// pop takes the component with root b from the stack.
func (t *tarjan) pop(b *ssa.BasicBlock, self bool) {
	i := len(t.stack) - 1
	for t.stack[i] != b {
		i--
	}
	component := t.stack[i:]
	t.stack = t.stack[:i]
	if len(component) > 1 || self {
		t.last++
	}
	for _, c := range component {
		t.on[c] = false
		if len(component) > 1 || self {
			t.ids[c] = t.last
		}
	}
}
