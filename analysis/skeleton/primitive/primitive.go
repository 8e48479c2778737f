// Package primitive says what Go's channels and sync objects do, for machines that run programs
// without goroutines: the machine of the micro language, and that of skeletons.
//
// Vocabulary: an object is the state of a channel, mutex, WaitGroup, Once or Cond. A scene is what
// all processes have declared, over all objects. V is the type of the values in channels.
//
// Guarantees: alternatives come in the order that trace.State asks for; an operation that is done
// fills in its event as the models below runtime/model do. Random programs compare the two.
//
// LIMITS: time and files are not here, nor are mailboxes: a machine that has them lists their
// messages itself.
package primitive

import "github.com/rehearse-go/rehearse/runtime/trace"

// Object is the state of an object of any class.
type Object[V any] struct {
	Buf      []V
	Sent     int32 // values put into the buffer
	Received int32 // values taken out of it
	Closed   bool
	Locked   bool // Mutex; RWMutex: a writer has announced itself; Once: running
	Writing  bool // RWMutex: a writer is in
	Done     bool // Once
	Readers  int  // RWMutex: that are in
	Count    int  // WaitGroup: the counter
	Waiters  int32
	Woken    int32 // Cond: of the waiters, those that have been woken
}

// Reset makes o a new object, and keeps the memory of its buffer.
func (o *Object[V]) Reset() { *o = Object[V]{Buf: o.Buf[:0]} }

// Ready reports whether op, which is no communication, can be done.
func (o *Object[V]) Ready(op *trace.Op) bool {
	switch op.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.Once:
		return !o.Locked
	case trace.WWait:
		return o.Readers == 0
	case trace.WgWait:
		return o.Count == 0
	case trace.CondWait:
		return op.Waiter() < o.Woken
	}
	return true
}

// Transfer does a send of value, or a receive, that has no partner. A receive returns what it has
// got; ok is false if the channel is closed and empty. It returns the text of a panic.
func (o *Object[V]) Transfer(ev *trace.Event, value V) (got V, ok bool, panics string) {
	switch {
	case ev.Kind == trace.Send && o.Closed:
		ev.Closed = true
		return got, false, "send on closed channel"
	case ev.Kind == trace.Send:
		ev.Seq, o.Buf = o.Sent, append(o.Buf, value)
		o.Sent++
	case len(o.Buf) == 0:
		ev.Closed = true
		return got, false, ""
	default:
		ev.Seq, got, ok = o.Received, o.Buf[0], true
		o.Buf = append(o.Buf[:0], o.Buf[1:]...)
		o.Received++
	}
	return got, ok, ""
}

// Do does an operation that is no communication. A statement may have a second operation, which Do
// returns, or None. Do also returns the text of a panic. Unknown operations do nothing.
func (o *Object[V]) Do(ev *trace.Event) (second trace.Kind, panics string) {
	switch ev.Kind {
	case trace.Close:
		ev.Closed = o.Closed
		if o.Closed {
			return trace.None, "close of closed channel"
		}
		o.Closed = true
	case trace.Lock:
		o.Locked = true
	case trace.TryLock:
		ev.OK = !o.Locked
		o.Locked = true
	case trace.Unlock:
		if !o.Locked {
			return trace.None, "unlock of unlocked mutex"
		}
		o.Locked = false
	case trace.WgAdd:
		o.Count += int(ev.Op.N)
		ev.Seq = int32(o.Count)
		if ev.OK = o.Count >= 0; !ev.OK {
			return trace.None, "negative WaitGroup counter"
		}
	case trace.Once:
		if ev.OK = !o.Done; ev.OK {
			o.Locked = true
			return trace.OnceDone, ""
		}
	case trace.OnceDone:
		o.Locked, o.Done = false, true
	default:
		return o.readWrite(ev)
	}
	return trace.None, ""
}

// readWrite is Do for an RWMutex.
func (o *Object[V]) readWrite(ev *trace.Event) (second trace.Kind, panics string) {
	switch ev.Kind {
	case trace.WLock:
		o.Locked, o.Writing = true, o.Readers == 0
		if ev.OK = o.Writing; !ev.OK {
			return trace.WWait, ""
		}
	case trace.WWait:
		o.Writing = true
	case trace.WTryLock:
		if ev.OK = !o.Locked && o.Readers == 0; ev.OK {
			o.Locked, o.Writing = true, true
		}
	case trace.WUnlock:
		if !o.Writing {
			return trace.None, "unlock of unlocked RWMutex"
		}
		o.Locked, o.Writing = false, false
	case trace.RLock:
		o.Readers++
	case trace.RTryLock:
		if ev.OK = !o.Locked; ev.OK {
			o.Readers++
		}
	case trace.RUnlock:
		if o.Readers == 0 {
			return trace.None, "RUnlock of unlocked RWMutex"
		}
		o.Readers--
	default:
		return trace.None, o.notify(ev)
	}
	return trace.None, ""
}

// notify is Do for a Cond.
func (o *Object[V]) notify(ev *trace.Event) (panics string) {
	switch ev.Kind {
	case trace.CondEnter:
		o.Waiters++
	case trace.CondSignal:
		o.wake(ev, min(o.Woken+1, o.Waiters))
	case trace.CondBroadcast:
		o.wake(ev, o.Waiters)
	}
	return ""
}

// wake makes the first n waiters those that have been woken.
func (o *Object[V]) wake(ev *trace.Event, n int32) {
	ev.Cap, ev.Seq = o.Woken, n
	o.Woken = n
}

// Fatal reports whether an operation of kind k that goes wrong ends the program there and then:
// nothing can recover it.
func Fatal(k trace.Kind) bool {
	return k == trace.Unlock || k == trace.WUnlock || k == trace.RUnlock
}

// KeepCases copies a select's cases into an event: the process reuses their memory.
func KeepCases(op *trace.Op) {
	if op.Kind == trace.Select {
		op.Cases = append([]trace.Case(nil), op.Cases...)
	}
}
