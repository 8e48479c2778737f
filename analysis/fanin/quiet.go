package fanin

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// node is a piece of a block without visible operations, but that it may end with one.
type node struct {
	instrs []ssa.Instruction // after a visible operation, the last one, nothing follows quietly
	succs  []*node           // what follows quietly
	leaves bool              // it also leads to where a receive finds its channel closed
	preds  []*node
}

// graph is the quiet control flow of a function as one of its receives sees it: values come until
// the channel is closed.
type graph struct {
	receive *ssa.UnOp
	nodes   []*node
	at      map[ssa.Instruction]*node
	first   map[*ssa.BasicBlock]*node
	last    map[*ssa.BasicBlock]*node
	after   *node           // what follows the receive
	closed  *ssa.BasicBlock // where it is found closed, if nothing else leads there; or nil
}

// quietGraph returns the graph of r's function.
func quietGraph(r *ssa.UnOp) *graph {
	g := &graph{receive: r, at: map[ssa.Instruction]*node{}, first: map[*ssa.BasicBlock]*node{},
		last: map[*ssa.BasicBlock]*node{}}
	for _, b := range r.Parent().Blocks {
		g.divide(b)
	}
	for _, b := range r.Parent().Blocks {
		g.connect(b)
	}
	return g
}

// divide makes the nodes of a block.
func (g *graph) divide(b *ssa.BasicBlock) {
	n := &node{}
	g.first[b] = n
	for _, i := range b.Instrs {
		g.at[i] = n
		n.instrs = append(n.instrs, i)
		if isVisible(i) {
			g.nodes = append(g.nodes, n)
			n = &node{}
		}
		if i == ssa.Instruction(g.receive) {
			g.after = n
		}
	}
	g.last[b] = n
	g.nodes = append(g.nodes, n)
}

// connect notes what follows a block quietly.
func (g *graph) connect(b *ssa.BasicBlock) {
	from := g.last[b]
	for i, s := range b.Succs {
		if i == 1 && g.isOpen(b) {
			from.leaves = true
			if len(s.Preds) == 1 {
				g.closed = s
			}
			continue
		}
		from.succs = append(from.succs, g.first[s])
		g.first[s].preds = append(g.first[s].preds, from)
	}
}

// isOpen reports whether b ends with a branch on whether the receive has got a value.
func (g *graph) isOpen(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return ok && g.isOK(branch.Cond)
}

// isOK reports whether v says that the receive has got a value.
func (g *graph) isOK(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	return ok && x.Tuple == ssa.Value(g.receive) && x.Index == 1
}

// isMessage reports whether v is what has been received.
func (g *graph) isMessage(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		return x.Tuple == ssa.Value(g.receive) && x.Index == 0
	}
	return v == ssa.Value(g.receive) && !g.receive.CommaOk
}

// isVisible reports whether i is an operation that ends a run of receives for sure.
func isVisible(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Send, *ssa.Go:
		return true
	case *ssa.Select:
		return len(i.States) > 0
	case *ssa.UnOp:
		return isReceive(i)
	case *ssa.Call:
		b, ok := i.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "close"
	}
	return false
}

func isReceive(i *ssa.UnOp) bool { return i.Op == token.ARROW }

// reach returns what can be reached from nodes by next without going beyond stop, which may be nil;
// stop itself is left out.
func reach(from []*node, stop *node, next func(*node) []*node) map[*node]bool {
	seen := map[*node]bool{}
	for work := slices.Clone(from); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[n] && n != stop {
			seen[n] = true
			work = append(work, next(n)...)
		}
	}
	return seen
}

func forward(n *node) []*node  { return n.succs }
func backward(n *node) []*node { return n.preds }
