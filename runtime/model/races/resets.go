package races

import (
	"path"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Resets is set if the program assigns to objects of package sync. Then an operation of such an
// object is an access to the object, as an operation of package sync/atomic is one to its variable.
// It is in a data race with an assignment that nothing orders with it.
//
//	go func() { mu.Lock(); ...; mu.Unlock() }()        mu = sync.Mutex{}
//
// The operation counts after what it has learned: an operation that has waited for the assignment
// by way of the object itself comes after the assignment.
var Resets bool

// Operates tells that p's next operation is on an object of package sync, at an address. kind is
// the name of the object's type.
func (w *World) Operates(p *sched.Proc, at unsafe.Pointer, kind string) {
	if !Resets || p == nil || !w.watched(p) {
		return
	}
	for len(w.operating) <= int(p.ID) {
		w.operating = append(w.operating, announced{})
	}
	c := w.cell(at)
	a := w.access(p, c, "the "+kind+" at "+path.Base(w.s.Here()), true)
	if a.sync = true; a.entry > 0 {
		w.listed.accesses[a.entry-1].Operation = true
	}
	w.operating[p.ID] = announced{a, c, true}
}

// operates reports whether an event of a kind stands for an operation that counts as an access. Of
// the two events of a writer's Lock, that is the second one, which knows of the readers.
func operates(k trace.Kind) bool {
	switch k {
	case trace.Lock, trace.TryLock, trace.Unlock, trace.WWait, trace.WTryLock, trace.WUnlock,
		trace.RLock, trace.RTryLock, trace.RUnlock, trace.WgAdd, trace.WgWait, trace.Once:
		return true
	}
	return false
}
