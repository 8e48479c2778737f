package hook

import (
	"sync/atomic"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// loads, stores and updates make the scheduling point of an operation on what p points to, and
// return p.
func loads[T any](p *T) *T   { return access(p, trace.AtomicLoad) }
func stores[T any](p *T) *T  { return access(p, trace.AtomicStore) }
func updates[T any](p *T) *T { return access(p, trace.AtomicUpdate) }

// Sealed says that nothing but atomic operations reads what p points to. It returns p.
func Sealed[T any](p *T) *T {
	if p != nil && !world.Setup.Inert {
		if q := world.W.Enter(); q != nil {
			world.W.Syncs.Seal(unsafe.Pointer(p))
			q.Leave()
		}
	}
	return p
}

// storesNumber is stores of a value with a number.
func storesNumber[T any](p *T, v uint64) *T {
	return accessOf(p, trace.AtomicStore, 0, trace.ValueKey(v))
}

// storesPointer is stores of a pointer: of those, only nil has a number.
func storesPointer[T any](p *T, isNil bool) *T {
	if isNil {
		return storesNumber(p, 0)
	}
	return stores(p)
}

// truth is the number of a bool.
func truth(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func access[T any](p *T, kind trace.Kind) *T { return accessOf(p, kind, 0, trace.NoKey) }

// accessOf does not touch a nil pointer: the original will panic. sort is the sort of a blind
// update, else 0; key is the number of a stored value.
func accessOf[T any](p *T, kind trace.Kind, sort, key int32) *T {
	if p != nil {
		world.W.Sects.Touched(unsafe.Pointer(p))
		operate(p, kind, sort, key)
	}
	return p
}

// operate makes the scheduling point.
func operate[T any](p *T, kind trace.Kind, sort, key int32) {
	q := world.W.Enter()
	switch {
	case q == nil:
		return
	case !world.Setup.Inert:
		world.W.Syncs.Atomic(q, &world.Scratch(q).Sync, unsafe.Pointer(p), unsafe.Sizeof(*p), kind,
			sort,
			key)
	default:
		world.W.Cut("with -atomics=false, atomic operations are not scheduling points")
	}
	q.Leave()
}

// changed notes whether the CompareAndSwap that the calling process has just done wrote something.
func changed(swapped bool) bool {
	if !swapped && !world.Setup.Inert {
		if p := world.W.Enter(); p != nil {
			world.W.Syncs.OnlyRead()
			world.W.Races.OnlyRead()
			world.W.Clock.OnlyRead()
			p.Leave()
		}
	}
	return swapped
}

// The types of package sync/atomic, with methods that are scheduling points and then the originals.
// Rewritten code converts the receiver of each call: x.Load() becomes AtInt32(&x).Load().
type (
	Bool               atomic.Bool
	Counter[T integer] struct{ p *T } // an Int32, Int64, Uint32, Uint64 or Uintptr
	Pointer[T any]     atomic.Pointer[T]
	Value              atomic.Value
)

// integer is what atomic operations count with.
type integer interface {
	int32 | int64 | uint32 | uint64 | uintptr
}

// counterAt is the integer of a type of package sync/atomic: the only field that takes up memory.
func counterAt[T integer, A any](x *A) Counter[T] { return Counter[T]{(*T)(unsafe.Pointer(x))} }

// AtBool returns x for a call of one of its methods.
func AtBool(x *atomic.Bool) *Bool { return (*Bool)(x) }

// AtInt32 returns x for a call of one of its methods.
func AtInt32(x *atomic.Int32) Counter[int32] { return counterAt[int32](x) }

// AtInt64 returns x for a call of one of its methods.
func AtInt64(x *atomic.Int64) Counter[int64] { return counterAt[int64](x) }

// AtUint32 returns x for a call of one of its methods.
func AtUint32(x *atomic.Uint32) Counter[uint32] { return counterAt[uint32](x) }

// AtUint64 returns x for a call of one of its methods.
func AtUint64(x *atomic.Uint64) Counter[uint64] { return counterAt[uint64](x) }

// AtUintptr returns x for a call of one of its methods.
func AtUintptr(x *atomic.Uintptr) Counter[uintptr] { return counterAt[uintptr](x) }

// AtPointer returns x for a call of one of its methods.
func AtPointer[T any](x *atomic.Pointer[T]) *Pointer[T] { return (*Pointer[T])(x) }

// AtValue returns x for a call of one of its methods.
func AtValue(x *atomic.Value) *Value { return (*Value)(x) }

// Load is the original's.
func (x *Bool) Load() bool { return (*atomic.Bool)(loads(x)).Load() }

// Store is the original's.
func (x *Bool) Store(v bool) { (*atomic.Bool)(storesNumber(x, truth(v))).Store(v) }

// Swap is the original's.
func (x *Bool) Swap(new bool) bool { return (*atomic.Bool)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Bool) CompareAndSwap(old, new bool) bool {
	return changed((*atomic.Bool)(updates(x)).CompareAndSwap(old, new))
}

// Load is the original's.
func (x Counter[T]) Load() T { return load(x.p) }

// Store is the original's.
func (x Counter[T]) Store(v T) { store(x.p, v) }

// Swap is the original's.
func (x Counter[T]) Swap(new T) T { return swap(x.p, new) }

// CompareAndSwap is the original's.
func (x Counter[T]) CompareAndSwap(old, new T) bool { return compareAndSwap(x.p, old, new) }

// Add is the original's.
func (x Counter[T]) Add(delta T) T { return add(x.p, delta) }

// And is the original's.
func (x Counter[T]) And(mask T) T { return and(x.p, mask) }

// Or is the original's.
func (x Counter[T]) Or(mask T) T { return or(x.p, mask) }

// Load is the original's.
func (x *Pointer[T]) Load() *T { return (*atomic.Pointer[T])(loads(x)).Load() }

// Store is the original's.
func (x *Pointer[T]) Store(v *T) { (*atomic.Pointer[T])(storesPointer(x, v == nil)).Store(v) }

// Swap is the original's.
func (x *Pointer[T]) Swap(new *T) *T { return (*atomic.Pointer[T])(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	return changed((*atomic.Pointer[T])(updates(x)).CompareAndSwap(old, new))
}

// Load is the original's.
func (x *Value) Load() any { return (*atomic.Value)(loads(x)).Load() }

// Store is the original's.
func (x *Value) Store(v any) { (*atomic.Value)(stores(x)).Store(v) }

// Swap is the original's.
func (x *Value) Swap(new any) any { return (*atomic.Value)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Value) CompareAndSwap(old, new any) bool {
	return changed((*atomic.Value)(updates(x)).CompareAndSwap(old, new))
}

// The functions of package sync/atomic: each is a scheduling point, and then the original.
var (
	LoadInt32   = load[int32]
	LoadInt64   = load[int64]
	LoadUint32  = load[uint32]
	LoadUint64  = load[uint64]
	LoadUintptr = load[uintptr]

	StoreInt32   = store[int32]
	StoreInt64   = store[int64]
	StoreUint32  = store[uint32]
	StoreUint64  = store[uint64]
	StoreUintptr = store[uintptr]

	SwapInt32   = swap[int32]
	SwapInt64   = swap[int64]
	SwapUint32  = swap[uint32]
	SwapUint64  = swap[uint64]
	SwapUintptr = swap[uintptr]

	CompareAndSwapInt32   = compareAndSwap[int32]
	CompareAndSwapInt64   = compareAndSwap[int64]
	CompareAndSwapUint32  = compareAndSwap[uint32]
	CompareAndSwapUint64  = compareAndSwap[uint64]
	CompareAndSwapUintptr = compareAndSwap[uintptr]

	AddInt32   = add[int32]
	AddInt64   = add[int64]
	AddUint32  = add[uint32]
	AddUint64  = add[uint64]
	AddUintptr = add[uintptr]

	AndInt32   = and[int32]
	AndInt64   = and[int64]
	AndUint32  = and[uint32]
	AndUint64  = and[uint64]
	AndUintptr = and[uintptr]

	OrInt32   = or[int32]
	OrInt64   = or[int64]
	OrUint32  = or[uint32]
	OrUint64  = or[uint64]
	OrUintptr = or[uintptr]
)

// LoadPointer is atomic.LoadPointer.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	return atomic.LoadPointer(loads(addr))
}

// StorePointer is atomic.StorePointer.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	atomic.StorePointer(storesPointer(addr, val == nil), val)
}

// SwapPointer is atomic.SwapPointer.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return atomic.SwapPointer(updates(addr), new)
}

