package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// PoolGet does Pool.Get without the call of New, which is the caller's when ok is false. Go may
// give any other value of the pool, or none.
func (w *World) PoolGet(p *sched.Proc, op *Operation, at unsafe.Pointer) (v any, ok bool) {
	if w.s.Dying() {
		return nil, false
	}
	op.value = nil // an execution that was cut off in a PoolPut has left its value
	ok = w.do(p, op, trace.PoolGet, w.find(at, pool), 0)
	v, op.value = op.value, nil
	if ok {
		w.s.Fix(trace.PooledValues)
	}
	return v, ok
}

// PoolPut does Pool.Put of a value that is not nil.
func (w *World) PoolPut(p *sched.Proc, op *Operation, at unsafe.Pointer, v any) {
	if w.s.Dying() {
		return
	}
	op.value = v
	w.do(p, op, trace.PoolPut, w.find(at, pool), 0)
	op.value = nil
}

// get takes the value that was put last.
func (op *Operation) get() {
	values := op.o.values
	last := len(values) - 1
	if op.ok = last >= 0; op.ok {
		op.value, values[last] = values[last], nil
		op.o.values = values[:last]
	}
}
