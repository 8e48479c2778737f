package clock

import (
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
)

// A Prelude is the clock before the first execution, while packages are initialised and TestMain
// prepares the tests, with the timers that are made then. Every execution begins with these timers
// in their state at the end of the prelude: armed with the rest of their time, or stopped, and with
// the values in their channels.
//
// Code takes no time here, either: the prelude's time moves when a goroutine has slept, and when a
// timer fires. Timers fire only once the prelude is paced, because a goroutine waits, perhaps for a
// timer. From then on each timer fires when its time has passed on the real clock, too. A goroutine
// that sleeps goes on before later timers fire, however long the real sleep takes. So the rest of a
// timer's time is a round number, and the same in every process.
//
// Ordinary goroutines use a Prelude.
type Prelude struct {
	Launch func(f func(), site string) // runs the function of a timer, which was made at site

	mu     sync.Mutex
	now    int64    // ns since the start of the program, as far as anybody has waited
	timers []*early // in the order in which they were made
	asleep []int64  // when those who sleep go on
	paced  bool     // timers fire
	over   bool     // nothing fires any more, and nothing changes
}

// early is a timer of the prelude.
type early struct {
	gate.Timer
	site   string // where it was made
	armed  bool
	when   int64 // it fires, by the prelude's time
	period int64
	real   *time.Timer // runs until it may fire, if the prelude is paced
	// its time has passed on the real clock, but a goroutine still sleeps that goes on before it
	held bool
	full bool // there is a value in its channel, at the end of the prelude
}

// unseen is how long a prelude that has timers may take until it is paced in any case: a goroutine
// may wait unnoticed, in code that is not rewritten.
const unseen = time.Second

// Start arms a timer that has just been made.
func (p *Prelude) Start(made *gate.Timer, site string, d, period int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	if len(p.timers) == 0 {
		time.AfterFunc(unseen, p.Pace)
	}
	t := &early{Timer: *made, site: site}
	p.timers = append(p.timers, t)
	p.arm(t, d, period)
}

// Stop disarms the timer at an address and reports whether it was active.
func (p *Prelude) Stop(at unsafe.Pointer) (active bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(at)
	return t != nil && t.stop()
}

// Reset arms the timer at an address anew and reports whether it was active.
func (p *Prelude) Reset(at unsafe.Pointer, d, period int64) (active bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(at)
	if t == nil {
		return false
	}
	active = t.stop()
	p.arm(t, d, period)
	return active
}

// Sleep lets the caller sleep, which real does.
func (p *Prelude) Sleep(d int64, real func()) {
	p.mu.Lock()
	until := later(p.now, max(d, 0))
	p.asleep = append(p.asleep, until)
	p.mu.Unlock()
	real()
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.asleep, until)
	p.asleep = slices.Delete(p.asleep, i, i+1)
	if !p.over {
		p.now = max(p.now, until)
		p.wake()
	}
}

// wake lets the timers go on that had to wait for a sleeping goroutine, with the rest of their
// time.
func (p *Prelude) wake() {
	for _, t := range p.timers {
		if t.held {
			t.held = false
			p.run(t, time.Now().Add(time.Duration(t.when-p.now)))
		}
	}
}

// Pace lets timers fire from now on.
func (p *Prelude) Pace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paced || p.over {
		return
	}
	p.paced = true
	for _, t := range p.timers {
		if t.armed {
			p.run(t, time.Now().Add(time.Duration(t.when-p.now)))
		}
	}
}

// End ends the prelude. Timers whose time has come fire, except those with functions: functions
// that have not begun are kept back, as go statements are.
func (p *Prelude) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over = true
	for _, t := range p.timers {
		t.halt()
		t.catchUp(p.now)
		t.full = t.Func == nil && t.Empty()
	}
}

// find returns the timer at an address; nil if there is none, or if it is too late.
func (p *Prelude) find(at unsafe.Pointer) *early {
	i := slices.IndexFunc(p.timers, func(t *early) bool { return t.At == at })
	if i < 0 || p.over {
		return nil
	}
	return p.timers[i]
}

func (p *Prelude) arm(t *early, d, period int64) {
	d = max(d, 0)
	t.armed, t.when, t.period = true, later(p.now, d), period
	if p.paced {
		p.run(t, time.Now().Add(time.Duration(d)))
	}
}

// run lets t fire at a real time.
func (p *Prelude) run(t *early, due time.Time) {
	var real *time.Timer
	real = time.AfterFunc(time.Until(due), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case t.real != real:
		case slices.ContainsFunc(p.asleep, func(until int64) bool { return until < t.when }):
			t.held = true
		default:
			p.fire(t, due)
		}
	})
	t.real = real
}

// fire fires t, which was due at a real time that has passed.
func (p *Prelude) fire(t *early, due time.Time) {
	p.now = max(p.now, t.when)
	if t.fire(); t.armed {
		p.run(t, due.Add(time.Duration(t.period)))
	}
	if t.Func != nil {
		p.Launch(t.Func, t.site)
	}
}

// fire moves t's deadline on, or takes it away, and fills its channel.
func (t *early) fire() {
	t.armed = t.period > 0
	t.when += t.period
	if t.Func == nil {
		t.Send(0)
	}
}

// catchUp fires t if that is due, however often.
func (t *early) catchUp(now int64) {
	if !t.armed || t.when > now || t.Func != nil {
		return
	}
	if t.fire(); t.armed && t.when <= now {
		t.when += ((now-t.when)/t.period + 1) * t.period
	}
}

// stop disarms t and reports whether it was active, as Timer.stop does.
func (t *early) stop() (active bool) {
	active = t.armed
	t.armed = false
	t.halt()
	if t.Func == nil && !t.Keeps && t.Empty() {
		active = true
	}
	return active
}

// halt stops the real timer of t.
func (t *early) halt() {
	t.held = false
	if t.real != nil {
		t.real.Stop()
		t.real = nil
	}
}

// Begin gives the execution that begins, with process first, the timers of a prelude that has
// ended. model makes the model of a timer's channel, with its value.
func (p *Prelude) Begin(c *Clock, first *sched.Proc, model func(t *gate.Timer) Channel) {
	for _, e := range p.timers {
		t := &Timer{Timer: e.Timer, c: c, place: e.site}
		t.p = c.s.ServiceDaemon(first, "timer", e.site, t)
		c.made[t.At] = t
		if t.Chan != nil {
			t.native(func() { e.refill() })
			t.ch = model(&t.Timer)
		}
		if c.Object(); e.armed {
			t.arm(e.when-p.now, e.period)
		}
	}
}

// refill gives t's channel the content that it had at the end of the prelude.
func (t *early) refill() {
	if t.Empty(); t.full {
		t.Send(0)
	}
}
