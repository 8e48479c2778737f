package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Atomic declares an AtomicLoad, AtomicStore or AtomicUpdate of the variable at address v and
// waits. When it returns, the caller must do the operation at once. size is the variable's, in
// bytes, 0 if it is not known; sort is that of a blind AtomicUpdate, such as trace.BlindAdd; else
// 0. key is the number of the value of an AtomicStore, or trace.NoKey.
//
// Operations on plain memory go on while processes are being unwound: nobody looks at that memory
// any more, and a deferred call that could not do them would not end.
func (w *World) Atomic(p *sched.Proc, op *Operation, v unsafe.Pointer, size uintptr,
	kind trace.Kind, sort, key int32) {
	if w.s.Dying() {
		return
	}
	o := w.atomic(v, size)
	if kind == trace.AtomicStore && o.sealed {
		sort = trace.Sealed
	}
	if w.KeepStores {
		key = trace.NoKey
	}
	w.doKeyed(p, op, kind, o, int(sort), key)
}

// Met reports whether an operation was done on the atomic variable at address v.
func (w *World) Met(v unsafe.Pointer) bool { return w.met[key{v, variable}] != nil }

// Seal says that nothing but atomic operations reads the variable at address v.
func (w *World) Seal(v unsafe.Pointer) { w.find(v, variable).sealed = true }

// Map does the same for a method of the sync.Map at address m, with the number of the key.
func (w *World) Map(p *sched.Proc, op *Operation, m unsafe.Pointer, kind trace.Kind, key int32) {
	if !w.s.Dying() {
		w.doKeyed(p, op, kind, w.find(m, syncMap), 0, key)
	}
}

// Table does the same for a variable of the library that processes share.
func (w *World) Table(p *sched.Proc, op *Operation, at unsafe.Pointer, kind trace.Kind) {
	if !w.s.Dying() {
		w.do(p, op, kind, w.find(at, table), 0)
	}
}

// OnlyRead says that the update that the current process has just done changed nothing: a
// CompareAndSwap that failed.
func (w *World) OnlyRead() {
	if !w.s.Dying() {
		w.s.LastEvent().OK = false
	}
}
