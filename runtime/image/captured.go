package image

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Bounds of the search behind functions and unsafe pointers.
const (
	maxDepth  = 3       // pointers: the captured variables, what they point to, and once more
	maxBehind = 1 << 16 // bytes of one root
	tiny      = 16      // bytes of a block that small variables without pointers share
)

// behind is the memory behind the functions and unsafe pointers to which a root leads. Its types
// are unknown, so it is not put back; but a change of it can be noticed.
type behind struct {
	objects []object
	size    uintptr
	changed bool
}

// object is a piece of memory that the Go runtime has allocated, with its saved content.
type object struct {
	at      unsafe.Pointer
	content string
}

// look notes the memory behind v, a function or an unsafe pointer. A function without captured
// variables is no object.
func (m *Image) look(v reflect.Value) {
	b := m.behind[m.root]
	if b == nil {
		b = &behind{}
		m.behind[m.root] = b
	}
	b.look(*(*unsafe.Pointer)(v.Addr().UnsafePointer()), maxDepth)
}

func (b *behind) look(p unsafe.Pointer, depth int) {
	at, size, pointers := gate.Object(p)
	if !pointers && size <= tiny {
		size = min(size, unsafe.Sizeof(p)) // what follows may be a neighbour's
	}
	if at == nil || b.size+size > maxBehind || b.has(at) {
		return
	}
	b.size += size
	b.objects = append(b.objects, object{at, string(unsafe.Slice((*byte)(at), size))})
	if depth == 0 || !pointers {
		return
	}
	for _, word := range unsafe.Slice((*unsafe.Pointer)(at), size/unsafe.Sizeof(p)) {
		b.look(word, depth-1)
	}
}

func (b *behind) has(at unsafe.Pointer) bool {
	for i := range b.objects {
		if b.objects[i].at == at {
			return true
		}
	}
	return false
}

// drop forgets the objects that are put back.
func (b *behind) drop(kept map[unsafe.Pointer]bool) {
	n := 0
	for _, o := range b.objects {
		if !kept[o.at] {
			b.objects[n] = o
			n++
		}
	}
	b.objects = b.objects[:n]
}

func (b *behind) check() {
	for _, o := range b.objects {
		b.changed = b.changed || o.content != unsafe.String((*byte)(o.at), len(o.content))
	}
}

// Rebase makes Changed tell of later changes only.
func (m *Image) Rebase() {
	for _, b := range m.behind {
		b.changed = false
		for i, o := range b.objects {
			b.objects[i].content = string(unsafe.Slice((*byte)(o.at), len(o.content)))
		}
	}
}

// Changed lists the roots, by their indices, that lead to changed memory outside of the image:
// captured variables of a function, or memory behind an unsafe pointer.
func (m *Image) Changed() (roots []int) {
	for root := range m.roots {
		b := m.behind[root]
		if b == nil {
			continue
		}
		if !b.changed {
			b.check()
		}
		if b.changed {
			roots = append(roots, root)
		}
	}
	return roots
}
