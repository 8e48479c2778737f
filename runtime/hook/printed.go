package hook

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/world"
)

// Printed announces that v is about to be printed as by package fmt. Everything that v leads to is
// read, except through pointers below v and through values of maps.
func Printed[T any](v T, what string) T {
	if world.W.Current() != nil && world.W.Races.Watching() {
		print := printing{what, maxParts}
		print.look(reflect.ValueOf(&v).Elem(), 0)
	}
	return v
}

// PrintedAll announces that the elements of s are about to be printed, each by itself.
func PrintedAll[S ~[]E, E any](s S, what string) S {
	if world.W.Current() != nil && world.W.Races.Watching() {
		ReadElements(s, what)
		print := printing{what, maxParts}
		for i := range s {
			print.look(reflect.ValueOf(&s[i]).Elem(), 0)
		}
	}
	return s
}

// printing is the way of package fmt over one argument.
type printing struct {
	what string
	left int // how many more values are looked at
}

// look announces what v leads to. The parts of v itself are the caller's to announce.
func (w *printing) look(v reflect.Value, depth int) {
	w.left--
	if w.left < 0 {
		return
	}
	if v.Kind() == reflect.Interface {
		w.look(v.Elem(), depth+either(depth > 0, 1, 0))
		return
	}
	if !v.IsValid() || printsItself(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth == 0 && !v.IsNil() {
			w.pointed(v)
		}
	case reflect.Map:
		reads(v.UnsafePointer(), w.what)
	case reflect.Slice:
		elements(v.UnsafePointer(), v.Len(), v.Type().Elem(), w.what, reads)
		w.each(v, depth)
	case reflect.Array:
		w.each(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			w.look(v.Field(i), depth+1)
		}
	}
}

// pointed looks at what the pointer v, an argument, points to. Package fmt follows it to a
// structure only.
func (w *printing) pointed(v reflect.Value) {
	switch v.Elem().Kind() {
	case reflect.Array, reflect.Slice, reflect.Struct:
		at := v.UnsafePointer()
		eachPart(at, layoutOf(v.Type().Elem()), w.what, reads)
		w.look(v.Elem(), 1)
	case reflect.Map:
		reads(v.UnsafePointer(), w.what)
		reads(*(*unsafe.Pointer)(v.UnsafePointer()), w.what)
	}
}

// each looks at the elements of v, if they can lead to more.
func (w *printing) each(v reflect.Value, depth int) {
	switch v.Type().Elem().Kind() {
	case reflect.Interface, reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		for i := range v.Len() {
			w.look(v.Index(i), depth+1)
		}
	}
}

// printsItself reports whether v has a method by which package fmt prints it.
func printsItself(v reflect.Value) bool {
	t := v.Type()
	if !v.CanInterface() || t.NumMethod() == 0 {
		return false
	}
	if slices.ContainsFunc(printers, t.Implements) {
		return true
	}
	_, formats := t.MethodByName("Format")
	return formats
}

// printers are the interfaces of values that print themselves, by Error, String and GoString.
var printers = []reflect.Type{
	reflect.TypeFor[error](),
	reflect.TypeFor[interface{ String() string }](),
	reflect.TypeFor[interface{ GoString() string }](),
}

func either(is bool, yes, no int) int {
	if is {
		return yes
	}
	return no
}

// Marshaled announces that package encoding/json is about to read v and everything that v leads to
// through exported fields, up to values with a marshalling method of their own.
func Marshaled[T any](v T, what string) T {
	if world.W.Current() != nil && world.W.Races.Watching() {
		m := reading{what, maxParts}
		m.marshal(reflect.ValueOf(&v).Elem())
	}
	return v
}

// Compared announces what reflect.DeepEqual is about to read of x and y, up to the first
// difference.
func Compared(x, y any, whatX, whatY string) (any, any) {
	if world.W.Current() != nil && world.W.Races.Watching() {
		c := comparing{reading{whatX, maxParts}, reading{whatY, maxParts}}
		c.equal(reflect.ValueOf(x), reflect.ValueOf(y))
	}
	return x, y
}

