// Package syncs models package sync: Mutex, RWMutex, WaitGroup, Once, Cond and Pool. The model
// decides. The words of the original have the state, too, so that assigning to an object replaces
// its state, and a copy has the state of its original: see words.go. After an execution the words
// are put back: an object that outlives the execution starts the next one as it was. For sync.Map
// and variables that are used atomically, the package only models when they are used: their state
// stays in the program.
//
// Guarantees: exactly the blocking behaviour, the panics and the fatal errors of package sync. A
// writer that has called RWMutex.Lock keeps new readers out (the writer's preference) from its
// WLock on, also while it waits (WWait) for the readers that are in.
//
// LIMITS: TryLock fails only if the mutex is held. WaitGroup.Add beside Wait, which Go reports only
// sometimes, is for package races to report. A Pool keeps all its values until the execution ends,
// and returns the one that was put last; Go may drop a value at any time, which is not tried.
package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// object is the state of any one synchronisation object.
type object struct {
	id      int32
	kind    kind
	at      unsafe.Pointer // keeps it alive, so that no other takes its place
	private bool           // its words are left alone, see words.go
	// it is the first model of the execution at that address, and puts the words back
	owns   bool
	before snapshot // if it is: what they were

	// Mutex: held; RWMutex: a writer has announced itself; Once: a process is in the function
	locked  bool
	writing bool          // RWMutex: the writer is in
	wide    bool          // atomic variable: of 64 bits
	sealed  bool          // atomic variable: nothing but atomic operations reads it
	done    bool          // Once: the function has returned
	readers int32         // RWMutex: readers that are in
	count   int           // WaitGroup: the counter
	waiters int32         // Cond: processes that have become waiters so far
	woken   int32         // Cond: of those, the first so many have been woken
	bubble  *sched.Bubble // WaitGroup: all calls of Add were made in it
	values  []any         // Pool: what was put and not got, the latest last
}

// kind keeps apart objects of different types at one address.
type kind uint8

const (
	mutex kind = iota
	rwmutex
	waitgroup
	once
	cond
	pool
	syncMap
	variable
	table
)

var kindNames = [...]string{"sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once",
	"sync.Cond", "sync.Pool", "sync.Map", "atomic variable", "state of the library"}

type key struct {
	p unsafe.Pointer
	k kind
}

// World holds the synchronisation objects of one execution. It has a method for each operation of
// package sync.
type World struct {
	KeepGroups bool // a WgAdd says trace.InOrder
	// stores of equal values have an order
	KeepStores bool
	// what the operations of mutexes say: see trace.Section
	Says func(p *sched.Proc, kind trace.Kind, obj int32) int32

	objects
	overlaps overlaps
}

// objects has the objects of one execution.
type objects struct {
	s   *sched.Sched
	met map[key]*object
	// some of met, by parts of their addresses: most look-ups need no more
	recent    [64]*object
	pool      []*object // every object ever made; the first used are in use
	used      int
	execution int // its number
}

// New returns the objects of s's executions.
func New(s *sched.Sched) *World {
	w := &World{objects: objects{s: s, met: map[key]*object{}}}
	s.OnReset(func() {
		w.objects.reset()
		w.overlaps = overlaps{}
	})
	return w
}

func (l *objects) reset() {
	clear(l.met)
	clear(l.recent[:])
	l.used = 0
	executions++
	l.execution = executions
}

// find returns the model of the object at an address, which is a new one if somebody has assigned
// to the object.
func (l *objects) find(p unsafe.Pointer, k kind) *object {
	slot := &l.recent[(uintptr(p)/8+uintptr(k))%uintptr(len(l.recent))]
	o := *slot
	if o == nil || o.at != p || o.kind != k {
		o = l.met[key{p, k}]
	}
	if o == nil || !o.fits() {
		o = l.meet(p, k, o)
	}
	*slot = o
	return o
}

// Number is the number of the object at an address, -1 if the execution has met none there.
func (l *objects) Number(at unsafe.Pointer) int32 {
	for k := range table {
		if o := l.met[key{at, k}]; o != nil {
			return o.id
		}
	}
	return -1
}

// meet makes a model of the object at an address. old is the model there until now; nil if there
// was none.
func (l *objects) meet(p unsafe.Pointer, k kind, old *object) *object {
	shared := shares[k] >= 0
	if shared {
		if o := l.sharing(p, k); o != nil {
			return o
		}
	}
	o := l.newObject(k)
	o.at, o.private, o.owns = p, old == nil && (k == variable || private()), false
	l.met[key{p, k}] = o
	if o.private {
		return o
	}
	if old == nil {
		o.owns, o.before = true, o.snapshot()
	}
	if shared {
		l.share(o)
		return o
	}
	o.load()
	if i := o.initial(); i != (trace.Initial{Obj: o.id}) {
		l.s.Begins(i)
	}
	return o
}

