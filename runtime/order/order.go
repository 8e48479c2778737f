// Package order puts the keys of a map into an order that depends on their content, not on their
// addresses.
//
// Vocabulary: two values tie if nothing but an address tells them apart.
//
// Guarantees: Compare is a total preorder; numbers and strings are in their natural order; values
// of an interface type are ordered by type first. Pointers are ordered by the content to which they
// point, channels by the numbers that the caller gives them, and so are mutexes and other objects
// of package sync whose content is equal.
//
// LIMITS: contents in a map, in a function, or behind more than a few pointers are not compared:
// values that differ only there tie. Pointers to types of package net are not counted. The content
// that a pointer leads to is read without synchronisation, and unseen by the race detector.
package order

import (
	"cmp"
	"reflect"
	"unsafe"
)

// maxDepth is how many pointers, slices and interfaces are followed.
const maxDepth = 4

// Comparer compares values.
type Comparer struct {
	// the numbers of a channel, and of an object of package sync or sync/atomic at an address;
	// those with equal numbers tie
	Chan, Object func(unsafe.Pointer) int32
}

// Compare returns a negative number if the value at a comes before the value at b, a positive one
// if it comes after, and 0 if they tie. Both have type t.
func (c *Comparer) Compare(t reflect.Type, a, b unsafe.Pointer) int {
	return c.compare(t, a, b, maxDepth)
}

// compare is a flat switch over the kinds. It loads from memory by itself: the functions of package
// reflect would be seen by the race detector.
func (c *Comparer) compare(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8:
		return scalars[uint8](a, b)
	case reflect.Int8:
		return scalars[int8](a, b)
	case reflect.Int16:
		return scalars[int16](a, b)
	case reflect.Int32:
		return scalars[int32](a, b)
	case reflect.Int, reflect.Int64:
		return integers(t, a, b)
	case reflect.Uint16:
		return scalars[uint16](a, b)
	case reflect.Uint32:
		return scalars[uint32](a, b)
	case reflect.Uint64:
		return scalars[uint64](a, b)
	case reflect.Uint, reflect.Uintptr:
		return scalars[uintptr](a, b)
	case reflect.Float32:
		return scalars[float32](a, b)
	case reflect.Float64:
		return scalars[float64](a, b)
	case reflect.Complex64:
		return cmp.Or(scalars[float32](a, b), scalars[float32](unsafe.Add(a, 4), unsafe.Add(b, 4)))
	case reflect.Complex128:
		return cmp.Or(scalars[float64](a, b), scalars[float64](unsafe.Add(a, 8), unsafe.Add(b, 8)))
	case reflect.String:
		return scalars[string](a, b)
	case reflect.Array:
		return c.elements(t.Elem(), a, b, t.Len(), depth)
	case reflect.Struct:
		return c.fields(t, a, b, depth)
	case reflect.Chan:
		return cmp.Compare(c.Chan(load(a)), c.Chan(load(b)))
	case reflect.Slice:
		return c.slices(t, a, b, depth)
	case reflect.Pointer:
		return c.targets(t.Elem(), load(a), load(b), depth)
	case reflect.Interface:
		return c.dynamic(dynamic(t, a), dynamic(t, b), depth)
	}
	return 0
}

func scalars[T cmp.Ordered](a, b unsafe.Pointer) int { return cmp.Compare(*(*T)(a), *(*T)(b)) }

func integers(t reflect.Type, a, b unsafe.Pointer) int {
	if t.Size() == 4 {
		return scalars[int32](a, b)
	}
	return scalars[int64](a, b)
}

func load(at unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(at) }

// elements compares n values of type t that lie one behind the other.
func (c *Comparer) elements(t reflect.Type, a, b unsafe.Pointer, n, depth int) int {
	for i := range n {
		if d := c.compare(t, unsafe.Add(a, uintptr(i)*t.Size()), unsafe.Add(b, uintptr(i)*t.Size()),
			depth); d != 0 {
			return d
		}
	}
	return 0
}

func (c *Comparer) fields(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	for i := range t.NumField() {
		f := t.Field(i)
		if d := c.compare(f.Type, unsafe.Add(a, f.Offset), unsafe.Add(b, f.Offset), depth); d != 0 {
			return d
		}
	}
	if path := t.PkgPath(); path == "sync" || path == "sync/atomic" {
		return cmp.Compare(c.Object(a), c.Object(b))
	}
	return 0
}

// slices compares by length first.
func (c *Comparer) slices(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	x, y := *(*[]struct{})(a), *(*[]struct{})(b)
	if d := cmp.Compare(len(x), len(y)); d != 0 || depth == 0 {
		return d
	}
	return c.elements(t.Elem(), load(a), load(b), len(x), depth-1)
}

// targets compares the content behind two pointers; nil comes first.
func (c *Comparer) targets(t reflect.Type, a, b unsafe.Pointer, depth int) int {
	switch {
	case a == b:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	case depth == 0:
		return 0
	}
	return c.compare(t, a, b, below(t, depth))
}

// below is the depth behind a pointer to type t. The types of package net do not count: connections
// differ by their addresses, which are only a few pointers further.
func below(t reflect.Type, depth int) int {
	if t.PkgPath() == "net" {
		return depth
	}
	return depth - 1
}

// dynamic returns the value of an interface of type t.
func dynamic(t reflect.Type, at unsafe.Pointer) any {
	if t.NumMethod() == 0 {
		return *(*any)(at)
	}
	return *(*interface{ m() })(at)
}

// dynamic compares the values of two interfaces, by type first; nil comes first.
func (c *Comparer) dynamic(a, b any, depth int) int {
	switch {
	case a == nil && b == nil, depth == 0:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if t := x.Type(); t == y.Type() {
		if depth--; t.Kind() == reflect.Pointer {
			depth = below(t.Elem(), depth+1)
		}
		return c.compare(t, copied(x), copied(y), depth)
	}
	return cmp.Or(cmp.Compare(x.Type().String(), y.Type().String()),
		cmp.Compare(x.Type().PkgPath(), y.Type().PkgPath()))
}

// copied returns the address of a copy of v. The value in an interface never changes, so the copy
// is in no data race.
func copied(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}
