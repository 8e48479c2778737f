package hook

import (
	"bytes"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/races"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Accesses to variables that several processes may touch. The parameter what is constant: the
// variable and its place in the source. The functions with All in their names are for structs,
// arrays and values of a type parameter: each part is a variable.

// Accessed is set if the binary has such accesses.
var Accessed bool

// Watches reports whether data races are looked for.
func Watches() bool { return Accessed && !world.Setup.Raceless && !world.Setup.Inert }

// Instrumented tells that the package announces accesses.
func Instrumented() { Accessed = true }

// Resets is Instrumented of a package that assigns to objects of package sync, or to what has one
// in it: their operations are accesses, too.
func Resets() {
	Instrumented()
	races.Resets = true
}

// WatchMemory begins to watch the world's executions, if data races are looked for. Without steps
// for atomic operations, the order that these establish is not known.
func WatchMemory() {
	if Watches() {
		world.W.Races.Watch()
	}
}

// Read announces that the variable at p is about to be read.
func Read[T any](p *T, what string) *T {
	reads(unsafe.Pointer(p), what)
	return p
}

// Get is Read for a variable that nothing changes between this point of the statement and the use
// of the value. In a data race, Get is a step: operations of other processes after it come too late
// to change the value.
func Get[T any](p *T, what string) T {
	reads(unsafe.Pointer(p), what)
	return *p
}

// GetAll is ReadAll under the same condition as Get.
func GetAll[T any](p *T, what string) T { return *ReadAll(p, what) }

// Write announces that the variable at p is about to be written.
func Write[T any](p *T, what string) *T {
	writes(unsafe.Pointer(p), what)
	return p
}

// Peek comes before an update of the variable at p reads it. The write that follows at once stands
// for both: in a data race, the read is a step of its own.
func Peek[T any](p *T, what string) *T {
	if Points != nil && p != nil {
		peeks(unsafe.Pointer(p), what)
	}
	return p
}

//go:noinline
func peeks(at unsafe.Pointer, what string) {
	if p := world.W.Current(); p != nil {
		leaves(p, false)
		stepAt(p, at, what, trace.AtomicLoad)
	}
}

// Ahead comes before a write of the variable at p that may happen, and is announced only after it.
// In a data race, Ahead is a step, which orders the write after earlier operations of other
// processes.
func Ahead[T any](p *T, what string) {
	if Points != nil {
		eachPart(unsafe.Pointer(p), layoutOf(reflect.TypeFor[T]()), what, comes)
	}
}

//go:noinline
func comes(at unsafe.Pointer, what string) {
	if p := world.W.Current(); p != nil {
		leaves(p, false)
		stepAt(p, at, what, trace.AtomicStore)
	}
}

// Update is Peek for an update that commutes with those of its class: nobody sees in which order
// they come.
func Update[T any](class sections.How, p *T, what string) *T {
	updated.at, updated.how = unsafe.Pointer(p), class
	return Peek(p, what)
}

// Set is Write as the last announcement of a statement.
func Set[T any](p *T, what string) *T {
	writes(unsafe.Pointer(p), what)
	stored()
	return p
}

// Wrote announces that v is about to be written to the variable at p, when p could not be known
// before v was. It is the last announcement of a statement.
func Wrote[T, U any](v T, p *U, what string) T {
	writes(unsafe.Pointer(p), what)
	stored()
	return v
}

// WroteOne is Wrote where the statement writes other variables, too, or goes on to evaluate.
func WroteOne[T, U any](v T, p *U, what string) T {
	writes(unsafe.Pointer(p), what)
	return v
}

// stored says that the process's last announced write is made before its next operation.
func stored() {
	if Points != nil {
		if p := world.W.Current(); p != nil {
			world.Scratch(p).Stored = true
		}
	}
}

// ReadAll announces that all of the variable at p is about to be read.
func ReadAll[T any](p *T, what string) *T {
	if world.W.Current() != nil && p != nil {
		eachPart(unsafe.Pointer(p), layoutOf(reflect.TypeFor[T]()), what, reads)
	}
	return p
}

// WriteAll announces that all of the variable at p is about to be written.
func WriteAll[T any](p *T, what string) *T {
	if world.W.Current() != nil && p != nil {
		writesAll(unsafe.Pointer(p), reflect.TypeFor[T](), what)
	}
	return p
}

func writesAll(at unsafe.Pointer, t reflect.Type, what string) {
	eachPart(at, layoutOf(t), what, writes)
	if p := world.W.Current(); p != nil {
		world.W.Call.Uses.Wrote(at, p.ID, world.W.Steps())
	}
}

// Flushes announces that p is about to write what it has buffered: if that is nothing, it is only
// read.
func Flushes[P interface {
	*T
	Buffered() int
}, T any](p P, what string) P {
	if p != nil && p.Buffered() == 0 {
		ReadAll((*T)(p), what)
	} else {
		WriteAll((*T)(p), what)
	}
	return p
}

// WroteAll announces that v is about to be written to the variable at p, when p could not be known
// before v was.
func WroteAll[T, U any](v T, p *U, what string) T {
	WriteAll(p, what)
	return v
}

// ReadMap announces that an element of m is about to be looked up.
func ReadMap[M ~map[K]V, K comparable, V any](m M, what string) M {
	reads(world.Pointer(m), what)
	return m
}

// WriteMap announces that an element of m is about to be set or deleted.
func WriteMap[M ~map[K]V, K comparable, V any](m M, what string) M {
	writes(world.Pointer(m), what)
	return m
}

// WroteMap announces that v is about to be put into m.
func WroteMap[T any, M ~map[K]V, K comparable, V any](v T, m M, what string) T {
	writes(world.Pointer(m), what)
	return v
}

// WroteAt announces that v is about to be put into m at k.
func WroteAt[T any, M ~map[K]V, K comparable, V any](v T, m M, k K, what string) T {
	WriteAt(m, k, what)
	return v
}

// AtomicRead announces that the variable at p is the one that the next operation of package
// sync/atomic reads.
func AtomicRead[T any](p *T, what string) *T {
	atomically(unsafe.Pointer(p), what, false)
	return p
}

// AtomicWrite announces that the variable at p is the one that the next operation of package
// sync/atomic writes.
func AtomicWrite[T any](p *T, what string) *T {
	atomically(unsafe.Pointer(p), what, true)
	return p
}

//go:noinline
func atomically(at unsafe.Pointer, what string, write bool) {
	if p := world.W.Current(); p != nil && at != nil {
		world.W.Races.Atomically(p, at, what, write)
	}
}

// Points are the accesses that are steps, by the text that announces them; the value is true if
// atomic operations access the variable, too. nil: no access is a step.
var Points map[string]bool

// racing stands for all variables whose accesses are steps, except for those that atomic operations
// access, too. A statement announces its accesses before it makes them, the write often first: the
// access to one variable may come behind the statement's step for another one.
//
//	x = y + 1    a step for the write of x, one for the read of y, and then both are done
var racing byte

// stepAt makes an access of p to the variable at an address a step if it is to be one.
func stepAt(p *sched.Proc, at unsafe.Pointer, what string, kind trace.Kind) {
	atomic, is := Points[what]
	if !is || world.W.Dying() || world.W.GoesOn(p, at) {
		return
	}
	if !atomic {
		at = unsafe.Pointer(&racing)
	}
	m := world.Scratch(p)
	if p.Op.Kind == trace.AtomicStore && p.Op.IsPlain() && !m.Stored {
		kind = trace.AtomicStore // that of the last step may be still to come
	}
	m.Stored = false
	world.W.Enter()
	world.W.Syncs.Atomic(p, &m.Sync, at, 0, kind, trace.Plain, trace.NoKey)
	p.Leave()
}

//go:noinline
func reads(at unsafe.Pointer, what string) {
	if p := world.W.Current(); p != nil && at != nil {
		returned()
		leaves(p, false)
		stepAt(p, at, what, trace.AtomicLoad)
		notes.Touch(p)
		world.W.Sects.Access(p, at, nil, false, sections.Looks, what)
		world.W.Races.Read(p, at, what)
	}
}

//go:noinline
func writes(at unsafe.Pointer, what string) { alters(at, howChanged, what) }

func alters(at unsafe.Pointer, how func(unsafe.Pointer) sections.How, what string) {
	if p := world.W.Current(); p != nil && at != nil {
		returned()
		leaves(p, false)
		stepAt(p, at, what, trace.AtomicStore)
		written(p, at, how, what)
	}
}

// written tells of a write.
func written(p *sched.Proc, at unsafe.Pointer, how func(unsafe.Pointer) sections.How,
	what string) {
	notes.Touch(p)
	if world.W.Clock.Laps() {
		world.W.Clock.Change()
	}
	world.W.Sects.Access(p, at, nil, false, how(at), what)
	world.W.Races.Write(p, at, what)
}

// Variables that the program has given to a function of the library, which may write them for all
// that is known. No other process moves until the process's next step, so what has changed by then
// has been written by the process, and the write is announced. A write of the same value again goes
// unnoticed, and so does one behind a step of the function.

// handed is what the current process has given to the library since its last step.
type handed struct {
	at   unsafe.Pointer
	n    int
	t    reflect.Type
	what string
	was  []byte // the contents then
}

var watches []handed

// mostWatches bounds them: a loop may call such functions often without a step. No call has half as
// many arguments, so the functions that were given the older half have returned.
const mostWatches = 32

// Watch announces what the library will have written of the variable at p.
func Watch[T any](p *T, what string) *T {
	watch(unsafe.Pointer(p), 1, reflect.TypeFor[T](), what)
	return p
}

// WatchElements is Watch for the elements of s, and for those behind them, to which a function may
// append.
func WatchElements[S ~[]E, E any](s S, what string) S {
	watch(unsafe.Pointer(unsafe.SliceData(s)), cap(s), reflect.TypeFor[E](), what)
	return s
}

func watch(at unsafe.Pointer, n int, t reflect.Type, what string) {
	p := world.W.Current()
	if p == nil || at == nil || t.Size() == 0 || !world.W.Races.Watches(p) {
		return
	}
	if n = min(n, maxParts/len(layoutOf(t))); n == 0 {
		return
	}
	if Points != nil {
		comes(at, what)
	}
	i := slices.IndexFunc(watches, func(w handed) bool {
		return w.at == at && w.n == n && w.t == t
	})
	switch {
	case i >= 0:
		watches[i].compare(p)
	case len(watches) >= mostWatches:
		settle(mostWatches / 2)
		fallthrough
	default:
		i = len(watches)
		watches = slices.Grow(watches, 1)[:i+1] // with the memory of an earlier one
	}
	w := &watches[i]
	*w = handed{at, n, t, what, w.was[:0]}
	w.was = append(w.was, w.memory()...)
	world.W.Owe(compare)
}

// tells notes that the library itself tells of a write at a place.
func tells(at unsafe.Pointer) {
	watches = slices.DeleteFunc(watches, func(w handed) bool {
		from := uintptr(at) - uintptr(w.at)
		return from < uintptr(w.n)*w.t.Size()
	})
}

// returned is called before an access is announced. Unless the library tells of that, its function
// has returned, or has called the program.
func returned() {
	if len(watches) > 0 && !world.W.Call.Announcing {
		compare()
	}
}

// compare announces what has been written since.
func compare() { settle(len(watches)) }

// settle announces what has been written of the first n watches, and ends these.
func settle(n int) {
	if n == 0 {
		return
	}
	if p := world.W.Current(); p != nil && world.W.Races.Watches(p) {
		for i := range n {
			watches[i].compare(p)
		}
	}
	watches = slices.Delete(watches, 0, n)
}

func (w *handed) memory() []byte {
	return unsafe.Slice((*byte)(w.at), w.n*int(w.t.Size()))
}

// compare announces what p has written of w since.
func (w *handed) compare(p *sched.Proc) {
	now := w.memory()
	if bytes.Equal(w.was, now) {
		return
	}
	const some = 16 // elements that are looked at together
	size, layout := int(w.t.Size()), layoutOf(w.t)
	for i := 0; i < len(now); i += size {
		if far := min(i+some*size, len(now)); bytes.Equal(w.was[i:far], now[i:far]) {
			i = far - size
			continue
		}
		for j, from := range layout {
			to := size
			if j+1 < len(layout) {
				to = int(layout[j+1])
			}
			from := i + int(from)
			if !bytes.Equal(w.was[from:i+to], now[from:i+to]) {
				written(p, unsafe.Add(w.at, from), howChanged, w.what)
			}
		}
	}
}
