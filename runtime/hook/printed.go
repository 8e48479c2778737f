package hook

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/world"
)

// Printed announces that v is about to be printed as package fmt does: what v leads to is read, but
// for what pointers below v and the values of maps lead to.
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
	for _, i := range printers {
		if t.Implements(i) {
			return true
		}
	}
	_, formats := t.MethodByName("Format")
	return formats
}

// printers are the interfaces of what prints itself by the name of Error, String and GoString.
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
