package clock

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Readings of the clock differ. On a real machine a reading is later than each reading that happens
// before it, and a process that has slept for a second finds that more than a second has passed.
// Here the clock stands still between two firings. So each process has a lead: its reading is that
// much ahead of the clock, and each reading lets the lead grow by 1 ns. All events that order
// processes pass leads on, so no reading is earlier than one that happens before it: L. Lamport,
// Time, clocks, and the ordering of events in a distributed system, CACM 1978.
//
// The lead of a process is a function of the events that happen before its next one. So equivalent
// executions read the same times. Events that the strategies take to commute pass no lead on to
// each other, whichever comes first:
//   - a value takes the lead with it to the receiver of that value, and a place in the buffer takes
//     it to the next send that uses the place: not all sends and receives of one channel are
//     ordered;
//   - a sender into an unbuffered channel learns only what the receiver knew before a run of plain
//     receives, for the members of a joint meeting (package depend) have no order;
//   - blind updates pass leads on, and learn none; likewise stores, RUnlock, and Done of a
//     WaitGroup;
//   - a Signal passes the lead on to the processes that it wakes;
//   - each entry of a sync.Map passes leads on for itself, and an update that changes nothing
//     passes none on;
//   - lines of the log pass none on: an order that nobody sees counts for nothing;
//   - critical sections that commute pass none on to each other, nor do tasks: see sections.go.
//
// Bubbles of testing/synctest have the time that Go gives them: no lead is seen there. Timers keep
// their deadlines, see whole.
type leads struct {
	Flows   bool   // readings are ahead of the clock; else there is no lead
	begun   bool   // some lead is not 0
	procs   []lead // by process; 0 beyond the end
	objects map[int32]*handed
	undo    undo
}

// lead is the lead of one process.
type lead struct {
	now    int64
	before int64 // the lead before the plain receives that the process is in the middle of
	from   int32 // 1 + the unbuffered channel of these, or 0; or of the tasks that it does
	tasks  int64 // the largest lead of these, when they have ended
}

// handed has the leads that an object passes on.
type handed struct {
	released int64
	readers  int64 // RWMutex: from those who have read to writers
	closed   int64 // channel: from who has closed it
	// buffered channel: from the n-th send to the receive of its value
	sent map[int32]int64
	// buffered channel: from a receive to the n-th send, which uses its place
	taken    map[int32]int64
	woken    map[int32]int64      // Cond: to the n-th waiter
	keys     map[int32]int64      // sync.Map: from who has changed the entry of a key, by number
	entries  int64                // sync.Map: the largest of them
	sections *trace.Handed[int64] // mutex: nil if it has had none
}

func (l *leads) reset() {
	l.begun, l.procs, l.undo = false, l.procs[:0], undo{}
	clear(l.objects)
}

// ahead returns p's lead, as far as its readings show it.
func (l *leads) ahead(p *sched.Proc) int64 {
	if !l.Flows || zoneOf(p) > 0 {
		return 0
	}
	return l.of(p.ID).now
}

// tick returns the time that t, which fires, puts into its channel. That is a reading by the
// process that has armed t.
func (c *Clock) tick(t *Timer) int64 {
	if !c.Flows || t.zone > 0 {
		return c.now(t.zone)
	}
	c.leads.begun = true
	o := c.leads.object(t.c.id)
	o.released = max(o.released, t.lead+1)
	return c.now(0) + t.lead
}

// A program computes from readings how long it has to wait, such as time.Until(deadline): the
// result is less than it would be if the clock stood still, by no more than the lead. whole makes
// up for that if the sum is a multiple of grain. So two timers that are meant to fire at one
// instant still do, in any order.
func (t *Timer) whole(d int64) int64 {
	if rest := d % grain; d > 0 && t.zone == 0 && rest != 0 && grain-rest <= t.lead {
		return d - rest + grain
	}
	return d
}

// grain is 1 µs: few programs wait for a fraction of that.
const grain = 1000

// of returns the lead of process q.
func (l *leads) of(q int32) *lead {
	for len(l.procs) <= int(q) {
		l.procs = append(l.procs, lead{})
	}
	return &l.procs[q]
}

// read notes that p has read the clock.
func (l *leads) read(p *sched.Proc) {
	if zoneOf(p) == 0 {
		l.begun = true
		l.of(p.ID).now++
	}
}

// object returns the leads that an object passes on.
func (l *leads) object(id int32) *handed {
	o := l.objects[id]
	if o == nil {
		if l.objects == nil {
			l.objects = map[int32]*handed{}
		}
		o = &handed{}
		l.objects[id] = o
	}
	return o
}

// Spawned implements sched.Observer.
func (l *leads) Spawned(parent, child *sched.Proc) {
	if l.begun && parent != nil {
		l.of(child.ID).now = l.of(parent.ID).now
	}
}

// Learned implements sched.Observer.
func (l *leads) Learned(p, q *sched.Proc) {
	if l.begun {
		l.of(p.ID).learn(l.of(q.ID).now)
	}
}

// learn raises the lead to one that is passed on.
func (p *lead) learn(from int64) { p.now = max(p.now, from) }

// Done implements sched.Observer: it passes on the leads that ev passes on.
func (l *leads) Done(ev *trace.Event) {
	if !l.begun {
		return
	}
	if q, task := ev.Server(); task {
		l.task(ev, q)
		return
	}
	l.of(ev.Proc).settle()
	if ev.Partner >= 0 {
		l.of(ev.Partner).settle()
	}
	switch {
	case ev.Partner >= 0:
		l.meet(ev)
	case ev.Obj < 0:
		l.of(ev.Proc).from = 0
	default:
		p, o := l.of(ev.Proc), l.object(ev.Obj)
		p.from = 0
		l.undo.keep(ev, o)
		switch {
		case ev.Kind <= trace.Len:
			o.communicate(ev, p)
		case ev.Kind.OfStream():
			o.flow(ev, p)
		default:
			o.synchronise(ev, p)
		}
	}
}