// reading is the way over what a value leads to.
type reading struct {
	what string
	left int // how many more values are looked at
}

// part announces the read of v, if v is a variable that has no parts. It reports false when enough
// has been looked at.
func (r *reading) part(v reflect.Value) bool {
	r.left--
	if r.left < 0 {
		return false
	}
	if k := v.Kind(); v.CanAddr() && k != reflect.Struct && k != reflect.Array {
		reads(v.Addr().UnsafePointer(), r.what)
	}
	return true
}

func (r *reading) marshal(v reflect.Value) {
	if !v.IsValid() || marshalsItself(v) || !r.part(v) {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		r.marshal(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.marshal(v.Index(i))
		}
	case reflect.Map:
		reads(v.UnsafePointer(), r.what)
		for _, k := range stringKeys(v) {
			r.marshal(v.MapIndex(k))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" {
				r.marshal(v.Field(i))
			}
		}
	}
}

// marshalers are the interfaces of values that encoding/json asks for their text.
var marshalers = []reflect.Type{
	reflect.TypeFor[interface{ MarshalJSON() ([]byte, error) }](),
	reflect.TypeFor[interface{ MarshalText() ([]byte, error) }](),
}

func marshalsItself(v reflect.Value) bool {
	for _, i := range marshalers {
		if v.Kind() != reflect.Interface && v.Type().Implements(i) ||
			v.CanAddr() && reflect.PointerTo(v.Type()).Implements(i) {
			return true
		}
	}
	return false
}

// stringKeys returns the keys of a map in their order, if they are strings.
func stringKeys(m reflect.Value) []reflect.Value {
	if m.Type().Key().Kind() != reflect.String {
		return nil
	}
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		return strings.Compare(a.String(), b.String())
	})
	return keys
}

// comparing is the way over two values at once.
type comparing struct{ x, y reading }

// equal reports whether x and y are equal as far as is looked at.
func (c *comparing) equal(x, y reflect.Value) bool {
	if !x.IsValid() || !y.IsValid() || x.Type() != y.Type() {
		return x.IsValid() == y.IsValid()
	}
	if !c.x.part(x) || !c.y.part(y) {
		return false
	}
	switch x.Kind() {
	case reflect.Array:
		return c.all(x.Len(), x.Index, y.Index)
	case reflect.Slice:
		if x.IsNil() != y.IsNil() || x.Len() != y.Len() {
			return false
		}
		return x.UnsafePointer() == y.UnsafePointer() || c.all(x.Len(), x.Index, y.Index)
	case reflect.Struct:
		return c.all(x.NumField(), x.Field, y.Field)
	case reflect.Interface:
		return c.equal(x.Elem(), y.Elem())
	case reflect.Pointer:
		return x.UnsafePointer() == y.UnsafePointer() || c.equal(x.Elem(), y.Elem())
	case reflect.Map:
		return c.maps(x, y)
	case reflect.Func:
		return x.IsNil() && y.IsNil()
	}
	return x.Equal(y)
}

func (c *comparing) all(n int, x, y func(int) reflect.Value) bool {
	for i := range n {
		if !c.equal(x(i), y(i)) {
			return false
		}
	}
	return true
}

func (c *comparing) maps(x, y reflect.Value) bool {
	reads(x.UnsafePointer(), c.x.what)
	reads(y.UnsafePointer(), c.y.what)
	if x.IsNil() != y.IsNil() || x.Len() != y.Len() {
		return false
	}
	if x.UnsafePointer() == y.UnsafePointer() {
		return true
	}
	for _, k := range stringKeys(x) {
		if !c.equal(x.MapIndex(k), y.MapIndex(k)) {
			return false
		}
	}
	return true
}
