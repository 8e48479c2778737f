package skeleton

import "golang.org/x/tools/go/ssa"

// postdominators says of each block of a function where all ways from it meet, and which branches
// decide whether it is reached. (K. Cooper, T. Harvey and K. Kennedy, A Simple, Fast Dominance
// Algorithm, 2001, on the reversed graph; J. Ferrante, K. Ottenstein and J. Warren, The Program
// Dependence Graph and Its Use in Optimization, TOPLAS 1987.)
type postdominators struct {
	ipdom   []int // by block; the number of blocks stands for the end of the function
	decides [][]*ssa.BasicBlock
	// blocks at the end of a loop without end, from which an edge to the end is added
	endless []bool
}

// unreachable is ipdom of a block from which the function never ends.
const unreachable = -1

// postdominate finds, for each block, the first block that comes after it on each way to the end.
// The method is that of K. D. Cooper, T. J. Harvey, K. Kennedy, "A simple, fast dominance
// algorithm", 2001, on the graph with its edges turned round.
func postdominate(fn *ssa.Function) *postdominators {
	n := len(fn.Blocks)
	p := &postdominators{ipdom: make([]int, n+1), decides: make([][]*ssa.BasicBlock, n),
		endless: make([]bool, n)}
	order := p.postorder(fn)
	if p.findEndless(fn, order) {
		order = p.postorder(fn)
	}
	rank := make([]int, n+1)
	for i, b := range order {
		rank[b] = i
	}
	for i := range p.ipdom {
		p.ipdom[i] = unreachable
	}
	p.ipdom[n] = n
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- { // the end comes last in order
			b := order[i]
			to := unreachable // what all successors have met so far
			for _, s := range p.ends(fn, b) {
				switch {
				case p.ipdom[s] == unreachable: // not reached yet, or never
				case to == unreachable:
					to = s
				default:
					to = p.meet(rank, to, s)
				}
			}
			if to != p.ipdom[b] {
				p.ipdom[b], changed = to, true
			}
		}
	}
	p.decide(fn)
	return p
}

// findEndless marks the blocks from which loops without an end go back, and reports whether there
// are any.
func (p *postdominators) findEndless(fn *ssa.Function, order []int) bool {
	ending := make([]bool, len(fn.Blocks)+1)
	for _, b := range order {
		ending[b] = true
	}
	found := false
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if !ending[b.Index] && s.Dominates(b) {
				p.endless[b.Index], found = true, true
			}
		}
	}
	return found
}

// ends lists the successors of a block; the end of the function is one of a block without any.
func (p *postdominators) ends(fn *ssa.Function, b int) []int {
	var out []int
	for _, s := range fn.Blocks[b].Succs {
		out = append(out, s.Index)
	}
	if len(out) == 0 || p.endless[b] {
		out = append(out, len(fn.Blocks))
	}
	return out
}

// postorder lists the blocks from which the function ends, in postorder of the reversed graph.
func (p *postdominators) postorder(fn *ssa.Function) []int {
	n := len(fn.Blocks)
	seen := make([]bool, n+1)
	var order []int
	var visit func(b int)
	visit = func(b int) {
		seen[b] = true
		if b == n {
			for _, x := range fn.Blocks {
				if (len(x.Succs) == 0 || p.endless[x.Index]) && !seen[x.Index] {
					visit(x.Index)
				}
			}
		} else {
			for _, x := range fn.Blocks[b].Preds {
				if !seen[x.Index] {
					visit(x.Index)
				}
			}
		}
		order = append(order, b)
	}
	visit(n)
	return order
}

// meet is the nearest common postdominator.
func (p *postdominators) meet(rank []int, a, b int) int {
	for a != b {
		for rank[a] < rank[b] {
			a = p.ipdom[a]
		}
		for rank[b] < rank[a] {
			b = p.ipdom[b]
		}
	}
	return a
}

// decide fills in which branches decide about a block: those with a way that must come to it and
// another that need not.
func (p *postdominators) decide(fn *ssa.Function) {
	for _, a := range fn.Blocks {
		if len(a.Succs) < 2 {
			continue
		}
		for _, s := range a.Succs {
			for b := s.Index; b != p.ipdom[a.Index] && b != len(fn.Blocks); b = p.ipdom[b] {
				p.decides[b] = append(p.decides[b], a)
				if p.ipdom[b] == unreachable {
					break
				}
			}
		}
	}
}