// CompareAndSwapPointer is atomic.CompareAndSwapPointer.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return changed(atomic.CompareAndSwapPointer(updates(addr), old, new))
}

// word reports whether an integer has 32 bits; else it has 64.
func word[T integer]() bool { return unsafe.Sizeof(T(0)) == 4 }

// at32 and at64 are the integer at p, for the originals: two's complement has one addition for
// numbers with a sign and without.
func at32[T integer](p *T) *uint32 { return (*uint32)(unsafe.Pointer(p)) }
func at64[T integer](p *T) *uint64 { return (*uint64)(unsafe.Pointer(p)) }

func load[T integer](p *T) T {
	if loads(p); word[T]() {
		return T(atomic.LoadUint32(at32(p)))
	}
	return T(atomic.LoadUint64(at64(p)))
}

func store[T integer](p *T, v T) {
	if storesNumber(p, uint64(v)); word[T]() {
		atomic.StoreUint32(at32(p), uint32(v))
		return
	}
	atomic.StoreUint64(at64(p), uint64(v))
}

func swap[T integer](p *T, new T) T {
	if updates(p); word[T]() {
		return T(atomic.SwapUint32(at32(p), uint32(new)))
	}
	return T(atomic.SwapUint64(at64(p), uint64(new)))
}

func compareAndSwap[T integer](p *T, old, new T) bool {
	if updates(p); word[T]() {
		return changed(atomic.CompareAndSwapUint32(at32(p), uint32(old), uint32(new)))
	}
	return changed(atomic.CompareAndSwapUint64(at64(p), uint64(old), uint64(new)))
}

