package hook

import (
	"sync/atomic"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Updates whose result nobody uses, such as the statement n.Add(1), are blind. Those of one sort
// commute, so rewritten code says which they are: Blind.AddInt32(&n, 1), BlindInt32(&x).Add(1).

// Blind has the blind forms of functions of package sync/atomic.
var Blind = struct {
	AddInt32, AndInt32, OrInt32       func(addr *int32, v int32)
	AddInt64, AndInt64, OrInt64       func(addr *int64, v int64)
	AddUint32, AndUint32, OrUint32    func(addr *uint32, v uint32)
	AddUint64, AndUint64, OrUint64    func(addr *uint64, v uint64)
	AddUintptr, AndUintptr, OrUintptr func(addr *uintptr, v uintptr)
}{
	blindAdd[int32], blindAnd[int32], blindOr[int32],
	blindAdd[int64], blindAnd[int64], blindOr[int64],
	blindAdd[uint32], blindAnd[uint32], blindOr[uint32],
	blindAdd[uint64], blindAnd[uint64], blindOr[uint64],
	blindAdd[uintptr], blindAnd[uintptr], blindOr[uintptr],
}

// blindOnly is a Counter with its blind updates only.
type blindOnly[T integer] struct{ p *T }

// BlindInt32 returns x for a call of one of its updates.
func BlindInt32(x *atomic.Int32) blindOnly[int32] { return blindOnly[int32]{AtInt32(x).p} }

// BlindInt64 returns x for a call of one of its updates.
func BlindInt64(x *atomic.Int64) blindOnly[int64] { return blindOnly[int64]{AtInt64(x).p} }

// BlindUint32 returns x for a call of one of its updates.
func BlindUint32(x *atomic.Uint32) blindOnly[uint32] { return blindOnly[uint32]{AtUint32(x).p} }

// BlindUint64 returns x for a call of one of its updates.
func BlindUint64(x *atomic.Uint64) blindOnly[uint64] { return blindOnly[uint64]{AtUint64(x).p} }

// BlindUintptr returns x for a call of one of its updates.
func BlindUintptr(x *atomic.Uintptr) blindOnly[uintptr] {
	return blindOnly[uintptr]{AtUintptr(x).p}
}

// Add is the original's.
func (x blindOnly[T]) Add(delta T) { blindAdd(x.p, delta) }

// And is the original's.
func (x blindOnly[T]) And(mask T) { blindAnd(x.p, mask) }

// Or is the original's.
func (x blindOnly[T]) Or(mask T) { blindOr(x.p, mask) }

func blindAdd[T integer](p *T, delta T) { plainAdd(blindly(p, trace.BlindAdd), delta) }
func blindAnd[T integer](p *T, mask T)  { plainAnd(blindly(p, trace.BlindAnd), mask) }
func blindOr[T integer](p *T, mask T)   { plainOr(blindly(p, trace.BlindOr), mask) }

// blindly is the scheduling point before a blind update of the variable at p; sort says what kind
// of update. It returns p.
func blindly[T any](p *T, sort int32) *T {
	return accessOf(p, trace.AtomicUpdate, sort, trace.NoKey)
}
