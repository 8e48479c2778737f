package hook

import (
	"sync/atomic"
	"unsafe"
)

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
