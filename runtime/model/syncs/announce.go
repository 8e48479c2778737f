package syncs

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// announce tells the race detector what ev, done by p on o, synchronises, just as package sync
// does. For an RWMutex, o stands for the releases of writers and o.count for those of readers.
func (o *object) announce(p *sched.Proc, ev *trace.Event) {
	if !gate.Race {
		return
	}
	at, readers := unsafe.Pointer(o), unsafe.Pointer(&o.count)
	switch ev.Kind {
	case trace.Lock, trace.RLock, trace.WgWait:
		p.Acquire(at)
	case trace.TryLock, trace.RTryLock:
		if ev.OK {
			p.Acquire(at)
		}
	case trace.WLock, trace.WWait, trace.WTryLock:
		if o.writing {
			p.Acquire(at)
			p.Acquire(readers)
		}
	case trace.Unlock, trace.WUnlock, trace.OnceDone:
		p.Release(at)
	case trace.RUnlock:
		p.ReleaseMerge(readers)
	case trace.WgAdd:
		if ev.Op.Delta() < 0 {
			p.ReleaseMerge(at)
		}
	case trace.Once, trace.AtomicLoad:
		p.Acquire(at)
	case trace.AtomicStore, trace.PoolPut:
		p.ReleaseMerge(at)
	case trace.AtomicUpdate:
		if !ev.Op.IsBlind() { // a blind one might have come before those that it would acquire from
			p.Acquire(at)
		}
		p.ReleaseMerge(at)
	case trace.PoolGet:
		if ev.OK {
			p.Acquire(at)
		}
	}
}
