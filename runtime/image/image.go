// Package image gives package-level variables the content back that they had before the first
// execution.
//
// Vocabulary: a root is a package-level variable of the program. An image is the saved content of
// the roots and of all memory to which they lead, through pointers, slices, maps, sync.Maps and
// interfaces. A block is one piece of memory of one type.
//
// Restoring works in place: a variable, a map or a struct keeps its address. So pointers to it from
// elsewhere stay right, nothing is initialised twice, and the preparations of TestMain are kept.
// Only a channel that was closed, or whose closing would have to be undone, is replaced by a new
// one in every place of the image.
//
// Guarantees: after Restore, every block, map and sync.Map of the image has the content that Save
// saw. Restore writes only to memory that has changed.
//
// Changed lists the roots for which this fails because of functions and unsafe pointers.
//
// LIMITS: some memory is not part of an image: variables that a function value has captured, memory
// behind an unsafe.Pointer, and memory behind a pointer to a type of a package that talks to the
// world (os, net, internal/...). Variables of packages that were not rewritten are part of it only
// if a root leads to them. A channel inside a struct that is stored in an interface is not
// replaced. Contents are compared and written without synchronisation: no code of the program may
// run.
package image

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Image is the saved content of some variables.
type Image struct {
	blocks []block
	maps   []table
	chans  []*channel
	shares []shared
	world  Channels

	seen  map[place]bool
	byPtr map[unsafe.Pointer]*channel
	queue []found // saved contents that have not been searched for pointers yet

	root   int // the root under search
	roots  int
	behind map[int]*behind // by root
}

// found is a saved content, and the first root that leads to it.
type found struct {
	value reflect.Value
	root  int
}

// block is one piece of memory.
type block struct {
	live, saved reflect.Value // of the same type, both addressable
	size        uintptr
	root        int // the first one that leads to it
}

// place identifies a block: structs share the address of their first field.
type place struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// table is the content of one map.
type table struct {
	live        reflect.Value
	keys, elems []reflect.Value // addressable
	root        int
}

// Save makes an image of the variables that roots point to.
func Save(roots []any, world Channels) *Image {
	m := &Image{world: world, seen: map[place]bool{}, byPtr: map[unsafe.Pointer]*channel{},
		roots: len(roots), behind: map[int]*behind{}}
	for i, root := range roots {
		m.root = i
		m.block(reflect.ValueOf(root).Elem())
	}
	for len(m.queue) > 0 {
		last := len(m.queue) - 1
		v := m.queue[last]
		m.queue = m.queue[:last]
		m.root = v.root
		m.search(v.value)
	}
	m.dropKept()
	m.seen, m.byPtr = nil, nil
	return m
}

// dropKept drops memory from behind that the blocks and channels put back.
func (m *Image) dropKept() {
	kept := map[unsafe.Pointer]bool{}
	for at := range m.seen {
		if object, _, _ := gate.Object(at.at); object != nil {
			kept[object] = true
		}
	}
	for at := range m.byPtr {
		kept[at] = true
	}
	for _, b := range m.behind {
		b.drop(kept)
	}
}

// Restore gives all variables their saved content back.
func (m *Image) Restore() {
	for _, c := range m.chans {
		c.restore(m.world)
	}
	for i := range m.blocks {
		m.blocks[i].restore()
	}
	for i := range m.maps {
		m.maps[i].restore()
	}
	for i := range m.shares {
		m.shares[i].restore()
	}
}

func (b *block) restore() {
	if bytes(b.live, b.size) != bytes(b.saved, b.size) {
		b.live.Set(b.saved)
	}
}

// bytes is the memory of v, not copied.
func bytes(v reflect.Value, size uintptr) string {
	return unsafe.String((*byte)(v.Addr().UnsafePointer()), size)
}

func (t *table) restore() {
	if t.live.Len() == 0 && len(t.keys) == 0 {
		return
	}
	t.live.Clear()
	for i, key := range t.keys {
		t.live.SetMapIndex(key, t.elems[i])
	}
}

// block saves the memory of live, once, and lets it be searched.
func (m *Image) block(live reflect.Value) {
	at := place{live.Addr().UnsafePointer(), live.Type()}
	if live.Type().Size() == 0 || m.seen[at] {
		return
	}
	m.seen[at] = true
	saved := m.copied(live)
	m.blocks = append(m.blocks, block{live, saved, live.Type().Size(), m.root})
}

// copied returns an addressable copy of v, which will be searched for pointers.
func (m *Image) copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	if hasPointers(v.Type()) {
		m.queue = append(m.queue, found{c, m.root})
	}
	return c
}

// table saves the content of a map, once.
func (m *Image) table(live reflect.Value) {
	at := place{live.UnsafePointer(), live.Type()}
	if live.IsNil() || m.seen[at] {
		return
	}
	m.seen[at] = true
	t := table{live: live, root: m.root}
	for i := live.MapRange(); i.Next(); {
		t.keys = append(t.keys, m.copied(i.Key()))
		t.elems = append(t.elems, m.copied(i.Value()))
	}
	m.maps = append(m.maps, t)
}
