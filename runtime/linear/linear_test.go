package linear

import (
	"bytes"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/syncs"
)

// world is a World without channels; it knows the numbers of those objects of package sync that are
// in it.
type world map[unsafe.Pointer]int32

func (world) Chan(unsafe.Pointer) (int32, bool) { return 0, false }
func (w world) Sync(at unsafe.Pointer, _ reflect.Type) (int32, [6]int) {
	if id, ok := w[at]; ok {
		return id, [6]int{1}
	}
	return -1, [6]int{}
}
func (world) Within(unsafe.Pointer, uintptr) []syncs.Part { return nil }
func (world) Proc(any) (int, bool)                        { return 0, false }
func (world) Skip(reflect.Type) bool                      { return false }

func text(t *testing.T, w world, v any) []byte {
	t.Helper()
	out := New(w)
	out.Any(v)
	if out.Why != "" {
		t.Errorf("%#v: %s", v, out.Why)
	}
	return out.Text
}

type node struct {
	n    int
	next *node
	kids map[string]*node
	list []int
}

func ring(n ...int) *node {
	first := &node{n: n[0]}
	last := first
	for _, k := range n[1:] {
		last.next = &node{n: k}
		last = last.next
	}
	last.next = first
	return first
}

func family(names ...string) *node {
	f := &node{kids: map[string]*node{}}
	for _, name := range names {
		f.kids[name] = &node{n: len(name)}
	}
	return f
}

// pair makes two pointers, to one variable or to two.
func pair(same bool) [2]*int {
	a, b := new(int), new(int)
	if same {
		b = a
	}
	return [2]*int{a, b}
}

// overlapping makes two slices of one array that overlap, or two of their own.
func overlapping(overlap bool) [2][]int {
	all := []int{1, 2, 3}
	if overlap {
		return [2][]int{all[:2:2], all[1:3:3]}
	}
	return [2][]int{{1, 2}, {2, 3}}
}

// inside makes a pointer to an element, and the array around it, in either order.
func inside(first, same bool) [2]any {
	array := &[3]int{1, 2, 3}
	at := &array[1]
	if !same {
		at = new(int)
		*at = 2
	}
	if first {
		return [2]any{at, array}
	}
	return [2]any{array, at}
}

// TestEqual makes each value twice: the texts are equal. TestDifferent has pairs whose texts are
// not.
func TestEqual(t *testing.T) {
	for _, makes := range []func() any{
		func() any { return ring(1, 2, 3) },
		func() any { return family("a", "bc", "d", "e") },
		func() any { return pair(true) },
		func() any { return pair(false) },
		func() any { return overlapping(true) },
		func() any { return inside(true, true) },
		func() any { return inside(false, true) },
		func() any { return map[any]any{1: "a", "b": 2, 3.5: []byte("c"), [2]int{1, 2}: nil} },
		func() any { return struct{ _, a any }{nil, &node{list: make([]int, 1, 4)}} },
		func() any { return new(sync.Mutex) },
	} {
		if a, b := text(t, nil, makes()), text(t, nil, makes()); !bytes.Equal(a, b) {
			t.Errorf("%T: %q and %q", makes(), a, b)
		}
	}
}

func TestDifferent(t *testing.T) {
	locked := new(sync.Mutex)
	for _, c := range [][2]any{
		{1, int64(1)}, {"a", "b"}, {nil, (*int)(nil)}, {[]int(nil), []int{}},
		{ring(1, 2, 3), ring(1, 2)}, {ring(1, 1), ring(1)}, {family("a", "b"), family("a", "c")},
		{pair(true), pair(false)}, {overlapping(true), overlapping(false)},
		{inside(true, true), inside(true, false)}, {inside(false, true), inside(false, false)},
		// a slice may be extended
		{make([]int, 1, 2), make([]int, 1, 3)}, {[]int{1, 2}[:1], []int{1, 3}[:1]},
		{map[int]int{1: 2}, map[int]int{2: 1}}, {locked, new(sync.Mutex)},
	} {
		w := world{unsafe.Pointer(locked): 7}
		if a, b := text(t, w, c[0]), text(t, w, c[1]); bytes.Equal(a, b) {
			t.Errorf("%#v and %#v: %q", c[0], c[1], a)
		}
	}
}

// TestUnknown has what cannot be written down.
func TestUnknown(t *testing.T) {
	for _, v := range []any{make(chan int), new(sync.Map), new(sync.Pool), reflect.ValueOf(1)} {
		w := New(world(nil))
		if w.Any(v); w.Why == "" {
			t.Errorf("%T: %q", v, w.Text)
		}
	}
}
