package hook

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/world"
)

// ReadElements announces that all elements of s are about to be read.
func ReadElements[S ~[]E, E any](s S, what string) S {
	elements(unsafe.Pointer(unsafe.SliceData(s)), len(s), reflect.TypeFor[E](), what, reads)
	return s
}

// WriteElements announces that all elements of s are about to be written.
func WriteElements[S ~[]E, E any](s S, what string) S {
	elements(unsafe.Pointer(unsafe.SliceData(s)), len(s), reflect.TypeFor[E](), what, writes)
	return s
}

// SortElements announces that s is about to be sorted, or reversed: of fewer than two elements,
// none is touched.
func SortElements[S ~[]E, E any](s S, what string) S {
	if len(s) < 2 {
		return s
	}
	return WriteElements(s, what)
}

// Appended announces that the last n elements of s have been written.
func Appended[S ~[]E, E any](s S, n int, what string) S {
	WriteElements(s[len(s)-n:], what)
	return s
}

// AppendAll is append(s, t...). The elements of t are announced as those of source.
func AppendAll[S ~[]E, T ~[]E, E any](s S, t T, what, source string) S {
	ReadElements(t, source)
	return Appended(append(s, t...), len(t), what)
}

// AppendString is append(s, t...).
func AppendString[S ~[]byte, T ~string](s S, t T, what string) S {
	return Appended(append(s, t...), len(t), what)
}

// Copy is copy(d, s). The elements of s are announced as those of source.
func Copy[D ~[]E, S ~[]E, E any](d D, s S, what, source string) int {
	n := min(len(d), len(s))
	ReadElements(s[:n], source)
	WriteElements(d[:n], what)
	return copy(d, s)
}

// CopyString is copy(d, s).
func CopyString[D ~[]byte, S ~string](d D, s S, what string) int {
	WriteElements(d[:min(len(d), len(s))], what)
	return copy(d, s)
}

// elements announces accesses to the n elements at a place.
func elements(at unsafe.Pointer, n int, t reflect.Type, what string,
	access func(unsafe.Pointer, string)) {
	if n == 0 || world.W.Current() == nil || !world.W.Races.Watching() {
		return
	}
	layout := layoutOf(t)
	for i := range n {
		if i*len(layout) >= maxParts {
			return
		}
		eachPart(unsafe.Add(at, uintptr(i)*t.Size()), layout, what, access)
	}
}

// maxParts bounds the parts of a variable that are told apart: of those that follow nothing is
// announced.
const maxParts = 1024

// layouts are the places of the parts in variables of each type.
var layouts = map[reflect.Type][]uintptr{}

func layoutOf(t reflect.Type) []uintptr {
	layout, known := layouts[t]
	if !known {
		layout = appendParts(nil, t, 0)
		layouts[t] = layout
	}
	return layout
}

func appendParts(list []uintptr, t reflect.Type, at uintptr) []uintptr {
	switch {
	case t.Size() == 0 || len(list) >= maxParts:
		return list
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			list = appendParts(list, t.Field(i).Type, at+t.Field(i).Offset)
		}
		return list
	case t.Kind() == reflect.Array:
		for i := 0; i < t.Len() && len(list) < maxParts; i++ {
			list = appendParts(list, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
		return list
	}
	return append(list, at)
}

// eachPart announces an access to each part of the variable at a place.
func eachPart(at unsafe.Pointer, layout []uintptr, what string,
	access func(unsafe.Pointer, string)) {
	for _, offset := range layout {
		access(unsafe.Add(at, offset), what)
	}
}

// Elements is a range over a slice whose elements several processes may touch.
type Elements[E any] struct {
	K int // of the present iteration

	s    []E
	what string
}

// Slice begins a range.
func Slice[S ~[]E, E any](s S, what string) *Elements[E] { return &Elements[E]{-1, s, what} }

// SliceV begins a range with a variable for the element, which it declares.
func SliceV[S ~[]E, E any](s S, what string) (it *Elements[E], v E) { return Slice(s, what), v }

// SliceKV begins a range with variables for both.
func SliceKV[S ~[]E, E any](s S, what string) (it *Elements[E], k int, v E) {
	return Slice(s, what), k, v
}

// Next goes on to the next iteration and reports whether there is one.
func (it *Elements[E]) Next() bool {
	it.K++
	return it.K < len(it.s)
}

// V is the element, whose read it announces.
func (it *Elements[E]) V() *E {
	e := &it.s[it.K]
	elements(unsafe.Pointer(e), 1, reflect.TypeFor[E](), it.what, reads)
	return e
}