// plainAdd, plainAnd and plainOr are the originals alone.
func plainAdd[T integer](p *T, delta T) T {
	if word[T]() {
		return T(atomic.AddUint32(at32(p), uint32(delta)))
	}
	return T(atomic.AddUint64(at64(p), uint64(delta)))
}

func plainAnd[T integer](p *T, mask T) T {
	if word[T]() {
		return T(atomic.AndUint32(at32(p), uint32(mask)))
	}
	return T(atomic.AndUint64(at64(p), uint64(mask)))
}

func plainOr[T integer](p *T, mask T) T {
	if word[T]() {
		return T(atomic.OrUint32(at32(p), uint32(mask)))
	}
	return T(atomic.OrUint64(at64(p), uint64(mask)))
}

func add[T integer](p *T, delta T) (new T) { return plainAdd(updates(p), delta) }
func and[T integer](p *T, mask T) (old T)  { return plainAnd(updates(p), mask) }
func or[T integer](p *T, mask T) (old T)   { return plainOr(updates(p), mask) }

// Loops that take tickets from a counter: see package sections, tickets.go.

// Taker is an entry into such a loop.
type Taker struct {
	entry int
	place string
	same  []sections.Same
}

// Tickets comes before such a loop, which begins at a place.
func Tickets(place string) Taker { return Taker{Loop(), place, nil} }

// Same names a variable that the loop mentions.
func Same[T any](p *T) sections.Same {
	return sections.Same{At: unsafe.Pointer(p), Size: unsafe.Sizeof(*p)}
}

// SameType stands for a type parameter of the function that has the loop: it names a variable that
// has the type.
func SameType[T any]() sections.Same {
	var t any = (*T)(nil)
	return Same(&t)
}

// Goes is the condition under which the loop goes on.
func Goes[B ~bool](t Taker, on B) B {
	if p := world.W.Current(); p != nil && world.W.Sects.On() {
		returned()
		world.W.Sects.Goes(p, t.entry, bool(on))
	}
	return on
}

// Stops is the condition under which the loop ends.
func Stops[B ~bool](t Taker, ends B) B { return !Goes(t, !ends) }

// Taking returns t with the variables that the loop mentions, for a call of Add.
func (t Taker) Taking(same ...sections.Same) Taker {
	t.same = same
	return t
}

// ticketed is a Counter with Add only, whose result is a ticket.
type ticketed[T integer] struct {
	Taker
	p *T
}

// Ticket returns x for the call of Add.
func (x Counter[T]) Ticket(t Taker) ticketed[T] { return ticketed[T]{t, x.p} }

// Add is the original's.
func (x ticketed[T]) Add(delta T) T { return ticket(x.Taker, x.p, delta) }

// AddInt32 is atomic.AddInt32, whose result is a ticket.
func (t Taker) AddInt32(p *int32, delta int32) int32 { return ticket(t, p, delta) }

// AddInt64 is atomic.AddInt64, whose result is a ticket.
func (t Taker) AddInt64(p *int64, delta int64) int64 { return ticket(t, p, delta) }

// AddUint32 is atomic.AddUint32, whose result is a ticket.
func (t Taker) AddUint32(p *uint32, delta uint32) uint32 { return ticket(t, p, delta) }

// AddUint64 is atomic.AddUint64, whose result is a ticket.
func (t Taker) AddUint64(p *uint64, delta uint64) uint64 { return ticket(t, p, delta) }

// AddUintptr is atomic.AddUintptr, whose result is a ticket.
func (t Taker) AddUintptr(p *uintptr, delta uintptr) uintptr { return ticket(t, p, delta) }

// ticket takes a ticket.
func ticket[T integer](t Taker, x *T, delta T) T {
	p := world.W.Current()
	if x == nil || p == nil || !world.W.Sects.On() || world.Setup.Inert || world.W.Dying() ||
		world.W.Bordered() || states.Compared() {
		return add(x, delta)
	}
	returned()
	at := unsafe.Pointer(x)
	c := sections.Counter{At: at, Place: t.place, Entry: t.entry, Delta: int64(delta),
		Known: world.W.Syncs.Met(at), Plain: world.W.Races.Announced(p), Same: t.same}
	if silent := world.W.Sects.TakesTicket(p, c); !silent {
		operate(x, trace.AtomicUpdate, 0, trace.NoKey)
	} else {
		world.W.Races.Forget(p)
	}
	v := plainAdd(x, delta)
	world.W.Sects.TookTicket(p)
	return v
}
