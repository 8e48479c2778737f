package races

import "github.com/rehearse-go/rehearse/runtime/trace"

// The entries of a sync.Map hand on what is known for themselves: two operations on different keys
// have no order, so that of an execution must hide no race. Likewise an update that turns out to
// change nothing, such as a CompareAndSwap that fails: it has no order with loads, and hands
// nothing on.

// entry is the effect of a method of a sync.Map that is about a key.
func (o *object) entry(ev *trace.Event, c *clock) {
	own := o.keys[ev.Op.Key()]
	c.join(o.released)
	c.join(own)
	if ev.Kind != trace.AtomicUpdate {
		return
	}
	if o.keys == nil {
		o.keys = map[int32]clock{}
	}
	own.join(*c)
	o.keys[ev.Op.Key()] = own
	o.entries.join(*c)
}

// undo has what an object handed on before the last update.
type undo struct {
	obj, key      int32
	released, own clock
	entries       clock
}

// keep takes down the state of o before ev.
func (u *undo) keep(ev *trace.Event, o *object) {
	if ev.Kind != trace.AtomicUpdate || ev.Op.IsBlind() {
		return
	}
	u.obj, u.key = ev.Obj, ev.Op.Key()
	u.released.set(o.released)
	u.entries.set(o.entries)
	u.own.set(o.keys[u.key])
}

// OnlyRead says that the update that has just been done changed nothing: it hands nothing on.
func (w *World) OnlyRead() {
	if !w.On() || len(w.clocks) > maxProcs || w.s.Dying() {
		return
	}
	u, o := &w.undo, w.object(w.undo.obj)
	o.released.set(u.released)
	o.entries.set(u.entries)
	if u.key > 0 {
		o.keys[u.key] = append(o.keys[u.key][:0], u.own...)
	}
}
