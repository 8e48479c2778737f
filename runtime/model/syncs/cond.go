package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// As in Go, a Cond numbers its waiters in the order in which they come. Signal wakes the first
// waiter that has not been woken. A waiter that was woken before it began to wait does not wait.

// CondEnter does the first step of Cond.Wait, before the caller unlocks the Locker, and returns the
// waiter's number.
func (w *World) CondEnter(p *sched.Proc, op *Operation, c unsafe.Pointer) int32 {
	o := w.find(c, cond)
	w.do(p, op, trace.CondEnter, o, 0)
	return o.waiters - 1
}

// CondWait does the step after that: it waits until the waiter has been woken.
func (w *World) CondWait(p *sched.Proc, op *Operation, c unsafe.Pointer, number int32) {
	w.do(p, op, trace.CondWait, w.find(c, cond), int(number))
}

// CondWake does CondSignal or CondBroadcast.
func (w *World) CondWake(p *sched.Proc, op *Operation, c unsafe.Pointer, kind trace.Kind) {
	if !w.s.Dying() {
		w.do(p, op, kind, w.find(c, cond), 0)
	}
}

// wake makes the first n waiters those that have been woken.
func (o *object) wake(n int32, ev *trace.Event) {
	ev.Cap, ev.Seq = o.woken, n
	o.woken = n
}
