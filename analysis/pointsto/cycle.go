package pointsto

import "slices"

// Nodes on a cycle of edges have the same solution: they become one node.
//
//   - B. Hardekopf, C. Lin: The Ant and the Grasshopper: Fast and Accurate Pointer Analysis for
//     Millions of Lines of Code. PLDI 2007, sect. 4.1, lazy cycle detection: an edge between equal
//     sets that brought nothing new may be on a cycle; it is looked at once.
//
// Deviation: a path is followed only through nodes with that same set.

const maxPath = 200 // nodes that are looked at for one suspect

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
	for len(s.equal) > 0 {
		l := s.equal[len(s.equal)-1]
		s.equal = s.equal[:len(s.equal)-1]
		s.merge(s.find(l[0]), s.find(l[1]))
	}
}

// path returns the nodes of a path of edges, without its end, through nodes with equal sets; nil if
// there is none.
func (s *solver) path(start, end nodeID) []nodeID {
	cells, came := s.node(end).seen, s.came
	clear(came)
	came[start] = start
	for work := []nodeID{start}; len(work) > 0 && len(came) < maxPath; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range s.node(n).edges {
			e = s.find(e)
			if e == end {
				return trace(came, n)
			}
			if _, seen := came[e]; !seen && s.node(e).is(cells) {
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

// merge makes n stand for m, too: each gets what the other has shown to its edges and rules.
func (s *solver) merge(n, m nodeID) {
	if n == m {
		return
	}
	x, y := s.node(n), s.node(m)
	missed, more := y.seen.without(x.seen, nil), x.seen.without(y.seen, nil)
	s.into[m] = n
	x.seen = x.seen.union(missed)
	x.fresh = x.fresh.union(y.fresh).without(x.seen, nil)
	edges, rules, old := y.edges, y.rules, len(x.rules)
	*y = node{}
	for _, e := range slices.Concat(edges, x.edges) {
		if e = s.find(e); e != n {
			x.link(e)
			s.include(e, x.seen)
		}
	}
	rules = slices.DeleteFunc(rules, func(r rule) bool { return s.twice(n, r) })
	x.rules = append(x.rules, rules...)
	for _, r := range slices.Clone(x.rules[:old]) {
		s.apply(r, missed)
	}
	for _, r := range rules {
		s.apply(r, more)
	}
	s.enqueue(n)
}

// has reports whether n has a filter, or a part of the same type, already.
func (a *bags) has(n nodeID, r rule) bool {
	switch r := r.(type) {
	case *filterRule:
		key := filterKey{n, a.find(r.to), r.id}
		is := a.filters[key]
		a.filters[key] = true
		return is
	case *partRule:
		key := partKey{n, r.id}
		if part := a.parts[key]; part != 0 {
			a.unify(part, r.to)
			return true
		}
		a.parts[key] = r.to
	}
	return false
}
