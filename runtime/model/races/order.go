package races

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// clock[q] is the time of process q up to which the owner of the clock, a process or an object,
// knows of q; 0 beyond its end: not at all.
type clock []int32

func (c clock) of(q int32) int32 {
	if int(q) < len(c) {
		return c[q]
	}
	return 0
}

// join makes c know what d knows.
func (c *clock) join(d clock) {
	if len(*c) < len(d) {
		*c = append(*c, d[len(*c):]...)
	}
	for q := range d {
		(*c)[q] = max((*c)[q], d[q])
	}
}

// set makes c know what d knows and no more.
func (c *clock) set(d clock) { *c = append((*c)[:0], d...) }

// object has the knowledge that one object, such as a channel or a lock, passes on.
type object struct {
	released clock
	group    group // WaitGroup
	readers  clock // RWMutex: what those who have read hand on to writers
	closed   clock // channel: what the closing hands on
	closing  moment
	// buffered channel: what the n-th send hands on to the receiver of its value
	sent    queue
	letters map[trace.Message]clock // mailbox: what the send of a message hands on to its receiver
	// buffered channel: what the n-th receive hands on to the send that uses its place again
	taken queue
	// sync.Map: what the changes of the entry of a key hand on, by number
	keys    map[int32]clock
	entries clock // sync.Map: all of them together
	// mutex, channel that is served: what its sections or tasks hand on; nil if it has had none
	sections *trace.Handed[clock]
}

// reset makes o a new object, which reuses the memory.
func (o *object) reset() {
	o.group.reset()
	o.released, o.readers, o.closed, o.entries = o.released[:0], o.readers[:0], o.closed[:0],
		o.entries[:0]
	o.sent.n, o.taken.n = 0, 0
	o.closing = moment{}
	clear(o.letters)
	clear(o.keys)
	if o.sections != nil {
		o.sections.All(func(c *clock) { *c = (*c)[:0] })
	}
}

// objects has the objects of an execution, by number.
type objects []object

// at returns the object with a number. It is valid until the next call.
func (l *objects) at(id int32) *object {
	for len(*l) <= int(id) {
		if n := len(*l); n < cap(*l) {
			*l = (*l)[:n+1]
			(*l)[n].reset()
		} else {
			*l = append(*l, object{})
		}
	}
	return &(*l)[id]
}

// Spawned implements sched.Observer: a process begins after the go statement that made it.
func (w *World) Spawned(parent, child *sched.Proc) {
	if len(w.clocks) > maxProcs {
		return
	}
	if w.begin(); parent != nil {
		w.clocks[child.ID].set(w.clocks[parent.ID])
		w.tick(parent.ID)
	}
	w.grow(child.ID)
	w.tick(child.ID)
}

// Done implements sched.Observer: it passes on the knowledge that event ev passes on.
func (w *World) Done(ev *trace.Event) {
	if len(w.clocks) > maxProcs {
		return
	}
	if w.settle(); len(w.servers) > 0 {
		w.endTasks(ev)
	}
	if q, is := ev.Server(); is {
		w.beginTask(ev, q)
		return
	}
	if ev.Partner >= 0 {
		w.meet(ev.Proc, ev.Partner, ev.Op.Cap != trace.Serviced)
		return
	}
	if ev.Obj < 0 || ev.Op.IsPlain() {
		return
	}
	o := w.syncs.at(ev.Obj)
	w.enter(ev)
	w.checkGroup(o, ev)
	if ev.Kind == trace.Settle { // the others are at rest: those outside of the bubble, too
		for _, c := range w.clocks {
			w.clocks[ev.Proc].join(c)
		}
	}
	switch c := &w.clocks[ev.Proc]; {
	case ev.Kind <= trace.Len:
		if ev.Kind == trace.Close && !ev.Closed {
			o.closing = moment{w.own[ev.Proc], c.of(w.own[ev.Proc])}
		}
		o.communicate(ev, c)
	case ev.Kind.OfStream():
		o.flow(ev, c)
	case ev.Op.Key() > 0 && (ev.Kind == trace.AtomicLoad || ev.Kind == trace.AtomicUpdate):
		w.undo.keep(ev, o)
		o.entry(ev, c)
	default:
		w.undo.keep(ev, o)
		o.synchronise(ev, c)
	}
	switch {
	case ev.Kind == trace.AtomicLoad, ev.Kind == trace.AtomicStore, ev.Kind == trace.AtomicUpdate:
		w.operated(ev.Proc, w.atomic)
	case Resets && operates(ev.Kind):
		w.operated(ev.Proc, w.operating)
	}
	if ev.Kind == trace.TimerReset { // what the timer does comes after its being reset
		w.clocks[ev.Op.Sleeping()].join(w.clocks[ev.Proc])
	}
	w.tick(ev.Proc)
	w.undecided.begins(ev)
}

// checkGroup reports a Wait that nothing orders after an Add for which it has waited: Wait might
// have come before that Add.
func (w *World) checkGroup(o *object, ev *trace.Event) {
	switch c := w.clocks[ev.Proc]; {
	case !w.on:
	case ev.Kind == trace.WgAdd:
		o.group.add(ev, w.own[ev.Proc], c)
	case ev.Kind == trace.WgWait && o.group.misused(c):
		w.note(trace.AddBesideWait, "")
	}
}

