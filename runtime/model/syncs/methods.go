package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The methods of package sync. Each takes the process, its operation's memory, and the object's
// address. Those that release something do nothing while processes are being unwound, so that
// deferred calls go through.

// Mutex does Lock, TryLock or Unlock.
func (w *World) Mutex(p *sched.Proc, op *Operation, m unsafe.Pointer, kind trace.Kind) bool {
	if kind == trace.Unlock && w.s.Dying() {
		return true
	}
	o := w.find(m, mutex)
	return w.do(p, op, kind, o, w.says(p, kind, o))
}

// RWMutex does WTryLock, WUnlock, RLock, RTryLock or RUnlock.
func (w *World) RWMutex(p *sched.Proc, op *Operation, m unsafe.Pointer, kind trace.Kind) bool {
	if (kind == trace.WUnlock || kind == trace.RUnlock) && w.s.Dying() {
		return true
	}
	o := w.find(m, rwmutex)
	return w.do(p, op, kind, o, w.says(p, kind, o))
}

func (w *World) says(p *sched.Proc, kind trace.Kind, o *object) int {
	if w.Says == nil {
		return 0
	}
	return int(w.Says(p, kind, o.id))
}

// RWMutexLock does RWMutex.Lock: it announces the writer and then waits until the readers have
// left.
func (w *World) RWMutexLock(p *sched.Proc, op *Operation, m unsafe.Pointer) {
	o := w.find(m, rwmutex)
	if !w.do(p, op, trace.WLock, o, w.says(p, trace.WLock, o)) {
		w.do(p, op, trace.WWait, o, 0)
	}
}

// WaitGroupAdd does WaitGroup.Add.
func (w *World) WaitGroupAdd(p *sched.Proc, op *Operation, wg unsafe.Pointer, delta int) {
	if w.s.Dying() {
		return
	}
	op.global = p.Apart || p.Bubble != nil && gate.OnHeap != nil && !gate.OnHeap(wg)
	if !w.do(p, op, trace.WgAdd, w.find(wg, waitgroup), delta) {
		p.Leave()
		panic("sync: negative WaitGroup counter")
	}
}

// WaitGroupWait does WaitGroup.Wait.
func (w *World) WaitGroupWait(p *sched.Proc, op *Operation, wg unsafe.Pointer) {
	w.do(p, op, trace.WgWait, w.find(wg, waitgroup), 0)
}

// OnceDo does Once.Do.
func (w *World) OnceDo(p *sched.Proc, op *Operation, at unsafe.Pointer, f func()) {
	if !w.do(p, op, trace.Once, w.find(at, once), 0) {
		return
	}
	defer func() {
		if !w.s.Dying() {
			w.do(p, op, trace.OnceDone, w.find(at, once), 0)
		}
	}()
	p.Leave()
	f()
}

// OnceUsed reports whether OnceDo has used the Once at an address in this execution.
func (l *objects) OnceUsed(at unsafe.Pointer) bool { return l.met[key{at, once}] != nil }
