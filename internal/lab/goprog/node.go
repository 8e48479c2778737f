package goprog

import (
	"slices"
	"strings"
)

// node is a statement: pieces of text with blocks of statements between them.
type node struct {
	text   []string // one more than there are blocks
	blocks [][]*node
	arms   bool // each block but none in particular may go, with the text before it
	tied   bool // no other statement may come between it and the one before it
}

// leaf is a statement without blocks. Lines of text are separate statements of one step.
func leaf(text string) *node { return &node{text: []string{text}} }

// around is a statement with one block.
func around(before string, block []*node, after string) *node {
	return &node{text: []string{before, after}, blocks: [][]*node{block}}
}

// printer writes statements; perturbed, a call of perturb before each.
type printer struct {
	strings.Builder
	perturbed bool
}

func (p *printer) block(block []*node) {
	for _, n := range block {
		if p.perturbed && !n.tied {
			p.WriteString("perturb()\n")
		}
		p.node(n)
	}
}

func (p *printer) node(n *node) {
	for i, text := range n.text {
		p.WriteString(text)
		p.WriteByte('\n')
		if i < len(n.blocks) {
			p.block(n.blocks[i])
		}
	}
}

// size counts statements.
func size(block []*node) int {
	n := len(block)
	for _, s := range block {
		for _, b := range s.blocks {
			n += size(b)
		}
	}
	return n
}

// smaller returns all blocks that are block with one thing less: without a statement, with a
// statement's blocks in its place, without an arm, or with a smaller block inside.
func smaller(block []*node) [][]*node {
	var all [][]*node
	for i, n := range block {
		all = append(all, slices.Delete(slices.Clone(block), i, i+1))
		if inner := slices.Concat(n.blocks...); len(inner) > 0 {
			all = append(all, slices.Replace(slices.Clone(block), i, i+1, inner...))
		}
		for _, m := range n.smaller() {
			all = append(all, slices.Replace(slices.Clone(block), i, i+1, m))
		}
	}
	return all
}

func (n *node) smaller() []*node {
	var all []*node
	for i, b := range n.blocks {
		if n.arms && len(n.blocks) > 1 {
			all = append(all, n.without(i))
		}
		for _, s := range smaller(b) {
			m := *n
			m.blocks = slices.Clone(n.blocks)
			m.blocks[i] = s
			all = append(all, &m)
		}
	}
	return all
}

// without returns n without its i-th arm.
func (n *node) without(i int) *node {
	m := *n
	m.blocks = slices.Delete(slices.Clone(n.blocks), i, i+1)
	m.text = slices.Delete(slices.Clone(n.text), i, i+1)
	if i == 0 { // the first arm's text has the statement's head before it
		head, _, _ := strings.Cut(n.text[0], "\n")
		m.text[0] = head + "\n" + m.text[0]
	}
	return &m
}
