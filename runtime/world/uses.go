package world

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Uses are the changes of streams by the library that an execution has announced.
type Uses struct {
	last, inside Use // the last that was announced, and the last call
	// objects with streams that the library has changed; true: they are in a pool, or an object
	// that is leads to them
	pools map[unsafe.Pointer]bool
}

// Use is a change of the stream at a place by the library.
type Use struct {
	At     unsafe.Pointer
	Caller uintptr // where it returns to
	Proc   int32
	Steps  int // of the execution before
}

// News reports whether a change of a stream of type t is to be announced: the library makes it, and
// not a method of the stream itself, the last one was another, other processes can see the stream,
// and it is of no pool.
func (u *Uses) News(now Use, t reflect.Type) bool {
	by := u.inside
	u.inside = now
	switch f := functionAt(now.Caller); {
	case f == "", now == u.last, !gate.OnHeap(now.At) && !gate.Global(uintptr(now.At)):
		return false
	case by.At == now.At && by.Proc == now.Proc &&
		strings.HasPrefix(f, t.PkgPath()+".(*"+t.Name()+")."):
		return false
	}
	at, _, _ := gate.Object(now.At)
	if u.pools[at] {
		return false
	}
	if at != nil {
		u.keep(at, false)
	}
	u.last = now
	return true
}

// libraryAt has the functions of the library by return addresses; empty: the function there is of
// the program.
var libraryAt = map[uintptr]string{}

func functionAt(caller uintptr) string {
	name, known := libraryAt[caller]
	if !known {
		f, _ := runtime.CallersFrames([]uintptr{caller}).Next()
		if ofLibrary(f.File) {
			name = f.Function
		}
		libraryAt[caller] = name
	}
	return name
}

func (u *Uses) keep(at unsafe.Pointer, inPool bool) {
	if u.pools == nil {
		u.pools = map[unsafe.Pointer]bool{}
	}
	u.pools[at] = inPool
}

// maxPooled bounds the objects that are looked at behind one that is put into a pool.
const maxPooled = 64

// Pool notes that the library has put an object into a pool of its own, with the streams that the
// object leads to.
func (u *Uses) Pool(v unsafe.Pointer) {
	var pointers []uintptr
	list, seen := []uintptr{uintptr(v)}, map[uintptr]bool{}
	for i := 0; i < len(list) && len(seen) < maxPooled; i++ {
		var at uintptr
		if at, pointers = gate.Pointers(list[i], pointers[:0]); at == 0 || seen[at] {
			continue
		}
		seen[at] = true
		o := *(*unsafe.Pointer)(unsafe.Pointer(&at))
		if _, known := u.pools[o]; known || len(seen) == 1 {
			u.keep(o, true)
		}
		list = append(list, pointers...)
	}
}
