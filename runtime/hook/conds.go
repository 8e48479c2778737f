package hook

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func init() {
	gate.CondEnter = condEnter
	gate.CondWait = condWait
	gate.CondSignal = func(c unsafe.Pointer) { condWake(c, trace.CondSignal) }
	gate.CondBroadcast = func(c unsafe.Pointer) { condWake(c, trace.CondBroadcast) }
	gate.PoolGet = poolGet
	gate.PoolPut = poolPut
}

func condEnter(c unsafe.Pointer) int32 {
	p := w.Enter()
	n := w.syncs.CondEnter(p, &scratch(p).sy, c)
	p.Leave()
	return n
}

func condWait(c unsafe.Pointer, n int32) {
	p := w.Enter()
	w.syncs.CondWait(p, &scratch(p).sy, c, n)
	p.Leave()
}

func condWake(c unsafe.Pointer, kind trace.Kind) {
	p := w.Enter()
	w.syncs.CondWake(p, &scratch(p).sy, c, kind)
	p.Leave()
}

func poolGet(o unsafe.Pointer) (any, bool) {
	p := w.Enter()
	v, ok := w.syncs.PoolGet(p, &scratch(p).sy, o)
	p.Leave()
	return v, ok
}

func poolPut(o unsafe.Pointer, v any) {
	p := w.Enter()
	w.syncs.PoolPut(p, &scratch(p).sy, o, v)
	p.Leave()
}
