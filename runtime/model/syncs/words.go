package syncs

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// The program may assign and copy objects, and knows nothing of models. So the state of an object
// stands in the object's own words, too, as package sync's own code would leave it when nobody
// waits: `mu = sync.Mutex{}`, `*p = T{}`, `append`, and all other code that moves or clears memory
// then do to the state what they do to the words.
//
//	var a sync.Mutex
//	a.Lock()            // the model of a is locked, and so are a's words
//	b := a              // b's words are locked
//	a = sync.Mutex{}    // a's words are not
//	b.Lock()            // b is met for the first time: its model takes the state from the words, and blocks
//	a.Lock()            // a's words are not what its model has left: somebody has assigned to a, which gets a new model
//
// Invariant: as long as nobody assigns to an object, its words say what its model says. Assignments
// are noticed by the words alone, at the next call that uses the object. A process that waits at
// that moment goes on waiting for the old model, just as a goroutine goes on waiting that is
// unknown to the new state of a real mutex.
//
// The words of private objects are left alone. Locks of the library are private: the explorer uses
// them, too, and must not wait for a process. While code runs that is not under control, all
// objects are private, as that code might find a lock taken.

// offsets of the words in the types of package sync.
var words = struct {
	mutex                   uintptr
	writer, readers, leaves uintptr // of an RWMutex
	counter                 uintptr // of a WaitGroup
	done, running           uintptr // of a Once
	waiters, woken          uintptr // of a Cond
}{
	mutex:   offset[sync.Mutex]("mu", "state"),
	writer:  offset[sync.RWMutex]("w", "mu", "state"),
	readers: offset[sync.RWMutex]("readerCount"),
	leaves:  offset[sync.RWMutex]("readerWait"),
	counter: offset[sync.WaitGroup]("state"),
	done:    offset[sync.Once]("done"),
	running: offset[sync.Once]("m", "mu", "state"),
	waiters: offset[sync.Cond]("notify", "wait"),
	woken:   offset[sync.Cond]("notify", "notify"),
}

// offset returns the place of a field in T; the names are the way to it.
func offset[T any](names ...string) (sum uintptr) {
	t := reflect.TypeFor[T]()
	for _, name := range names {
		f, ok := t.FieldByName(name)
		if !ok {
			panic("syncs: " + t.String() + " has no field " + name)
		}
		sum, t = sum+f.Offset, f.Type
	}
	return sum
}

const (
	held = 1 // the lowest bit of a Mutex says that it is locked
	// is taken from the readers of an RWMutex while a writer has announced itself
	maxReaders = 1 << 30
)

// Shared reports whether objects that are used from a caller, a program counter, for the first time
// are the program's own.
var Shared = func(caller uintptr) bool { return false }

func (o *object) int32(offset uintptr) *int32 { return (*int32)(unsafe.Add(o.at, offset)) }

func (o *object) uint64(offset uintptr) *uint64 { return (*uint64)(unsafe.Add(o.at, offset)) }

// snapshot is what the words of an object contained.
type snapshot [3]uint64

//go:norace
func (o *object) snapshot() (s snapshot) {
	switch o.kind {
	case mutex:
		s[0] = uint64(*o.int32(words.mutex))
	case rwmutex:
		s = snapshot{uint64(*o.int32(words.writer)), uint64(*o.int32(words.readers)),
			uint64(*o.int32(words.leaves))}
	case waitgroup:
		s[0] = *o.uint64(words.counter)
	case once:
		s = snapshot{uint64(*o.int32(words.done)), uint64(*o.int32(words.running))}
	case cond:
		s = snapshot{uint64(*o.int32(words.waiters)), uint64(*o.int32(words.woken))}
	}
	return s
}

//go:norace
func (o *object) putBack() {
	s := &o.before
	switch o.kind {
	case mutex:
		*o.int32(words.mutex) = int32(s[0])
	case rwmutex:
		*o.int32(words.writer), *o.int32(words.readers), *o.int32(words.leaves) = int32(s[0]),
			int32(s[1]), int32(s[2])
	case waitgroup:
		*o.uint64(words.counter) = s[0]
	case once:
		*o.int32(words.done), *o.int32(words.running) = int32(s[0]), int32(s[1])
	case cond:
		*o.int32(words.waiters), *o.int32(words.woken) = int32(s[0]), int32(s[1])
	case pool, syncMap:
		*shareAt(o.at, o.kind) = nil
	}
}

