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

	touched map[Touch]bool // since the step before
	steps   int            // of the execution then

	wrote   Touch // the program's last announcement
	wroteAt int   // steps of the execution before
}

// Touch is an access of the library to a field of an object of its own types.
type Touch struct {
	At    unsafe.Pointer
	Proc  int32
	Write bool
}

// Touches reports whether an access is to be announced: it is the first one since the last step,
// other processes can see the object, and that is in no pool.
func (u *Uses) Touches(now Touch, steps int) bool {
	return visible(now.At) && u.first(now, steps) && !u.pooled(now.At)
}

// visible reports whether other processes may see an object. Other objects are on stacks, which
// move: nothing remembers where those are.
func visible(at unsafe.Pointer) bool { return gate.OnHeap(at) || gate.Global(uintptr(at)) }

// first reports whether an access is the first one since the last step.
func (u *Uses) first(now Touch, steps int) bool {
	if u.steps != steps || len(u.touched) >= maxTouched {
		u.steps = steps
		clear(u.touched)
	}
	if u.touched[now] {
		return false
	}
	if u.touched == nil {
		u.touched = map[Touch]bool{}
	}
	u.touched[now] = true
	return true
}

// Wrote notes that the program itself has announced a write of all of the variable at a place.
func (u *Uses) Wrote(at unsafe.Pointer, proc int32, steps int) {
	u.wrote, u.wroteAt = Touch{at, proc, true}, steps
}

// unsaid reports whether the program has not announced a write that it makes.
func (u *Uses) unsaid(now Touch, steps int) bool {
	return (now != u.wrote || steps != u.wroteAt) && u.first(now, steps)
}

// maxTouched bounds the accesses that are remembered.
const maxTouched = 1024

// pooled reports whether the object at a place is in a pool of the library. Others are remembered
// for when they come into one.
func (u *Uses) pooled(at unsafe.Pointer) bool {
	object, _, _ := gate.Object(at)
	if u.pools[object] {
		return true
	}
	if object != nil {
		u.keep(object, false)
	}
	return false
}

// Use is a change of the stream at a place by the library.
type Use struct {
	At     unsafe.Pointer
	Caller uintptr // where it returns to
	Proc   int32
	Steps  int // of the execution before
}

// News reports whether a change of a stream of type t is to be announced: it is not made by a
// method of the stream itself, nor by the program after an announcement of its own, the last one
// was another, other processes can see the stream, and it is of no pool.
func (u *Uses) News(now Use, t reflect.Type) bool {
	by := u.inside
	if u.inside = (Use{}); !visible(now.At) {
		return false
	}
	u.inside = now
	switch f := functionAt(now.Caller); {
	case now == u.last:
		return false
	case f == "" && !u.unsaid(Touch{now.At, now.Proc, true}, now.Steps):
		return false
	case by.At == now.At && by.Proc == now.Proc &&
		strings.HasPrefix(f, t.PkgPath()+".(*"+t.Name()+")."):
		return false
	}
	if u.pooled(now.At) {
		return false
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
