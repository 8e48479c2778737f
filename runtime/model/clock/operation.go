package clock

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Operation is the declared operation of one process on the clock; its memory is reused.
type Operation struct {
	c       *Clock
	t       *Timer
	d       int64
	period  int64
	ok      bool  // what the operation returned
	now     int64 // likewise
	sleeper Timer // the process itself, when it sleeps
}

// Now reads the clock.
func (c *Clock) Now(p *sched.Proc, o *Operation) int64 {
	if c.s.Dying() {
		return c.now(zoneOf(p)) + c.ahead(p)
	}
	c.Naps.seen(c.s, true, c.s.Here) // N1
	o.do(c, p, trace.Now, nil, 0, 0)
	c.pulses.place(p)
	if zoneOf(p) == 0 { // the time of a bubble is that of Go
		c.s.Fix(trace.ClockReadings)
	}
	return o.now
}

// Sleep is time.Sleep for more than no time.
func (c *Clock) Sleep(p *sched.Proc, o *Operation, d int64) {
	o.sleeper = Timer{c: c, p: p, zone: zoneOf(p), sleeper: true}
	o.do(c, p, trace.TimerStart, &o.sleeper, d, 0)
	c.s.Do(p, &o.sleeper)
}

// Start arms a new timer, whose channel is ch.
func (c *Clock) Start(p *sched.Proc, o *Operation, made *gate.Timer, ch Channel, d, period int64) {
	t := &Timer{Timer: *made, c: c, zone: zoneOf(p), ch: ch}
	c.made[made.At] = t
	o.do(c, p, trace.TimerStart, t, d, period)
}

// Stop disarms t and reports whether it was active.
func (c *Clock) Stop(p *sched.Proc, o *Operation, t *Timer) bool {
	t.accessible(p, "stop of synctest timer from outside bubble")
	return o.do(c, p, trace.TimerStop, t, 0, 0)
}

// Reset arms t anew and reports whether it was active.
func (c *Clock) Reset(p *sched.Proc, o *Operation, t *Timer, d, period int64) bool {
	t.accessible(p, "reset of synctest timer from outside bubble")
	return o.do(c, p, trace.TimerReset, t, d, period)
}

// accessible ends the execution if t belongs to a bubble and p does not.
func (t *Timer) accessible(p *sched.Proc, fatal string) {
	if t.zone > 0 && t.zone != zoneOf(p) && !t.c.s.Dying() {
		t.c.s.Fatal(p, fatal)
	}
}

// do declares and waits.
func (o *Operation) do(c *Clock, p *sched.Proc, kind trace.Kind, t *Timer, d, period int64) bool {
	o.c, o.t, o.d, o.period, o.ok = c, t, d, period, false
	p.Op = trace.Op{Kind: kind, Obj: c.Object(), Cap: trace.Timers}
	if kind == trace.Now && c.s.Sites() && sched.CalledBy("time") {
		p.Op.N = trace.ReadHere
	}
	if kind == trace.TimerStart || kind == trace.TimerReset {
		t.place, t.noted = c.s.Here(), false
	}
	if kind == trace.TimerStop || kind == trace.TimerReset {
		p.Op.N, p.Op.Cap = t.p.ID, t.key()
	}
	c.s.Do(p, o)
	return o.ok
}

// key is the number of the timer in all executions: see trace.NoKey.
func (t *Timer) key() int32 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(t.p.Path()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return trace.HashKey(h)
}

// Alts implements sched.Operation.
func (o *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply implements sched.Operation.
func (o *Operation) Apply(p *sched.Proc, ev *trace.Event) {
	switch ev.Kind {
	case trace.Now:
		o.now = o.c.now(zoneOf(p)) + o.c.ahead(p)
		if o.c.Flows {
			o.c.leads.read(p)
		}
		o.c.read(p)
	case trace.TimerStart:
		if !o.t.sleeper {
			o.t.p = o.c.s.Daemon(p, "timer", o.t)
		}
		o.t.turn = o.c.turnOf(p)
		o.t.lead = o.c.ahead(p)
		o.t.arm(o.d, o.period)
	case trace.TimerStop:
		o.ok = o.t.stop()
	case trace.TimerReset:
		p.Release(unsafe.Pointer(o.t)) // what the timer does comes after its being reset
		o.t.p.Acquire(unsafe.Pointer(o.t))
		o.ok = o.t.stop()
		o.t.turn = o.c.turnOf(p)
		o.t.lead = o.c.ahead(p)
		o.c.leads.Learned(o.t.p, p)
		o.t.arm(o.d, o.period)
	}
	ev.OK = o.ok
}

// Alts implements sched.Operation: the clock lists the firings.
func (t *Timer) Alts(_ *sched.Proc, dst []trace.Alt) []trace.Alt { return dst }

// Apply implements sched.Operation.
func (t *Timer) Apply(_ *sched.Proc, ev *trace.Event) {
	due := t.when == t.c.now(t.zone)
	if ev.OK = t.c.account(t); due && !ev.OK && ev.Op.IsSleeper() {
		ev.Seq = trace.Awoke
	}
	if ev.OK && !t.c.press {
		t.c.rest(t)
	}
	t.fire()
}

// Sleeps implements sched.Sleeper.
func (t *Timer) Sleeps() {}

// Durable implements sched.Durable: t is a sleeping process.
func (t *Timer) Durable(*sched.Proc) bool { return true }

// rest tells that all processes wait whose time t's firing moves.
func (c *Clock) rest(t *Timer) {
	if t.zone == 0 {
		c.s.Rest(t.p, nil)
	} else {
		c.s.Rest(t.p, t.p.Bubble)
	}
}
