package library

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
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
	p := world.W.Enter()
	n := world.W.Syncs.CondEnter(p, &world.Scratch(p).Sync, c)
	p.Leave()
	return n
}

func condWait(c unsafe.Pointer, n int32) {
	p := world.W.Enter()
	world.W.Syncs.CondWait(p, &world.Scratch(p).Sync, c, n)
	p.Leave()
}

func condWake(c unsafe.Pointer, kind trace.Kind) {
	p := world.W.Enter()
	world.W.Syncs.CondWake(p, &world.Scratch(p).Sync, c, kind)
	p.Leave()
}

func poolGet(o unsafe.Pointer) (any, bool) {
	p := world.W.Enter()
	v, ok := world.W.Syncs.PoolGet(p, &world.Scratch(p).Sync, o)
	p.Leave()
	return v, ok
}

func poolPut(o unsafe.Pointer, v any) {
	p := world.W.Enter()
	world.W.Syncs.PoolPut(p, &world.Scratch(p).Sync, o, v)
	p.Leave()
}
