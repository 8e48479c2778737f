package syncs

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// kinds are the types of package sync that have models, by name.
var kinds = map[string]kind{"Mutex": mutex, "RWMutex": rwmutex, "WaitGroup": waitgroup,
	"Once": once, "Cond": cond}

// Models reports whether values of type t, of package sync, have models that say all about them.
func Models(t reflect.Type) bool {
	_, ok := kinds[t.Name()]
	return ok
}

// Look returns the number of the object of type t at an address, -1 for one that has not been used,
// and its state. Of a Cond, that is how many waiters have not been woken.
func (l *objects) Look(at unsafe.Pointer, t reflect.Type) (id int32, state [6]int) {
	k := kinds[t.Name()]
	o := l.met[key{at, k}]
	if o == nil || !o.fits() {
		return -1, unmet(at, k).state()
	}
	return o.id, o.state()
}

// unmet is the model that an object will have when it is used.
func unmet(at unsafe.Pointer, k kind) *object {
	o := &object{at: at, kind: k}
	o.load()
	return o
}

func (o *object) state() [6]int {
	return [6]int{int(bit(o.locked)), int(bit(o.writing)), int(bit(o.done)), int(o.readers),
		o.count,
		int(o.waiters - o.woken)}
}

// Part is an object of package sync in a piece of memory.
type Part struct {
	Offset uintptr // from the beginning of the piece
	Kind   int     // of the object: there may be several at one address
	ID     int32
	State  [6]int // as Look has it
	Known  bool   // the state is all that there is to know; not of a Pool
}

// Within returns the objects that have been used in a piece of memory, in the order of their
// places.
func (l *objects) Within(at unsafe.Pointer, size uintptr) (parts []Part) {
	for k, o := range l.met {
		if offset := uintptr(k.p) - uintptr(at); offset < size {
			id := o.id
			if !o.fits() {
				o, id = unmet(o.at, o.kind), -1
			}
			parts = append(parts, Part{offset, int(k.k), id, o.state(), k.k != pool})
		}
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Kind, b.Kind))
	})
	return parts
}

// Each calls f with all objects that have been used, in the order of their numbers, and their
// states, as Look has them.
func (l *objects) Each(f func(id int32, state [6]int)) {
	for _, o := range l.pool[:l.used] {
		f(o.id, o.state())
	}
}

// Turn returns the place of a process, which waits for a Cond with operation op, among the waiters
// that have not been woken; negative if it has been. For all other operations it is Op.N.
func (op *Operation) Turn(declared *trace.Op) int32 {
	if declared.Kind != trace.CondWait {
		return declared.N
	}
	return max(declared.N-op.o.woken, -1)
}
