package hook

import (
	"sync/atomic"
	"unsafe"

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

// accessOf does not touch a nil pointer: the original will panic. sort is that of a blind update,
// else 0; key the number of a value that is stored.
func accessOf[T any](p *T, kind trace.Kind, sort, key int32) *T {
	if p == nil {
		return p
	}
	q := world.W.Enter()
	switch {
	case q == nil:
		return p
	case !world.Setup.Inert:
		world.W.Syncs.Atomic(q, &world.Scratch(q).Sync, unsafe.Pointer(p), unsafe.Sizeof(*p), kind,
			sort,
			key)
	default:
		world.W.Cut("with -atomics=false, atomic operations are not scheduling points")
	}
	q.Leave()
	return p
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
	Bool           atomic.Bool
	Int32          atomic.Int32
	Int64          atomic.Int64
	Uint32         atomic.Uint32
	Uint64         atomic.Uint64
	Uintptr        atomic.Uintptr
	Pointer[T any] atomic.Pointer[T]
	Value          atomic.Value
)

// AtBool returns x for a call of one of its methods.
func AtBool(x *atomic.Bool) *Bool { return (*Bool)(x) }

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

// AtInt32 returns x for a call of one of its methods.
func AtInt32(x *atomic.Int32) *Int32 { return (*Int32)(x) }

// Load is the original's.
func (x *Int32) Load() int32 { return (*atomic.Int32)(loads(x)).Load() }

// Store is the original's.
func (x *Int32) Store(v int32) { (*atomic.Int32)(storesNumber(x, uint64(v))).Store(v) }

// Swap is the original's.
func (x *Int32) Swap(new int32) int32 { return (*atomic.Int32)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Int32) CompareAndSwap(old, new int32) bool {
	return changed((*atomic.Int32)(updates(x)).CompareAndSwap(old, new))
}

// Add is the original's.
func (x *Int32) Add(delta int32) int32 { return (*atomic.Int32)(updates(x)).Add(delta) }

// And is the original's.
func (x *Int32) And(mask int32) int32 { return (*atomic.Int32)(updates(x)).And(mask) }

// Or is the original's.
func (x *Int32) Or(mask int32) int32 { return (*atomic.Int32)(updates(x)).Or(mask) }

// AtInt64 returns x for a call of one of its methods.
func AtInt64(x *atomic.Int64) *Int64 { return (*Int64)(x) }

// Load is the original's.
func (x *Int64) Load() int64 { return (*atomic.Int64)(loads(x)).Load() }

// Store is the original's.
func (x *Int64) Store(v int64) { (*atomic.Int64)(storesNumber(x, uint64(v))).Store(v) }

// Swap is the original's.
func (x *Int64) Swap(new int64) int64 { return (*atomic.Int64)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Int64) CompareAndSwap(old, new int64) bool {
	return changed((*atomic.Int64)(updates(x)).CompareAndSwap(old, new))
}

// Add is the original's.
func (x *Int64) Add(delta int64) int64 { return (*atomic.Int64)(updates(x)).Add(delta) }

// And is the original's.
func (x *Int64) And(mask int64) int64 { return (*atomic.Int64)(updates(x)).And(mask) }

// Or is the original's.
func (x *Int64) Or(mask int64) int64 { return (*atomic.Int64)(updates(x)).Or(mask) }

// AtUint32 returns x for a call of one of its methods.
func AtUint32(x *atomic.Uint32) *Uint32 { return (*Uint32)(x) }

// Load is the original's.
func (x *Uint32) Load() uint32 { return (*atomic.Uint32)(loads(x)).Load() }

// Store is the original's.
func (x *Uint32) Store(v uint32) { (*atomic.Uint32)(storesNumber(x, uint64(v))).Store(v) }

// Swap is the original's.
func (x *Uint32) Swap(new uint32) uint32 { return (*atomic.Uint32)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Uint32) CompareAndSwap(old, new uint32) bool {
	return changed((*atomic.Uint32)(updates(x)).CompareAndSwap(old, new))
}

// Add is the original's.
func (x *Uint32) Add(delta uint32) uint32 { return (*atomic.Uint32)(updates(x)).Add(delta) }

// And is the original's.
func (x *Uint32) And(mask uint32) uint32 { return (*atomic.Uint32)(updates(x)).And(mask) }

// Or is the original's.
func (x *Uint32) Or(mask uint32) uint32 { return (*atomic.Uint32)(updates(x)).Or(mask) }

// AtUint64 returns x for a call of one of its methods.
func AtUint64(x *atomic.Uint64) *Uint64 { return (*Uint64)(x) }

// Load is the original's.
func (x *Uint64) Load() uint64 { return (*atomic.Uint64)(loads(x)).Load() }

// Store is the original's.
func (x *Uint64) Store(v uint64) { (*atomic.Uint64)(storesNumber(x, uint64(v))).Store(v) }

// Swap is the original's.
func (x *Uint64) Swap(new uint64) uint64 { return (*atomic.Uint64)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Uint64) CompareAndSwap(old, new uint64) bool {
	return changed((*atomic.Uint64)(updates(x)).CompareAndSwap(old, new))
}

// Add is the original's.
func (x *Uint64) Add(delta uint64) uint64 { return (*atomic.Uint64)(updates(x)).Add(delta) }

// And is the original's.
func (x *Uint64) And(mask uint64) uint64 { return (*atomic.Uint64)(updates(x)).And(mask) }

// Or is the original's.
func (x *Uint64) Or(mask uint64) uint64 { return (*atomic.Uint64)(updates(x)).Or(mask) }

// AtUintptr returns x for a call of one of its methods.
func AtUintptr(x *atomic.Uintptr) *Uintptr { return (*Uintptr)(x) }

// Load is the original's.
func (x *Uintptr) Load() uintptr { return (*atomic.Uintptr)(loads(x)).Load() }

// Store is the original's.
func (x *Uintptr) Store(v uintptr) { (*atomic.Uintptr)(storesNumber(x, uint64(v))).Store(v) }

// Swap is the original's.
func (x *Uintptr) Swap(new uintptr) uintptr { return (*atomic.Uintptr)(updates(x)).Swap(new) }

// CompareAndSwap is the original's.
func (x *Uintptr) CompareAndSwap(old, new uintptr) bool {
	return changed((*atomic.Uintptr)(updates(x)).CompareAndSwap(old, new))
}

// Add is the original's.
func (x *Uintptr) Add(delta uintptr) uintptr { return (*atomic.Uintptr)(updates(x)).Add(delta) }

// And is the original's.
func (x *Uintptr) And(mask uintptr) uintptr { return (*atomic.Uintptr)(updates(x)).And(mask) }

// Or is the original's.
func (x *Uintptr) Or(mask uintptr) uintptr { return (*atomic.Uintptr)(updates(x)).Or(mask) }

// AtPointer returns x for a call of one of its methods.
func AtPointer[T any](x *atomic.Pointer[T]) *Pointer[T] { return (*Pointer[T])(x) }

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

// AtValue returns x for a call of one of its methods.
func AtValue(x *atomic.Value) *Value { return (*Value)(x) }

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

// AddInt32 is atomic.AddInt32.
func AddInt32(addr *int32, delta int32) (new int32) { return atomic.AddInt32(updates(addr), delta) }

// AndInt32 is atomic.AndInt32.
func AndInt32(addr *int32, mask int32) (old int32) { return atomic.AndInt32(updates(addr), mask) }

// OrInt32 is atomic.OrInt32.
func OrInt32(addr *int32, mask int32) (old int32) { return atomic.OrInt32(updates(addr), mask) }

// AddInt64 is atomic.AddInt64.
func AddInt64(addr *int64, delta int64) (new int64) { return atomic.AddInt64(updates(addr), delta) }

// AndInt64 is atomic.AndInt64.
func AndInt64(addr *int64, mask int64) (old int64) { return atomic.AndInt64(updates(addr), mask) }

// OrInt64 is atomic.OrInt64.
func OrInt64(addr *int64, mask int64) (old int64) { return atomic.OrInt64(updates(addr), mask) }

// AddUint32 is atomic.AddUint32.
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	return atomic.AddUint32(updates(addr), delta)
}

