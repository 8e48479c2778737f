package hook

import (
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