// initial returns the state of an object that is met for the first time.
func (o *object) initial() trace.Initial {
	return trace.Initial{Obj: o.id, Held: o.locked, Done: o.done, Readers: o.readers,
		Count: int32(o.count), Waiters: o.waiters, Woken: o.woken}
}

func (l *objects) newObject(k kind) *object {
	if l.used == len(l.pool) {
		l.pool = append(l.pool, &object{})
	}
	o := l.pool[l.used]
	l.used++
	clear(o.values)
	*o = object{values: o.values[:0], kind: k, id: l.s.NewObject(func() string {
		return kindNames[k] + l.s.FirstUse()
	})}
	l.s.Met()
	return o
}

// Operation is the declared operation of one process on a synchronisation object; its memory is
// reused.
type Operation struct {
	o     *object
	ok    bool   // what the operation returned
	value any    // Pool: what is put, or was got
	fatal string // the fatal error that it is

	global bool // WaitGroup: it belongs to no bubble
}

// do declares and waits, and reports whether a try succeeded.
func (w *World) do(p *sched.Proc, op *Operation, kind trace.Kind, o *object, n int) bool {
	key := trace.NoKey
	if kind == trace.WgAdd && w.KeepGroups {
		key = trace.InOrder
	}
	return w.doKeyed(p, op, kind, o, n, key)
}

// doKeyed is do with a value for Op.Cap.
func (w *World) doKeyed(p *sched.Proc, op *Operation, kind trace.Kind, o *object, n int,
	key int32) bool {
	op.o, op.ok, op.fatal = o, false, ""
	p.Op = trace.Op{}
	p.Op.Kind, p.Op.Obj, p.Op.N, p.Op.Cap = kind, o.id, int32(n), key
	w.s.Do(p, op)
	if op.fatal != "" {
		w.s.Fatal(p, op.fatal)
	}
	return op.ok
}

// Alts implements sched.Operation.
func (op *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	if !enabled(&p.Op, op.o) {
		return dst
	}
	return trace.Alone(dst, p.ID, 0)
}

func enabled(op *trace.Op, o *object) bool {
	switch op.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.Once:
		return !o.locked
	case trace.WWait:
		return o.readers == 0
	case trace.WgWait:
		return o.count == 0
	case trace.CondWait:
		return op.Waiter() < o.woken
	}
	return true
}

// Apply implements sched.Operation.
func (op *Operation) Apply(p *sched.Proc, ev *trace.Event) {
	o := op.o
	// else it has been assigned to since, and nobody new finds this model any more
	public := !o.private && o.fits()
	op.change(p, ev)
	if public {
		o.store()
	}
	ev.OK = op.ok
	o.announce(p, ev)
}

// change applies the operation to the model. It is a flat table: one line or two for each kind of
// operation.
func (op *Operation) change(p *sched.Proc, ev *trace.Event) {
	o := op.o
	switch ev.Kind {
	case trace.Lock:
		o.locked = true
	case trace.TryLock:
		op.ok = !o.locked
		o.locked = true
	case trace.Unlock:
		op.require(o.locked, "sync: unlock of unlocked mutex")
		o.locked = false
	case trace.WLock:
		o.locked, o.writing = true, o.readers == 0
		op.ok = o.writing
	case trace.WWait:
		o.writing = true
	case trace.WTryLock:
		if op.ok = !o.locked && o.readers == 0; op.ok {
			o.locked, o.writing = true, true
		}
	case trace.WUnlock:
		op.require(o.writing, "sync: Unlock of unlocked RWMutex")
		o.locked, o.writing = false, false
	case trace.RLock:
		o.readers++
	case trace.RTryLock:
		if op.ok = !o.locked; op.ok {
			o.readers++
		}
	case trace.RUnlock:
		op.require(o.readers > 0, "sync: RUnlock of unlocked RWMutex")
		o.readers--
	case trace.WgAdd:
		op.associate(p.Bubble)
		o.count += int(ev.Op.Delta())
		op.ok, ev.Seq = o.count >= 0, int32(o.count)
	case trace.WgWait:
		o.bubble = nil
	case trace.Once:
		op.ok = !o.done
		o.locked = op.ok
	case trace.OnceDone:
		op.require(o.locked, "sync: unlock of unlocked mutex") // its function has assigned to it
		o.locked, o.done = false, true
	case trace.CondEnter:
		o.waiters++
	case trace.CondSignal:
		o.wake(min(o.woken+1, o.waiters), ev)
	case trace.CondBroadcast:
		o.wake(o.waiters, ev)
	case trace.AtomicUpdate:
		op.ok = true
	case trace.PoolGet:
		op.get()
	case trace.PoolPut:
		o.values = append(o.values, op.value)
	}
}

func (op *Operation) require(ok bool, fatal string) {
	if !ok {
		op.fatal = fatal
	}
}

// Sleeps implements sched.Sleeper.
func (op *Operation) Sleeps() {}
