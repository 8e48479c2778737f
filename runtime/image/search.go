package image

import (
	"reflect"
	"strings"
	"unsafe"
)

// search follows the pointers in v, an addressable part of a saved content.
func (m *Image) search(v reflect.Value) {
	if !hasPointers(v.Type()) || opaque(v.Type()) {
		return
	}
	if v.Type() == syncMap {
		m.shared(v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		m.pointer(v)
	case reflect.Slice:
		m.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			m.search(v.Index(i))
		}
	case reflect.Struct:
		m.fields(v)
	case reflect.Map:
		m.table(v)
	case reflect.Chan:
		m.channel(v, v)
	case reflect.Interface:
		m.dynamic(v)
	case reflect.Func, reflect.UnsafePointer:
		m.look(v)
	}
}

func (m *Image) pointer(v reflect.Value) {
	if !v.IsNil() && !opaque(v.Type().Elem()) {
		m.block(v.Elem())
	}
}

// slice saves the whole array, also beyond the slice's length: the program may extend the slice
// again.
func (m *Image) slice(v reflect.Value) {
	if v.Cap() > 0 && !opaque(v.Type().Elem()) {
		m.block(reflect.NewAt(reflect.ArrayOf(v.Cap(), v.Type().Elem()), v.UnsafePointer()).Elem())
	}
}

// fields searches a struct. Fields that are not exported are reached by their addresses.
func (m *Image) fields(v reflect.Value) {
	if target := atomicTarget(v.Type()); target != nil {
		m.atomicPointer(v, target)
		return
	}
	for i := range v.NumField() {
		f := v.Field(i)
		m.search(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
	}
}

// atomicTarget returns T of the type sync/atomic.Pointer[T], which hides it from its fields but one
// of no size, and nil for all other types.
func atomicTarget(t reflect.Type) reflect.Type {
	if t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[") {
		return t.Field(0).Type.Elem().Elem()
	}
	return nil
}

func (m *Image) atomicPointer(v reflect.Value, target reflect.Type) {
	at := *(*unsafe.Pointer)(v.Field(v.NumField() - 1).Addr().UnsafePointer())
	if at != nil && !opaque(target) {
		m.block(reflect.NewAt(target, at).Elem())
	}
}

// dynamic searches the value of an interface. A value there is constant unless it is a pointer, but
// it may have pointers.
func (m *Image) dynamic(v reflect.Value) {
	held := v.Elem()
	switch held.Kind() {
	case reflect.Invalid:
	case reflect.Chan:
		m.channel(held, v)
	default:
		m.copied(held)
	}
}

// pointers remembers for types whether their values have pointers.
var pointers = map[reflect.Type]bool{}

func hasPointers(t reflect.Type) bool {
	has, known := pointers[t]
	if !known {
		has = computePointers(t)
		pointers[t] = has
	}
	return has
}

// computePointers leaves out strings, whose bytes never change.
func computePointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Interface, reflect.Func,
		reflect.UnsafePointer:
		return true
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return atomicTarget(t) != nil
	}
	return false
}

// worldly has the packages whose types stand for something outside of the program's memory, or for
// the machinery that runs it.
var worldly = map[string]bool{"os": true, "net": true, "reflect": true, "runtime": true,
	"testing": true, "unique": true}

// opaque reports whether values of type t are left alone.
func opaque(t reflect.Type) bool {
	path := t.PkgPath()
	return worldly[path] || strings.HasPrefix(path, "internal/") ||
		strings.HasPrefix(path, "rehearse/") ||
		path == "sync" && t.Name() == "Pool"
}