// meet is the effect of a rendezvous.
func (l *leads) meet(ev *trace.Event) {
	l.of(max(ev.Proc, ev.Partner)) // so that both are there
	p, q := l.of(ev.Proc), l.of(ev.Partner)
	switch plain := ev.Op.Kind == trace.Send && ev.PartnerOp.Kind == trace.Recv; {
	case !plain:
		q.from, q.before = 0, q.now
	case q.from != ev.Obj+1:
		q.from, q.before = ev.Obj+1, q.now
	}
	p.from = 0
	q.learn(p.now)
	if ev.Op.Cap != trace.Serviced {
		p.learn(q.before)
	}
}

// flow is the effect of an event on a connection or an address.
func (o *handed) flow(ev *trace.Event, p *lead) {
	side := stream.Unpack(ev.Op.Cap).Side
	switch ev.Kind {
	case trace.StreamRead, trace.StreamAccept:
		if !ev.OK {
			p.learn(o.closed)
			return
		}
		key := ev.Seq<<1 | (1 - side)
		if p.learn(o.sent[key]); ev.Cap == 1 {
			delete(o.sent, key)
		}
	case trace.StreamWrite, trace.StreamDial:
		if ev.Kind == trace.StreamDial || !ev.OK {
			p.learn(o.closed)
		}
		if ev.OK {
			put(&o.sent, ev.Seq<<1|side, p.now)
		}
	default:
		p.learn(o.closed)
		o.closed = max(o.closed, p.now)
	}
}

// communicate is the effect of an event on a channel that has room, or is closed.
func (o *handed) communicate(ev *trace.Event, p *lead) {
	switch {
	case ev.Kind == trace.Close:
		o.closed = max(o.closed, p.now)
	case ev.Kind == trace.Recv && ev.Closed:
		p.learn(o.closed)
	case ev.Kind == trace.Recv && ev.Cap == trace.Timers:
		p.learn(o.released)
	case ev.Kind == trace.Recv:
		p.learn(o.sent[ev.Seq])
		delete(o.sent, ev.Seq)
		put(&o.taken, ev.Seq+ev.Cap, p.now)
	case ev.Kind == trace.Send && !ev.Closed:
		p.learn(o.taken[ev.Seq])
		delete(o.taken, ev.Seq)
		put(&o.sent, ev.Seq, p.now)
	}
}

func put(m *map[int32]int64, number int32, lead int64) {
	if lead == 0 {
		return
	}
	if *m == nil {
		*m = map[int32]int64{}
	}
	(*m)[number] = lead
}

// synchronise is the effect of an event on any other object.
func (o *handed) synchronise(ev *trace.Event, p *lead) {
	if n := ev.Op.Sectioned(); n != 0 {
		o.section(ev, p, n)
		return
	}
	o.afterSections(ev, p)
	switch ev.Kind {
	case trace.Lock, trace.RLock, trace.Once, trace.Join, trace.WgWait:
		p.learn(o.released)
	case trace.AtomicLoad:
		p.learn(o.changes(ev))
	case trace.TryLock, trace.RTryLock, trace.PoolGet:
		if ev.OK {
			p.learn(o.released)
		}
	case trace.WLock, trace.WWait, trace.WTryLock:
		if ev.OK || ev.Kind != trace.WTryLock {
			p.learn(max(o.released, o.readers))
		}
	case trace.RUnlock:
		o.readers = max(o.readers, p.now)
	case trace.Unlock, trace.WUnlock, trace.OnceDone, trace.AtomicStore, trace.PoolPut, trace.End:
		o.release(p)
	case trace.WgAdd:
		if ev.Op.Delta() < 0 {
			o.release(p)
		}
	case trace.AtomicUpdate:
		if !ev.Op.IsBlind() {
			p.learn(o.changes(ev))
		}
		switch key := ev.Op.Key(); {
		case ev.OK && key > 0:
			put(&o.keys, key, max(o.keys[key], p.now))
			o.entries = max(o.entries, p.now)
		case ev.OK:
			o.release(p)
		}
	case trace.CondSignal, trace.CondBroadcast:
		for n := ev.Cap; n < ev.Seq; n++ {
			put(&o.woken, n, p.now)
		}
	case trace.CondWait:
		p.learn(o.woken[ev.Op.Waiter()])
		delete(o.woken, ev.Op.Waiter())
	}
}

// changes returns the lead that an atomic operation, or a method of sync.Map, learns from earlier
// changes of its variable or entry.
func (o *handed) changes(ev *trace.Event) int64 {
	if ev.Op.Key() > 0 {
		return max(o.released, o.keys[ev.Op.Key()])
	}
	return max(o.released, o.entries)
}

// undo has the leads that an object passed on before the last update.
type undo struct {
	o                      *handed
	key                    int32
	released, own, entries int64
}

func (u *undo) keep(ev *trace.Event, o *handed) {
	if ev.Kind == trace.AtomicUpdate {
		*u = undo{o, ev.Op.Key(), o.released, o.keys[ev.Op.Key()], o.entries}
	}
}

// OnlyRead says that the last update changed nothing: it passes nothing on.
func (l *leads) OnlyRead() {
	u := &l.undo
	if !l.begun || u.o == nil {
		return
	}
	u.o.released, u.o.entries = u.released, u.entries
	delete(u.o.keys, u.key)
	put(&u.o.keys, u.key, u.own)
}

func (o *handed) release(p *lead) { o.released = max(o.released, p.now) }
