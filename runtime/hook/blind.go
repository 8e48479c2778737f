package hook

import (
	"sync/atomic"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Updates whose result nobody uses, such as the statement n.Add(1), are blind. Those of one sort
// commute, so rewritten code says which they are: Blind.AddInt32(&n, 1), BlindInt32(&x).Add(1).

// Blind has the blind forms of functions of package sync/atomic.
var Blind blind

type blind struct{}

// The types of package sync/atomic, with their blind updates only.
type (
	blindInt32   atomic.Int32
	blindInt64   atomic.Int64
	blindUint32  atomic.Uint32
	blindUint64  atomic.Uint64
	blindUintptr atomic.Uintptr
)

// blindly makes the scheduling point of a blind update of one sort of what p points to, and returns
// p.
func blindly[T any](p *T,
	sort int32) *T {
	return accessOf(p, trace.AtomicUpdate, sort, trace.NoKey)
}

// BlindInt32 returns x for a call of one of its updates.
func BlindInt32(x *atomic.Int32) *blindInt32 { return (*blindInt32)(x) }

// AddInt32 is atomic.AddInt32.
func (blind) AddInt32(addr *int32, delta int32) {
	atomic.AddInt32(blindly(addr, trace.BlindAdd), delta)
}

// Add is the original's.
func (x *blindInt32) Add(delta int32) { (*atomic.Int32)(blindly(x, trace.BlindAdd)).Add(delta) }

// AndInt32 is atomic.AndInt32.
func (blind) AndInt32(addr *int32,
	mask int32) {
	atomic.AndInt32(blindly(addr, trace.BlindAnd), mask)
}

// And is the original's.
func (x *blindInt32) And(mask int32) { (*atomic.Int32)(blindly(x, trace.BlindAnd)).And(mask) }

// OrInt32 is atomic.OrInt32.
func (blind) OrInt32(addr *int32, mask int32) { atomic.OrInt32(blindly(addr, trace.BlindOr), mask) }

// Or is the original's.
func (x *blindInt32) Or(mask int32) { (*atomic.Int32)(blindly(x, trace.BlindOr)).Or(mask) }

// BlindInt64 returns x for a call of one of its updates.
func BlindInt64(x *atomic.Int64) *blindInt64 { return (*blindInt64)(x) }

// AddInt64 is atomic.AddInt64.
func (blind) AddInt64(addr *int64, delta int64) {
	atomic.AddInt64(blindly(addr, trace.BlindAdd), delta)
}

// Add is the original's.
func (x *blindInt64) Add(delta int64) { (*atomic.Int64)(blindly(x, trace.BlindAdd)).Add(delta) }

// AndInt64 is atomic.AndInt64.
func (blind) AndInt64(addr *int64,
	mask int64) {
	atomic.AndInt64(blindly(addr, trace.BlindAnd), mask)
}

// And is the original's.
func (x *blindInt64) And(mask int64) { (*atomic.Int64)(blindly(x, trace.BlindAnd)).And(mask) }

// OrInt64 is atomic.OrInt64.
func (blind) OrInt64(addr *int64, mask int64) { atomic.OrInt64(blindly(addr, trace.BlindOr), mask) }

// Or is the original's.
func (x *blindInt64) Or(mask int64) { (*atomic.Int64)(blindly(x, trace.BlindOr)).Or(mask) }

// BlindUint32 returns x for a call of one of its updates.
func BlindUint32(x *atomic.Uint32) *blindUint32 { return (*blindUint32)(x) }

// AddUint32 is atomic.AddUint32.
func (blind) AddUint32(addr *uint32, delta uint32) {
	atomic.AddUint32(blindly(addr, trace.BlindAdd), delta)
}

// Add is the original's.
func (x *blindUint32) Add(delta uint32) { (*atomic.Uint32)(blindly(x, trace.BlindAdd)).Add(delta) }

// AndUint32 is atomic.AndUint32.
func (blind) AndUint32(addr *uint32, mask uint32) {
	atomic.AndUint32(blindly(addr, trace.BlindAnd), mask)
}

// And is the original's.
func (x *blindUint32) And(mask uint32) { (*atomic.Uint32)(blindly(x, trace.BlindAnd)).And(mask) }

// OrUint32 is atomic.OrUint32.
func (blind) OrUint32(addr *uint32,
	mask uint32) {
	atomic.OrUint32(blindly(addr, trace.BlindOr), mask)
}

// Or is the original's.
func (x *blindUint32) Or(mask uint32) { (*atomic.Uint32)(blindly(x, trace.BlindOr)).Or(mask) }

// BlindUint64 returns x for a call of one of its updates.
func BlindUint64(x *atomic.Uint64) *blindUint64 { return (*blindUint64)(x) }

// AddUint64 is atomic.AddUint64.
func (blind) AddUint64(addr *uint64, delta uint64) {
	atomic.AddUint64(blindly(addr, trace.BlindAdd), delta)
}

// Add is the original's.
func (x *blindUint64) Add(delta uint64) { (*atomic.Uint64)(blindly(x, trace.BlindAdd)).Add(delta) }

// AndUint64 is atomic.AndUint64.
func (blind) AndUint64(addr *uint64, mask uint64) {
	atomic.AndUint64(blindly(addr, trace.BlindAnd), mask)
}

// And is the original's.
func (x *blindUint64) And(mask uint64) { (*atomic.Uint64)(blindly(x, trace.BlindAnd)).And(mask) }

// OrUint64 is atomic.OrUint64.
func (blind) OrUint64(addr *uint64,
	mask uint64) {
	atomic.OrUint64(blindly(addr, trace.BlindOr), mask)
}

// Or is the original's.
func (x *blindUint64) Or(mask uint64) { (*atomic.Uint64)(blindly(x, trace.BlindOr)).Or(mask) }

// BlindUintptr returns x for a call of one of its updates.
func BlindUintptr(x *atomic.Uintptr) *blindUintptr { return (*blindUintptr)(x) }

// AddUintptr is atomic.AddUintptr.
func (blind) AddUintptr(addr *uintptr, delta uintptr) {
	atomic.AddUintptr(blindly(addr, trace.BlindAdd), delta)
}

// Add is the original's.
func (x *blindUintptr) Add(delta uintptr) {
	(*atomic.Uintptr)(blindly(x,
		trace.BlindAdd)).Add(delta)
}

// AndUintptr is atomic.AndUintptr.
func (blind) AndUintptr(addr *uintptr, mask uintptr) {
	atomic.AndUintptr(blindly(addr, trace.BlindAnd), mask)
}

// And is the original's.
func (x *blindUintptr) And(mask uintptr) { (*atomic.Uintptr)(blindly(x, trace.BlindAnd)).And(mask) }

// OrUintptr is atomic.OrUintptr.
func (blind) OrUintptr(addr *uintptr, mask uintptr) {
	atomic.OrUintptr(blindly(addr, trace.BlindOr), mask)
}

// Or is the original's.
func (x *blindUintptr) Or(mask uintptr) { (*atomic.Uintptr)(blindly(x, trace.BlindOr)).Or(mask) }
