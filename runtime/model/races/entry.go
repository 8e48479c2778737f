package races

import "github.com/rehearse-go/rehearse/runtime/trace"

// Each entry of a sync.Map passes knowledge on for itself: two operations on different keys have no
// order, so the order of one execution must hide no race. An update that turns out to change
// nothing has no order with loads, and passes nothing on. An example is a CompareAndSwap that
// fails.

// entry is the effect of a method of a sync.Map on one key.
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

// undo has what an object passed on before the last update.
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

// OnlyRead says that the last update changed nothing: it passes nothing on.
func (w *World) OnlyRead() {
	if !w.On() || len(w.clocks) > maxProcs || w.s.Dying() {
		return
	}
	u, o := &w.undo, w.syncs.at(w.undo.obj)
	o.released.set(u.released)
	o.entries.set(u.entries)
	if u.key > 0 {
		o.keys[u.key] = append(o.keys[u.key][:0], u.own...)
	}
}
