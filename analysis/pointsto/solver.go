package pointsto

import "slices"

const (
	pageBits  = 10
	manyEdges = 12
)

// node is a variable of the constraints: a register, a parameter, a result, or a cell.
type node struct {
	// the cells it may hold the addresses of, as far as edges and rules have seen them
	seen  set
	fresh set      // the others
	edges []nodeID // nodes that include this one
	known set      // edges as a set, once there are many
	rules []rule   // what to do with each new element
	queue bool     // in solver.work
}

// solver computes the smallest solution of the constraints, which grow while it does. Its fields
// are one graph: the nodes, the work that is left, the cycles that are suspected, and counts of
// work.
type solver struct {
	pages [][]node // sets must not move
	into  []nodeID // what a node was merged into; itself if it was not. See cycle.go
	tried map[[2]nodeID]bool
	count nodeID
	work  []nodeID
	head  int // of work

	steps   int // sets that were shown to edges, elements that were shown to rules
	spare   [][]int32
	twice   func(nodeID, rule) bool // a node has the rule, or an equal one: see merge
	missing set                     // see include
	came    map[nodeID]nodeID       // see path
	loops   [][2]nodeID             // edges that may be on cycles
	equal   [][2]nodeID             // nodes to merge, see unify
}

func newSolver(twice func(nodeID, rule) bool) solver {
	return solver{tried: map[[2]nodeID]bool{}, came: map[nodeID]nodeID{}, twice: twice}
}

func (s *solver) node(n nodeID) *node {
	n = s.find(n)
	return &s.pages[n>>pageBits][n&(1<<pageBits-1)]
}

// newNodes makes n nodes and returns the first; 0 for none.
func (s *solver) newNodes(n int) nodeID {
	if n == 0 {
		return 0
	}
	if s.count == 0 {
		s.count = 1
	}
	first := s.count
	s.count += nodeID(n)
	for int(s.count)>>pageBits >= len(s.pages) {
		s.pages = append(s.pages, make([]node, 1<<pageBits))
	}
	for n := nodeID(len(s.into)); n < s.count; n++ {
		s.into = append(s.into, n)
	}
	return first
}

// insert puts one cell into n.
func (s *solver) insert(n nodeID, x cell) {
	if n == 0 || x == none {
		return
	}
	to, w, isNew := s.node(n), wordOf(int32(x)), false
	if to.seen.has(w) {
		return
	}
	if to.fresh, isNew = to.fresh.insert(w); isNew {
		s.enqueue(n)
	}
}

func (n *node) has(x cell) bool {
	w := wordOf(int32(x))
	return n.seen.has(w) || n.fresh.has(w)
}

// include puts cells into n.
func (s *solver) include(n nodeID, cells set) bool {
	to := s.node(n)
	s.missing = cells.without(to.seen, s.missing[:0])
	s.missing = s.missing.without(to.fresh, s.missing[:0])
	if len(s.missing) == 0 {
		return false
	}
	to.fresh = to.fresh.union(s.missing)
	s.enqueue(n)
	return true
}

// pts returns all cells that n may hold the addresses of.
func (n *node) pts() set {
	if len(n.fresh) == 0 {
		return n.seen
	}
	return slices.Clone(n.seen).union(n.fresh)
}

// edge makes `to` include `from`.
func (s *solver) edge(from, to nodeID) {
	from, to = s.find(from), s.find(to)
	if from == to || from == 0 || to == 0 {
		return
	}
	f := s.node(from)
	if !f.link(to) {
		return
	}
	s.include(to, f.seen) // what is fresh comes with the next round
}

// link adds an edge; false if it is there.
func (n *node) link(to nodeID) bool {
	if n.known != nil {
		known, isNew := n.known.insert(wordOf(int32(to)))
		if isNew {
			n.known, n.edges = known, append(n.edges, to)
		}
		return isNew
	}
	if slices.Contains(n.edges, to) {
		return false
	}
	n.edges = append(n.edges, to)
	if len(n.edges) > manyEdges {
		for _, e := range n.edges {
			n.known, _ = n.known.insert(wordOf(int32(e)))
		}
	}
	return true
}

// rule adds r to n. The elements that earlier rules have seen are applied now, the others come with
// the next round.
func (s *solver) rule(n nodeID, r rule) {
	if n == 0 {
		return
	}
	x := s.node(n)
	x.rules = append(x.rules, r)
	if len(x.seen) > 0 { // what is fresh comes with the next round
		s.apply(r, x.seen)
	}
}

// borrow returns the elements of a set in a slice that goes back to spare.
func (s *solver) borrow(cells set) []int32 {
	var buf []int32
	if n := len(s.spare); n > 0 {
		buf, s.spare = s.spare[n-1], s.spare[:n-1]
	}
	return cells.elements(buf)
}

func (s *solver) enqueue(n nodeID) {
	n = s.find(n)
	if x := s.node(n); !x.queue {
		x.queue = true
		s.work = append(s.work, n)
	}
}

func (s *solver) dequeue() (nodeID, bool) {
	if s.head == len(s.work) {
		s.work, s.head = s.work[:0], 0
		return 0, false
	}
	n := s.work[s.head]
	s.head++
	if s.head > 1<<16 && s.head > len(s.work)/2 {
		s.work, s.head = s.work[:copy(s.work, s.work[s.head:])], 0
	}
	s.node(n).queue = false
	return n, true
}

// find returns the node that stands for n.
func (s *solver) find(n nodeID) nodeID {
	for s.into[n] != n {
		s.into[n] = s.into[s.into[n]]
		n = s.into[n]
	}
	return n
}

// suspect reports whether an edge that brought nothing new should be looked at.
func (s *solver) suspect(from, to nodeID) bool {
	key := [2]nodeID{from, to}
	if s.tried[key] || !s.node(to).is(s.node(from).seen) {
		return false
	}
	s.tried[key] = true
	return true
}

// unify makes two nodes one as soon as no rule is being applied.
func (s *solver) unify(x, y nodeID) { s.equal = append(s.equal, [2]nodeID{x, y}) }

// is reports whether edges and rules have seen a set, and nothing more is known.
func (n *node) is(cells set) bool { return len(n.fresh) == 0 && slices.Equal(n.seen, cells) }

func (s *solver) apply(r rule, cells set) {
	buf := s.borrow(cells)
	s.steps += len(buf)
	for _, e := range buf {
		r.apply(cell(e))
	}
	s.spare = append(s.spare, buf[:0])
}

// propagate shows the new elements of n to its edges and rules.
func (s *solver) propagate(n nodeID) {
	if s.find(n) != n {
		return
	}
	x := s.node(n)
	delta := x.fresh
	if len(delta) == 0 {
		return
	}
	x.fresh = nil
	if len(x.seen) == 0 {
		x.seen = delta
	} else {
		x.seen = x.seen.union(delta)
	}
	s.steps += 1 + len(x.edges)
	for _, e := range x.edges {
		to := s.find(e)
		switch {
		case to == n:
		case s.include(to, delta):
		case s.suspect(n, to):
			s.loops = append(s.loops, [2]nodeID{n, to})
		}
	}
	s.applyRules(x, delta)
	s.collapse()
}

// applyRules shows new elements to the rules of x. A rule that is added meanwhile sees them when it
// is added.
func (s *solver) applyRules(x *node, delta set) {
	if len(x.rules) == 0 {
		return
	}
	buf := s.borrow(delta)
	for i, last := 0, len(x.rules); i < last; i++ {
		s.steps += len(buf)
		for _, e := range buf {
			x.rules[i].apply(cell(e))
		}
	}
	s.spare = append(s.spare, buf[:0])
}
