package library

import (
	"sync"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.MutexLock = func(m unsafe.Pointer) { mutex(m, trace.Lock) }
	gate.MutexTryLock = func(m unsafe.Pointer) bool { return mutex(m, trace.TryLock) }
	gate.MutexUnlock = func(m unsafe.Pointer) { mutex(m, trace.Unlock) }
	gate.RWMutexLock = rwmutexLock
	gate.RWMutexTryLock = func(m unsafe.Pointer) bool { return rwmutex(m, trace.WTryLock) }
	gate.RWMutexUnlock = func(m unsafe.Pointer) { rwmutex(m, trace.WUnlock) }
	gate.RWMutexRLock = func(m unsafe.Pointer) { rwmutex(m, trace.RLock) }
	gate.RWMutexTryRLock = func(m unsafe.Pointer) bool { return rwmutex(m, trace.RTryLock) }
	gate.RWMutexRUnlock = func(m unsafe.Pointer) { rwmutex(m, trace.RUnlock) }
	gate.WaitGroupAdd = WaitGroupAdd
	gate.WaitGroupWait = waitGroupWait
	gate.OnceDo = onceDo
	gate.OnceUsed = onceUsed
	syncs.Shared = func(caller uintptr) bool {
		return !world.Binary.Foreign && !world.OwnLock(caller)
	}
	gate.Random = world.NextRandom
	gate.Draw = world.DrawNumber
	gate.Sample = world.SampleNumber
	gate.Fixed = world.FixedNumber
	gate.Permutes = world.Permutes
}

func mutex(m unsafe.Pointer, kind trace.Kind) bool {
	p := world.W.Enter()
	world.W.Races.Operates(p, m, "sync.Mutex")
	ok := world.W.Syncs.Mutex(p, &world.Scratch(p).Sync, m, kind)
	p.Leave()
	return ok
}

func rwmutexLock(m unsafe.Pointer) {
	p := world.W.Enter()
	world.W.Races.Operates(p, m, "sync.RWMutex")
	world.W.Syncs.RWMutexLock(p, &world.Scratch(p).Sync, m)
	p.Leave()
}

func rwmutex(m unsafe.Pointer, kind trace.Kind) bool {
	p := world.W.Enter()
	world.W.Races.Operates(p, m, "sync.RWMutex")
	ok := world.W.Syncs.RWMutex(p, &world.Scratch(p).Sync, m, kind)
	p.Leave()
	return ok
}

// WaitGroupAdd is wg.Add(delta), as a step of a process that is under control.
func WaitGroupAdd(wg unsafe.Pointer, delta int) {
	if world.W.Current() == nil {
		(*sync.WaitGroup)(wg).Add(delta)
		return
	}
	p := world.W.Enter()
	world.W.Races.Operates(p, wg, "sync.WaitGroup")
	world.W.Syncs.WaitGroupAdd(p, &world.Scratch(p).Sync, wg, delta)
	p.Leave()
}

func waitGroupWait(wg unsafe.Pointer) {
	p := world.W.Enter()
	world.W.Races.Operates(p, wg, "sync.WaitGroup")
	world.W.Syncs.WaitGroupWait(p, &world.Scratch(p).Sync, wg)
	p.Leave()
}

func onceDo(o unsafe.Pointer, f func(), caller uintptr) bool {
	p := world.W.Enter()
	if world.Library(caller) {
		p.Leave()
		return false
	}
	world.W.Races.Operates(p, o, "sync.Once")
	world.W.Syncs.OnceDo(p, &world.Scratch(p).Sync, o, f)
	p.Leave()
	return true
}

func onceUsed(o unsafe.Pointer) bool {
	p := world.W.Enter()
	used := world.W.Syncs.OnceUsed(o)
	p.Leave()
	return used
}
