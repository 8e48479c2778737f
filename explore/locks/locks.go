// Package locks says which locks a process holds between two steps of an execution.
//
// Guarantees: a lock is held from the step that took it up to the step that gave it back, even if
// another process did the latter: Go lets any goroutine unlock a Mutex.
//
// LIMITS: of the readers of an RWMutex that another process has released, the one that came first
// counts as released.
package locks

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Held is a lock that a process holds.
type Held struct {
	Obj  int32 // as in trace.Op
	Step int   // the event that took it
	Read bool  // for reading: others may hold it for reading, too
	Proc int32 // the process that took it
}

// At lists what process p holds when n events have been done, in the order in which it was taken.
func At(x *trace.Execution, p int32, n int) []Held {
	return slices.DeleteFunc(all(x, n), func(h Held) bool { return h.Proc != p })
}

// Of lists who holds object o at the end of x, in the order in which it was taken.
func Of(x *trace.Execution, o int32) []Held {
	return slices.DeleteFunc(all(x, len(x.Events)), func(h Held) bool { return h.Obj != o })
}

// all lists what is held when n events have been done.
func all(x *trace.Execution, n int) (list []Held) {
	for i := range x.Events[:min(n, len(x.Events))] {
		list = after(list, &x.Events[i], i)
	}
	return list
}

// after is what is held after event e, number i.
func after(all []Held, e *trace.Event, i int) []Held {
	switch e.Kind {
	case trace.Lock, trace.WWait:
		return append(all, Held{e.Obj, i, false, e.Proc})
	case trace.RLock:
		return append(all, Held{e.Obj, i, true, e.Proc})
	case trace.TryLock, trace.WTryLock, trace.RTryLock, trace.WLock: // WLock fails if it must wait
		if e.OK {
			return append(all, Held{e.Obj, i, e.Kind == trace.RTryLock, e.Proc})
		}
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		return release(all, e)
	}
	return all
}

// release takes out the lock that e gives back: its own process's if it has one.
func release(all []Held, e *trace.Event) []Held {
	same := func(h Held) bool { return h.Obj == e.Obj && h.Read == (e.Kind == trace.RUnlock) }
	k := slices.IndexFunc(all, func(h Held) bool { return same(h) && h.Proc == e.Proc })
	if k < 0 {
		k = slices.IndexFunc(all, same)
	}
	if k < 0 {
		return all
	}
	return slices.Delete(all, k, k+1)
}