// AndUint32 is atomic.AndUint32.
func AndUint32(addr *uint32,
	mask uint32) (old uint32) {
	return atomic.AndUint32(updates(addr), mask)
}

// OrUint32 is atomic.OrUint32.
func OrUint32(addr *uint32,
	mask uint32) (old uint32) {
	return atomic.OrUint32(updates(addr), mask)
}

// AddUint64 is atomic.AddUint64.
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	return atomic.AddUint64(updates(addr), delta)
}

// AndUint64 is atomic.AndUint64.
func AndUint64(addr *uint64,
	mask uint64) (old uint64) {
	return atomic.AndUint64(updates(addr), mask)
}

// OrUint64 is atomic.OrUint64.
func OrUint64(addr *uint64,
	mask uint64) (old uint64) {
	return atomic.OrUint64(updates(addr), mask)
}

// AddUintptr is atomic.AddUintptr.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	return atomic.AddUintptr(updates(addr), delta)
}

// AndUintptr is atomic.AndUintptr.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return atomic.AndUintptr(updates(addr), mask)
}

// OrUintptr is atomic.OrUintptr.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return atomic.OrUintptr(updates(addr), mask)
}

// LoadInt32 is atomic.LoadInt32.
func LoadInt32(addr *int32) (val int32) { return atomic.LoadInt32(loads(addr)) }

