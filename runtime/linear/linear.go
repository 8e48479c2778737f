// Package linear writes down the content of a part of memory, so that two states of a program can
// be compared: the same text stands for the same content, wherever it lies.
//
// Vocabulary: a text is a sequence of bytes; to linearise is to write a graph of objects as a text,
// in the order of a walk. An object that is met again is named by the number that it got at first.
// An extent is a piece of memory that has a number. A model stands for an object (a channel, a
// mutex) whose memory does not tell its state.
//
// Guarantees: equal texts of two states, of one run of a binary, mean that an isomorphism of memory
// leads from one to the other: the same values, the same aliases, also of parts of objects, and of
// slices up to their capacities. The order of a map's entries does not matter. Why names an object
// that cannot be written down.
//
// LIMITS: objects of types of packages that talk to the world cannot be written down. Variables
// that a function has captured are written word by word. So a map among them is never equal to
// another one. A small variable may be written together with its neighbours, which the same process
// has made since its last operation; then texts of equal states may differ. Two objects that were
// made before the first execution, and differ only in their addresses, are not told apart.
package linear

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/syncs"
)

// World has knowledge that memory does not show.
type World interface {
	// Chan returns the number of a channel's model; ok is false if there is none.
	Chan(at unsafe.Pointer) (id int32, ok bool)
	// Sync returns the number of the model of an object of package sync, -1 if it has not been
	// used, and its state.
	Sync(at unsafe.Pointer, t reflect.Type) (id int32, state [6]int)
	// Within returns the objects of package sync in a piece of memory, in order.
	Within(at unsafe.Pointer, size uintptr) []syncs.Part
	// Proc returns the name of the process that a pointer of the scheduler's type for processes
	// refers to.
	Proc(p any) (name int, ok bool)
	// Skip reports whether values of a type are none of the program's business.
	Skip(t reflect.Type) bool
}

// Writer writes one text.
type Writer struct {
	Text []byte
	Why  string // what could not be written down; empty: all was
	// something that was written with memory around it, of which nothing is known: the text of
	// equal content may be another one; empty: nothing
	Vague string
	Refs  []int32 // the models that were met, in order

	ByNumber bool // models are written with their own numbers

	// Met is called when a model is met for the first time; nil: nothing is done. It may write what
	// the model holds.
	Met func(id int32)

	world   World
	extents []extent
	numbers map[int32]int // of models
	seen    map[place]bool
	depth   int
}

// extent is a numbered piece of memory.
type extent struct{ from, size uintptr }

// place is a piece of memory that has been written down as being of a type.
type place struct {
	at   unsafe.Pointer
	typ  reflect.Type
	size int
}

// maxDepth bounds nested pointers: a longer list would exhaust the stack.
const maxDepth = 10_000

// New returns a Writer of an empty text.
func New(w World) *Writer {
	return &Writer{world: w, numbers: map[int32]int{}, seen: map[place]bool{}}
}

// Int writes n.
func (w *Writer) Int(n int) { w.Text = binary.AppendVarint(w.Text, int64(n)) }

// String writes s.
func (w *Writer) String(s string) {
	w.Int(len(s))
	w.Text = append(w.Text, s...)
}

// Any writes the value of v.
func (w *Writer) Any(v any) { w.Value(reflect.ValueOf(&v).Elem()) }

// Fail notes the reason why something cannot be written down.
func (w *Writer) Fail(why string) {
	if w.Why == "" {
		w.Why = why
	}
}

// Model writes the number of a model; -1 stands for none.
func (w *Writer) Model(id int32) {
	if id == -1 {
		w.Int(-1)
		return
	}
	n, known := w.numbers[id]
	if !known {
		n = len(w.numbers)
		w.numbers[id] = n
	}
	if w.ByNumber {
		n = int(id)
	}
	w.Int(n)
	w.Refs = append(w.Refs, id)
	if !known && w.Met != nil {
		w.Met(id)
	}
}

// Value writes v, which is addressable.
func (w *Writer) Value(v reflect.Value) {
	if w.depth++; w.depth > maxDepth {
		w.Fail("a very long list")
	} else if w.Why == "" && !w.special(v) {
		w.plain(v)
	}
	w.depth--
}

