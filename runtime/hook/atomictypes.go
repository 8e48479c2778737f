package hook

import "sync/atomic"

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
