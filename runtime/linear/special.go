package linear

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
)

// maxBehind bounds how many pointers are followed behind a function.
const maxBehind = 8

// tiny is the size of the pieces of memory without pointers that several small variables share.
const tiny = 16

// special writes values of the types whose memory is not their content, and reports whether v is
// one.
func (w *Writer) special(v reflect.Value) bool {
	t := v.Type()
	switch path := t.PkgPath(); {
	case w.Skip(t):
	case t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "testing":
		w.test(v)
	case path == "sync" && t.Kind() == reflect.Struct:
		w.sync(v)
	case path == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		target := t.Field(0).Type.Elem().Elem()
		w.Value(reflect.NewAt(reflect.PointerTo(target),
			v.Field(v.NumField()-1).Addr().UnsafePointer()).Elem())
	case worldly(path) && t.Kind() != reflect.Interface && !inert(t):
		w.Fail("a value of type " + t.String())
	default:
		return w.process(v)
	}
	return true
}

// process writes v if it is a pointer to a process.
func (w *Writer) process(v reflect.Value) bool {
	if v.Kind() != reflect.Pointer ||
		!strings.HasSuffix(v.Type().Elem().PkgPath(), "/runtime/sched") {
		return false
	}
	name, ok := w.world.Proc(v.Interface())
	if !ok {
		w.Fail("a process")
	}
	w.Int(name)
	return true
}

// test writes a *testing.T, or another type of package testing with a name, by its name.
func (w *Writer) test(v reflect.Value) {
	if v.IsNil() {
		w.Int(-1)
		return
	}
	named, ok := v.Interface().(interface{ Name() string })
	if !ok {
		w.Fail("a value of type " + v.Type().String())
		return
	}
	w.String(named.Name())
}

// sync writes an object of package sync.
func (w *Writer) sync(v reflect.Value) {
	t := v.Type()
	if !syncs.Models(t) {
		w.Fail("a value of type " + t.String())
		return
	}
	id, state := w.world.Sync(v.Addr().UnsafePointer(), t)
	w.Model(id)
	for _, n := range state {
		w.Int(n)
	}
	if t.Name() == "Cond" {
		w.Value(v.FieldByName("L"))
	}
}

// worldly reports whether the types of a package stand for something outside of the program's
// memory, or for the machinery that runs it.
func worldly(path string) bool {
	switch path {
	case "os", "net", "reflect", "runtime", "testing", "unique", "weak", "time/tzdata":
		return true
	}
	return strings.HasPrefix(path, "internal/")
}

// inert reports whether values of type t are numbers or texts, wherever it comes from.
func inert(t reflect.Type) bool { return t.Kind() < reflect.Array || t.Kind() == reflect.String }

// table writes a map, ordered by the texts of its keys.
func (w *Writer) table(v reflect.Value) {
	if v.IsNil() {
		w.Int(-1)
		return
	}
	w.number(uintptr(v.UnsafePointer()), 1)
	p := place{v.UnsafePointer(), v.Type(), 1}
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	type entry struct {
		key        []byte
		k, element reflect.Value
	}
	var entries []entry
	for i := v.MapRange(); i.Next(); {
		k, e := copied(i.Key()), copied(i.Value())
		entries = append(entries, entry{w.Shallow(k), k, e})
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	w.Int(len(entries))
	for _, e := range entries {
		w.Value(e.k)
		w.Value(e.element)
	}
}

func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// Shallow returns the text of v alone: nothing has been met, and the content of models is left out.
func (w *Writer) Shallow(v reflect.Value) []byte {
	s := New(w.world)
	s.depth = w.depth
	s.Value(v)
	if s.Why != "" {
		w.Fail(s.Why)
	}
	return s.Text
}

// function writes a function value: its code, and the variables that it has captured.
func (w *Writer) function(at unsafe.Pointer) {
	w.behind(at, maxBehind)
}

// behind writes a pointer to an object of unknown type, and the object, if it is on the heap.
func (w *Writer) behind(p unsafe.Pointer, depth int) {
	if id, ok := w.world.Chan(p); ok {
		w.Int(-5)
		w.Model(id)
		return
	}
	at, size, pointers := gate.Object(p)
	if at == nil {
		w.Int(int(uintptr(p))) // nil, code or a variable of a package
		return
	}
	w.Int(-6)
	w.number(uintptr(at), size)
	w.Int(int(uintptr(p) - uintptr(at)))
	seen := place{at, nil, int(size)}
	switch {
	case w.seen[seen]:
		return
	case depth == 0:
		w.Fail("what a function has captured is too deep")
		return
	}
	w.seen[seen] = true
	w.untyped(at, size, pointers, depth-1)
}

// untyped writes an object of unknown type.
func (w *Writer) untyped(at unsafe.Pointer, size uintptr, pointers bool, depth int) {
	from := uintptr(0)
	if pointers {
		for _, offset := range gate.Slots(at) {
			w.bytes(unsafe.Add(at, from), offset-from)
			w.behind(*(*unsafe.Pointer)(unsafe.Add(at, offset)), depth)
			from = offset + unsafe.Sizeof(at)
		}
	}
	if !pointers && size == tiny {
		w.Vague = "a small variable that a function has captured"
	}
	w.bytes(unsafe.Add(at, from), size-from)
	for _, part := range w.world.Within(at, size) {
		w.part(part)
	}
}

// part writes an object of package sync in memory of unknown type.
func (w *Writer) part(p syncs.Part) {
	if !p.Known {
		w.Fail("an object of package sync that a function has captured")
	}
	w.Int(int(p.Offset))
	w.Int(p.Kind)
	w.Model(p.ID)
	for _, n := range p.State {
		w.Int(n)
	}
}

func (w *Writer) bytes(at unsafe.Pointer, size uintptr) {
	w.Text = append(w.Text, unsafe.Slice((*byte)(at), size)...)
}