// Learned implements sched.Observer.
func (w *World) Learned(p, q *sched.Proc) {
	if p != q && len(w.clocks) <= maxProcs {
		w.clocks[p.ID].join(w.clocks[q.ID])
		w.tick(q.ID)
	}
}

// communicate is the effect of an event on a channel. The channels of all timers are one object,
// the clock.
func (o *object) communicate(ev *trace.Event, c *clock) {
	switch {
	case ev.Message().Number > 0:
		o.carry(ev, c)
	case ev.Kind == trace.Close:
		o.closed.join(*c)
	case ev.Kind == trace.Recv && ev.Closed:
		c.join(o.closed)
	case ev.Kind == trace.Recv && ev.Cap == trace.Timers:
		c.join(o.released)
	case ev.Kind == trace.Recv:
		c.join(o.sent.take(ev.Seq))
		o.taken.put(ev.Seq+ev.Cap, *c)
	case ev.Kind == trace.Send && !ev.Closed:
		c.join(o.taken.take(ev.Seq))
		o.sent.put(ev.Seq, *c)
	}
}

// flow is the effect of an event on a connection or an address. A read comes after the write of the
// same data, and an operation that finds a change comes after that change.
func (o *object) flow(ev *trace.Event, c *clock) {
	if stream.Disturbs(&ev.Op) {
		return
	}
	m := trace.Message{Sender: stream.Unpack(ev.Op.Cap).Side, Number: ev.Seq}
	switch ev.Kind {
	case trace.StreamRead, trace.StreamAccept:
		if m.Sender = 1 - m.Sender; ev.OK {
			c.join(o.letters[m])
			if ev.Cap == 1 {
				delete(o.letters, m)
			}
			return
		}
		c.join(o.closed)
	case trace.StreamWrite, trace.StreamDial:
		if ev.Kind == trace.StreamDial || !ev.OK {
			c.join(o.closed)
		}
		if ev.OK {
			o.post(m, c)
		}
	default:
		c.join(o.closed)
		o.closed.join(*c)
	}
}

// post makes a message pass on what c knows.
func (o *object) post(m trace.Message, c *clock) {
	if o.letters == nil {
		o.letters = map[trace.Message]clock{}
	}
	var handed clock
	handed.set(*c)
	o.letters[m] = handed
}

// carry is the effect of putting a message into a mailbox, or taking it out. The mailbox itself
// orders nothing.
func (o *object) carry(ev *trace.Event, c *clock) {
	m := ev.Message()
	if ev.Kind == trace.Recv {
		c.join(o.letters[m])
		delete(o.letters, m)
		return
	}
	o.post(m, c)
}

// queue has clocks that are passed on by numbers, which come and go in ascending order. Its memory
// is reused.
type queue struct {
	ring  []handed
	first int // index in ring
	n     int // how many there are
}

type handed struct {
	number int32
	clock  clock
}

func (q *queue) put(number int32, c clock) {
	if q.n == len(q.ring) {
		ring := make([]handed, 2*q.n+1)
		for i := range q.ring {
			ring[i] = q.ring[(q.first+i)%q.n]
		}
		q.ring, q.first = ring, 0
	}
	h := &q.ring[(q.first+q.n)%len(q.ring)]
	h.number = number
	h.clock.set(c)
	q.n++
}

// take returns the clock that was put under a number, nil if that was before the execution. It is
// valid until the next put.
func (q *queue) take(number int32) clock {
	if q.n == 0 || q.ring[q.first].number != number {
		return nil
	}
	h := &q.ring[q.first]
	q.first, q.n = (q.first+1)%len(q.ring), q.n-1
	return h.clock
}

// synchronise is the effect of an event on any other object, according to the documentation of
// package sync and others.
func (o *object) synchronise(ev *trace.Event, c *clock) {
	if n := ev.Op.Sectioned(); n != 0 {
		o.section(ev, c, n)
		return
	}
	o.afterSections(ev, c)
	switch ev.Kind {
	case trace.WgWait:
		c.join(o.released)
		o.group.settle(*c)
	case trace.Lock, trace.RLock, trace.Once, trace.AtomicLoad, trace.CondWait, trace.Join:
		c.join(o.released)
		c.join(o.entries)
	case trace.TryLock, trace.RTryLock, trace.PoolGet:
		if ev.OK {
			c.join(o.released)
		}
	case trace.WLock, trace.WWait, trace.WTryLock:
		if ev.OK || ev.Kind == trace.WWait {
			c.join(o.released)
			c.join(o.readers)
		}
	case trace.Unlock, trace.WUnlock, trace.OnceDone:
		o.released.set(*c)
	case trace.RUnlock:
		o.readers.join(*c)
	case trace.WgAdd:
		if ev.Op.Delta() < 0 {
			o.released.join(*c)
		}
	case trace.Fire:
		if !ev.Op.IsSleeper() { // who wakes up hands nothing on
			o.released.join(*c)
		}
	case trace.AtomicStore, trace.CondSignal, trace.CondBroadcast, trace.PoolPut, trace.End:
		o.released.join(*c)
	case trace.AtomicUpdate:
		if !ev.Op.IsBlind() { // a blind one might have come before those that it would learn from
			c.join(o.released)
			c.join(o.entries)
		}
		if ev.OK { // an operation on a file that changes nothing hands nothing on
			o.released.join(*c)
		}
	case trace.Log:
		c.join(o.released)
		o.released.join(*c)
	}
}
