package discipline

import (
	"cmp"
	"slices"
)

// classes are the sets of values that may be equal: a union-find structure, in which what pointers
// lead to is united with the pointers.
type classes struct{ all []*node }

// node is a set of values that may be equal.
type node struct {
	parent  *node // nil for the representative, which alone has what follows
	content *node // what its pointers, channels and containers hold
	params  []*node
	results []*node
	open    bool // code that is not seen may hold one of the values
	channel *Channel
}

func (f *classes) fresh() *node {
	n := &node{}
	f.all = append(f.all, n)
	return n
}

func (f *classes) find(n *node) *node {
	for n.parent != nil {
		if n.parent.parent != nil {
			n.parent = n.parent.parent
		}
		n = n.parent
	}
	return n
}

func (f *classes) contentOf(n *node) *node {
	n = f.find(n)
	if n.content == nil {
		n.content = f.fresh()
	}
	return n.content
}

// unify makes a and b one, and what they hold.
func (f *classes) unify(a, b *node) {
	a, b = f.find(a), f.find(b)
	if a == b {
		return
	}
	b.parent = a
	a.open = a.open || b.open
	content, params, results := a.content, a.params, a.results
	a.content = cmp.Or(a.content, b.content)
	a.params, a.results = longer(params, b.params), longer(results, b.results)
	if content != nil && b.content != nil {
		f.unify(content, b.content)
	}
	f.unifyAll(params, b.params)
	f.unifyAll(results, b.results)
}

func longer(a, b []*node) []*node {
	if len(b) > len(a) {
		return b
	}
	return a
}

func (f *classes) unifyAll(a, b []*node) {
	for i := range min(len(a), len(b)) {
		f.unify(a[i], b[i])
	}
}

// resultsOf returns a node for one of several results, which are kept at the node of the call.
func (f *classes) resultsOf(n *node, i int) *node {
	n = f.find(n)
	for len(n.results) <= i {
		n.results = append(n.results, f.fresh())
	}
	return n.results[i]
}

func (f *classes) paramsOf(n *node, i int) *node {
	n = f.find(n)
	for len(n.params) <= i {
		n.params = append(n.params, f.fresh())
	}
	return n.params[i]
}

// closeOpen opens what open values hold, and what is passed to open functions.
func (f *classes) closeOpen() {
	var work []*node
	for _, n := range f.all {
		if n = f.find(n); n.open {
			work = append(work, n)
		}
	}
	seen := map[*node]bool{}
	for len(work) > 0 {
		n := f.find(work[len(work)-1])
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n], n.open = true, true
		work = append(work, slices.Concat(n.params, n.results)...)
		if n.content != nil {
			work = append(work, n.content)
		}
	}
}