// StoreInt32 is atomic.StoreInt32.
func StoreInt32(addr *int32, val int32) { atomic.StoreInt32(storesNumber(addr, uint64(val)), val) }

// SwapInt32 is atomic.SwapInt32.
func SwapInt32(addr *int32, new int32) (old int32) { return atomic.SwapInt32(updates(addr), new) }

// CompareAndSwapInt32 is atomic.CompareAndSwapInt32.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return changed(atomic.CompareAndSwapInt32(updates(addr), old, new))
}

// LoadInt64 is atomic.LoadInt64.
func LoadInt64(addr *int64) (val int64) { return atomic.LoadInt64(loads(addr)) }

// StoreInt64 is atomic.StoreInt64.
func StoreInt64(addr *int64, val int64) { atomic.StoreInt64(storesNumber(addr, uint64(val)), val) }

// SwapInt64 is atomic.SwapInt64.
func SwapInt64(addr *int64, new int64) (old int64) { return atomic.SwapInt64(updates(addr), new) }

// CompareAndSwapInt64 is atomic.CompareAndSwapInt64.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return changed(atomic.CompareAndSwapInt64(updates(addr), old, new))
}

// LoadUint32 is atomic.LoadUint32.
func LoadUint32(addr *uint32) (val uint32) { return atomic.LoadUint32(loads(addr)) }

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(addr *uint32,
	val uint32) {
	atomic.StoreUint32(storesNumber(addr, uint64(val)), val)
}

// SwapUint32 is atomic.SwapUint32.
func SwapUint32(addr *uint32,
	new uint32) (old uint32) {
	return atomic.SwapUint32(updates(addr), new)
}

// CompareAndSwapUint32 is atomic.CompareAndSwapUint32.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return changed(atomic.CompareAndSwapUint32(updates(addr), old, new))
}

// LoadUint64 is atomic.LoadUint64.
func LoadUint64(addr *uint64) (val uint64) { return atomic.LoadUint64(loads(addr)) }

// StoreUint64 is atomic.StoreUint64.
func StoreUint64(addr *uint64,
	val uint64) {
	atomic.StoreUint64(storesNumber(addr, uint64(val)), val)
}

// SwapUint64 is atomic.SwapUint64.
func SwapUint64(addr *uint64,
	new uint64) (old uint64) {
	return atomic.SwapUint64(updates(addr), new)
}

// CompareAndSwapUint64 is atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return changed(atomic.CompareAndSwapUint64(updates(addr), old, new))
}

// LoadUintptr is atomic.LoadUintptr.
func LoadUintptr(addr *uintptr) (val uintptr) { return atomic.LoadUintptr(loads(addr)) }

// StoreUintptr is atomic.StoreUintptr.
func StoreUintptr(addr *uintptr, val uintptr) {
	atomic.StoreUintptr(storesNumber(addr, uint64(val)), val)
}

// SwapUintptr is atomic.SwapUintptr.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	return atomic.SwapUintptr(updates(addr), new)
}

// CompareAndSwapUintptr is atomic.CompareAndSwapUintptr.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return changed(atomic.CompareAndSwapUintptr(updates(addr), old, new))
}

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
