// Package copies says where values are copied from.
//
// Vocabulary: a value is a copy of others (a parameter of the arguments, a phi of its edges), a
// part of another (an element of a slice), or an origin. The place of a copy is the one that all
// values have of which it is a copy; if these have several, the copy is a place itself. A circle is
// a strongly connected component of values that are made of each other.
//
// Functions that call each other pass their parameters round in a circle. It must make no
// difference which of these parameters is asked for first. So the values of a circle are looked at
// together, as redundant phis are in M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A.
// Zwinkau, "Simple and efficient construction of static single assignment form", CC 2013, Algorithm
// 5. With m and n from outside:
//
//	a = copy(m, b), b = copy(a)         a and b have the place of m
//	a = copy(m, n, b), b = copy(a)      a and b have the place a
//	a = copy(m, b), b = copy(n, a)      a and b are places themselves
package copies

import "slices"

// Source says what values are made of.
//
// Laws: From and IsPart depend on the value alone. From may ask the table for places.
type Source[V comparable] interface {
	// From returns the values that v is a copy of; or the one that v is a part of; or, of an
	// origin, none.
	From(v V) []V
	IsPart(v V) bool
	IsNil(v V) bool       // v has no place, and the copies of v have that of their other sources
	Origin(v V) any       // the place of an origin
	PartOf(whole any) any // the place of the parts of a value with a place
	Compare(a, b V) int   // an order
}

// Table has the places of values.
type Table[V comparable] struct {
	source Source[V]
	places map[V]any
}

// New returns a table of the places of all values.
func New[V comparable](s Source[V]) *Table[V] { return &Table[V]{s, map[V]any{}} }

// Of returns the place of v, which is comparable.
func (t *Table[V]) Of(v V) any {
	if _, known := t.places[v]; !known {
		s := search[V]{Table: t, number: map[V]int{}, from: map[V][]V{}}
		s.visit(v)
	}
	return t.places[v]
}

// search finds circles by R. Tarjan's algorithm, each after the values that it is made of, and
// enters the places of its values.
type search[V comparable] struct {
	*Table[V]
	number map[V]int // from 1, in the order of discovery; 0: not found
	last   int       // the last number
	from   map[V][]V
	open   []V // the stack: values that are found, but whose circles are not complete
}

// visit returns the lowest number of an open value to which v leads.
func (s *search[V]) visit(v V) int {
	s.last++
	low, bottom := s.last, len(s.open)
	s.number[v] = low
	s.open = append(s.open, v)
	s.from[v] = s.source.From(v)
	for _, x := range s.from[v] {
		if _, known := s.places[x]; known {
			continue
		}
		n := s.number[x]
		if n == 0 {
			n = s.visit(x)
		}
		low = min(low, n)
	}
	if low == s.number[v] {
		circle := s.open[bottom:]
		s.open = s.open[:bottom:bottom]
		s.enter(circle)
	}
	return low
}

// enter enters the places of the values of a circle. All else that they are made of has its place.
func (s *search[V]) enter(circle []V) {
	v := circle[0]
	switch {
	case len(s.from[v]) == 0:
		s.places[v] = s.source.Origin(v)
		return
	case len(circle) == 1 && s.source.IsPart(v):
		s.places[v] = s.source.PartOf(s.places[s.from[v][0]])
		return
	}
	at, entries := s.common(circle)
	if at != nil {
		for _, v := range circle {
			s.places[v] = at
		}
		return
	}
	// Several places come together at each entry, which is therefore a place itself. The other
	// values are copies of entries. They have smaller circles among themselves, or none.
	for _, v := range entries {
		s.places[v] = v
	}
	for _, v := range circle {
		s.number[v] = 0
	}
	for _, v := range circle {
		if _, known := s.places[v]; !known {
			s.visit(v)
		}
	}
}

// common returns the place that all values have by which others come into a circle. If these have
// several places, common returns nil and the entries, which are the values of the circle that are
// made of others. A part of a value of the circle counts as another, as it differs from that value.
func (s *search[V]) common(circle []V) (at any, entries []V) {
	inside := map[V]bool{}
	for _, v := range circle {
		inside[v] = !s.source.IsPart(v)
	}
	several := false
	for _, v := range circle {
		if !inside[v] {
			continue
		}
		isEntry := false
		for _, x := range s.from[v] {
			if inside[x] || s.source.IsNil(x) {
				continue
			}
			y, known := s.places[x] // not known: x is a part of a value of the circle
			several = several || !known || at != nil && at != y
			at, isEntry = y, true
		}
		if isEntry {
			entries = append(entries, v)
		}
	}
	switch {
	case several:
		return nil, entries
	case at == nil: // nothing comes in
		at = slices.MinFunc(circle, s.source.Compare)
	}
	return at, nil
}