// plain is a flat switch over the kinds of types.
func (w *Writer) plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.String(v.String())
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Slice:
		w.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			w.Value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			w.Value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	case reflect.Map:
		w.table(v)
	case reflect.Chan:
		w.channel(v)
	case reflect.Interface:
		w.dynamic(v)
	case reflect.Func:
		w.function(*(*unsafe.Pointer)(v.Addr().UnsafePointer()))
	case reflect.UnsafePointer:
		w.behind(v.UnsafePointer(), maxBehind)
	default:
		w.Text = append(w.Text, unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())...)
	}
}

func (w *Writer) pointer(v reflect.Value) {
	if v.IsNil() {
		w.Int(-1)
		return
	}
	w.block(reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Elem())
}

// block writes the number of v's piece of memory, and its content if that has not been written.
func (w *Writer) block(v reflect.Value) {
	if w.Skip(v.Type()) {
		return
	}
	at := v.Addr().UnsafePointer()
	w.number(uintptr(at), v.Type().Size())
	p := place{at, v.Type(), 1}
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	w.Value(v)
}

// Skip reports whether values of type t are not written.
func (w *Writer) Skip(t reflect.Type) bool { return w.world.Skip(t) }

// number writes how a piece of memory lies to those that have been met.
func (w *Writer) number(from, size uintptr) {
	if size == 0 {
		w.Int(-2)
		return
	}
	for i, x := range w.extents {
		if x.from <= from && from+size <= x.from+x.size {
			w.Int(i)
			w.Int(int(from - x.from))
			return
		}
	}
	w.Int(len(w.extents))
	for i, x := range w.extents { // those that it overlaps with
		if from < x.from+x.size && x.from < from+size {
			w.Int(-3)
			w.Int(i)
			w.Int(int(int64(x.from) - int64(from)))
		}
	}
	w.Int(-4)
	w.extents = append(w.extents, extent{from, size})
}

func (w *Writer) slice(v reflect.Value) {
	w.Int(v.Len())
	w.Int(v.Cap())
	if v.IsNil() {
		w.Int(-1)
		return
	}
	elem := v.Type().Elem()
	at := v.UnsafePointer()
	w.number(uintptr(at), uintptr(v.Cap())*elem.Size())
	p := place{at, elem, v.Cap()}
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	all := reflect.NewAt(reflect.ArrayOf(v.Cap(), elem), at).Elem()
	if !holdsReferences(elem) {
		w.Text = append(w.Text, unsafe.Slice((*byte)(at), all.Type().Size())...)
		return
	}
	for i := range v.Cap() {
		w.Value(all.Index(i))
	}
}

// channel writes a channel; its content is the model's business.
func (w *Writer) channel(v reflect.Value) {
	at := v.UnsafePointer()
	if at == nil {
		w.Int(-1)
		return
	}
	id, ok := w.world.Chan(at)
	if !ok {
		w.Fail("a channel that is not under control")
		return
	}
	w.Model(id)
}

// dynamic writes the value of an interface.
func (w *Writer) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.Int(-1)
		return
	}
	held := v.Elem()
	w.typ(held.Type())
	c := reflect.New(held.Type()).Elem()
	c.Set(held)
	w.Value(c)
}

// typ writes which type t is: a type has one address as long as the binary runs.
func (w *Writer) typ(t reflect.Type) {
	w.Int(int(uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1])))
}

// references remembers of types whether values of them refer to something; strings do not count,
// but are no plain bytes.
var references = map[reflect.Type]bool{}

func holdsReferences(t reflect.Type) bool {
	holds, known := references[t]
	if !known {
		references[t] = true // of a type that contains itself
		holds = findReferences(t)
		references[t] = holds
	}
	return holds
}

func findReferences(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return holdsReferences(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name == "_" || holdsReferences(f.Type) {
				return true // what is between fields is not a part of the value
			}
		}
		return t.PkgPath() == "sync" || padded(t)
	case reflect.String, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan,
		reflect.Interface,
		reflect.Func, reflect.UnsafePointer:
		return true
	}
	return false
}

// padded reports whether a struct has bytes that belong to none of its fields.
func padded(t reflect.Type) bool {
	var sum uintptr
	for i := range t.NumField() {
		sum += t.Field(i).Type.Size()
	}
	return sum != t.Size()
}
