package pointsto

// Nodes on a cycle of edges have the same solution: they become one node.
//
//   - B. Hardekopf, C. Lin: The Ant and the Grasshopper: Fast and Accurate Pointer Analysis for Millions of Lines of Code.
//     PLDI 2007, sect. 4.1, lazy cycle detection: an edge between equal sets that brought nothing new may be on a cycle; it
//     is looked at once.
//
// Deviation: a path is followed only through nodes with that same set.

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
	if s.tried[key] || !s.node(from).pts.Equals(&s.node(to).pts) {
		return false
	}
	s.tried[key] = true
	return true
}

// collapse merges the nodes of the cycles that suspects are on.
func (s *solver) collapse() {
	for _, l := range s.loops {
		from, to := s.find(l[0]), s.find(l[1])
		if from == to {
			continue
		}
		for _, n := range s.path(to, from) {
			s.merge(from, s.find(n))
		}
	}
	s.loops = s.loops[:0]
}

// path returns the nodes of a path of edges, without its end, through nodes with equal sets; nil if there is none.
func (s *solver) path(start, end nodeID) []nodeID {
	set, came := &s.node(end).pts, map[nodeID]nodeID{start: start}
	for work := []nodeID{start}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range s.node(n).edges {
			e = s.find(e)
			if e == end {
				return trace(came, n)
			}
			if _, seen := came[e]; !seen && s.node(e).pts.Equals(set) {
				came[e] = n
				work = append(work, e)
			}
		}
	}
	return nil
}

func trace(came map[nodeID]nodeID, n nodeID) []nodeID {
	out := []nodeID{n}
	for came[n] != n {
		n = came[n]
		out = append(out, n)
	}
	return out
}

// merge makes n stand for m, too. Rules are idempotent: that some elements are shown to them again does no harm.
func (s *solver) merge(n, m nodeID) {
	if n == m {
		return
	}
	x, y := s.node(n), s.node(m)
	s.into[m] = n
	x.pts.UnionWith(&y.pts)
	if len(x.rules) > 0 || len(y.rules) > 0 || len(y.edges) > 0 {
		x.seen.IntersectionWith(&y.seen)
	}
	for _, e := range y.edges {
		if e = s.find(e); e != n {
			x.link(e)
		}
	}
	x.rules = append(x.rules, y.rules...)
	*y = node{}
	s.enqueue(n)
}
