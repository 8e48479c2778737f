package image

import (
	"reflect"
	"slices"
)

// Touched lists the roots, by their indices, that lead to memory or maps which differ from the
// saved content. The last execution has changed these, if Restore has not been called since.
// Channels do not count.
func (m *Image) Touched() (roots []int) {
	touched := map[int]bool{}
	for i := range m.blocks {
		b := &m.blocks[i]
		if bytes(b.live, b.size) != bytes(b.saved, b.size) {
			touched[b.root] = true
		}
	}
	for i := range m.maps {
		if t := &m.maps[i]; !touched[t.root] && t.differs() {
			touched[t.root] = true
		}
	}
	for i := range m.shares {
		if s := &m.shares[i]; !touched[s.root] && s.differs() {
			touched[s.root] = true
		}
	}
	for root := range touched {
		roots = append(roots, root)
	}
	slices.Sort(roots)
	return roots
}

func (t *table) differs() bool {
	if t.live.Len() != len(t.keys) {
		return true
	}
	for i, key := range t.keys {
		now := t.live.MapIndex(key)
		if !now.IsValid() {
			return true
		}
		elem := reflect.New(t.elems[i].Type()).Elem()
		elem.Set(now)
		if size := elem.Type().Size(); bytes(elem, size) != bytes(t.elems[i], size) {
			return true
		}
	}
	return false
}

// differs compares the present content of the map's root node; see shared.
func (s *shared) differs() bool {
	n, same := 0, true
	s.view.Range(func(key, elem any) bool {
		n++
		saved := s.elems[key]
		same = saved != nil && words(saved) == words(&elem)
		return same
	})
	return !same || n != len(s.elems)
}
