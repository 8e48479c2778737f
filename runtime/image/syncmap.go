package image

import (
	"reflect"
	"sync"
	"unsafe"
)

// shared is the content of one sync.Map. The types of its nodes are internal, so its methods read
// and write the content.
//
// view is the saved copy of the map's own memory. The copy has the root node of the map, so it
// shows the map's content as long as both memories are equal: when it is saved, and when the blocks
// have been restored.
type shared struct {
	view  *sync.Map
	elems map[any]*any
	root  int
}

var syncMap = reflect.TypeFor[sync.Map]()

// shared saves the content of the sync.Map that v, a part of a saved content, is a copy of. A map
// that was never used has no root node, and even Range would make one: it is enough to restore the
// map's memory.
func (m *Image) shared(v reflect.Value) {
	if v.IsZero() {
		return
	}
	s := shared{v.Addr().Interface().(*sync.Map), map[any]*any{}, m.root}
	s.view.Range(func(key, elem any) bool {
		s.elems[key] = &elem
		m.queue = append(m.queue, found{reflect.ValueOf(&key).Elem(), m.root},
			found{reflect.ValueOf(&elem).Elem(), m.root})
		return true
	})
	m.shares = append(m.shares, s)
}

// restore leaves unchanged entries alone: another reader may hold on to the nodes.
func (s *shared) restore() {
	left := len(s.elems)
	s.view.Range(func(key, elem any) bool {
		saved := s.elems[key]
		switch {
		case saved == nil:
			s.view.Delete(key)
			return true
		case words(saved) != words(&elem):
			s.view.Store(key, *saved)
		}
		left--
		return true
	})
	if left == 0 {
		return
	}
	for key, saved := range s.elems {
		if _, ok := s.view.Load(key); !ok {
			s.view.Store(key, *saved)
		}
	}
}

// words are the two words of an interface. They can be compared even if the values cannot be
// compared with ==.
func words(v *any) [2]unsafe.Pointer { return *(*[2]unsafe.Pointer)(unsafe.Pointer(v)) }