// fits reports whether the words say what the model says: nobody has assigned to the object.
//
//go:norace
func (o *object) fits() bool {
	if o.private {
		return true
	}
	switch o.kind {
	case mutex:
		return *o.int32(words.mutex)&held == bit(o.locked)
	case rwmutex:
		return *o.int32(words.readers) == o.readerCount()
	case waitgroup:
		return int32(*o.uint64(words.counter)>>32) == int32(o.count)
	case once:
		return (*o.int32(words.done) != 0) == o.done &&
			*o.int32(words.running)&held == bit(o.locked)
	case cond:
		return *o.int32(words.waiters) == o.waiters && *o.int32(words.woken) == o.woken
	case pool, syncMap:
		s := *shareAt(o.at, o.kind)
		return s != nil && s.o == o && s.execution == executions
	}
	return true
}

// load makes the model say what the words say.
//
//go:norace
func (o *object) load() {
	switch o.kind {
	case mutex:
		o.locked = *o.int32(words.mutex)&held != 0
	case rwmutex:
		o.readers = *o.int32(words.readers)
		if o.locked = o.readers < 0; o.locked {
			o.readers += maxReaders
			o.writing = o.readers == 0
		}
	case waitgroup:
		o.count = int(int32(*o.uint64(words.counter) >> 32))
	case once:
		o.done, o.locked = *o.int32(words.done) != 0, *o.int32(words.running)&held != 0
	case cond:
		o.waiters, o.woken = *o.int32(words.waiters), *o.int32(words.woken)
	}
}

// store makes the words say what the model says. Other bits, of goroutines that waited before the
// execution, stay.
//
//go:norace
func (o *object) store() {
	switch o.kind {
	case mutex:
		mark(o.int32(words.mutex), o.locked)
	case rwmutex:
		mark(o.int32(words.writer), o.locked)
		*o.int32(words.readers), *o.int32(words.leaves) = o.readerCount(), 0
		if o.locked {
			*o.int32(words.leaves) = o.readers
		}
	case waitgroup:
		const low = 1<<32 - 1
		at := o.uint64(words.counter)
		*at = uint64(uint32(o.count))<<32 | *at&low
	case once:
		*o.int32(words.done) = bit(o.done)
		mark(o.int32(words.running), o.locked)
	case cond:
		*o.int32(words.waiters), *o.int32(words.woken) = o.waiters, o.woken
	}
}

func (o *object) readerCount() int32 {
	if o.locked {
		return o.readers - maxReaders
	}
	return o.readers
}

//go:norace
func mark(word *int32, locked bool) { *word = *word&^held | bit(locked) }

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// A Pool and a Map refer to what they contain, and share that with their copies. The overlay gives
// both a word of the model's: a share, which copies share, too.
type share struct {
	execution int // that it belongs to: what an earlier one has left is none
	o         *object
}

// shares has the offsets of these words, by kind; negative without the overlay.
var shares = [...]int{pool: shareOf[sync.Pool](), syncMap: shareOf[sync.Map](), mutex: -1,
	rwmutex: -1, waitgroup: -1, once: -1, cond: -1, variable: -1, table: -1}

func shareOf[T any]() int {
	if f, ok := reflect.TypeFor[T]().FieldByName("rehearse"); ok {
		return int(f.Offset)
	}
	return -1
}

// executions counts those of all worlds.
var executions int

// shareAt returns the place of an object's share.
func shareAt(p unsafe.Pointer, k kind) **share { return (**share)(unsafe.Add(p, shares[k])) }

// sharing finds the model of a Pool or Map; nil if it has none in this execution.
//
//go:norace
func (l *objects) sharing(p unsafe.Pointer, k kind) *object {
	if s := *shareAt(p, k); s != nil && s.execution == l.execution {
		return s.o
	}
	return nil
}

// share gives the Pool or Map at o.at the model o.
//
//go:norace
func (l *objects) share(o *object) { *shareAt(o.at, o.kind) = &share{l.execution, o} }

// PutBack puts the words of all objects back, after an execution: the next one must not find its
// state in memory that outlives it.
func (l *objects) PutBack() {
	for _, o := range l.pool[:l.used] {
		if o.owns {
			o.putBack()
		}
	}
}

// private reports whether the words of an object that is met in this call are left alone.
func private() bool { return gate.Caller == 0 || !Shared(gate.Caller) }
