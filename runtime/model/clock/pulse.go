package clock

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A process may read the clock again and again until enough time has passed. Code takes no time
// here, so nothing else would move the clock. Such a process gets a timer, its pulse, which does
// nothing but move the clock, and which fires as a forced move only.

// readings is the number of times that a process reads the clock at one instant until it has a
// pulse.
const readings = 32

// A pulse moves the clock by leastPulse, and each further one by twice as much, up to mostPulse: a
// process that waits for a time goes on soon after it. Each time that there have been manyPulses
// without another firing, mostPulse is eight times as much.
const (
	leastPulse = 1_000
	mostPulse  = 10_000_000
	manyPulses = 64
)

// pulses has the pulses of one execution.
type pulses struct {
	readers map[*sched.Proc]*reader
	active  []*Timer // in the order of their processes
	step    int64    // by how much the next one moves the clock
	most    int64    // how much that can become
	count   int      // of those that have fired since another timer has
}

// reader has the readings of a process that reads the clock.
type reader struct {
	since int // the instant
	count int // readings at that instant
	pulse *Timer
}

func (u *pulses) reset() {
	clear(u.readers)
	u.active, u.step, u.most, u.count = u.active[:0], leastPulse, mostPulse, 0
}

func (u *pulses) some() bool { return len(u.active) > 0 }

// stop disarms all pulses, as the clock moves.
func (u *pulses) stop() {
	for _, t := range u.active {
		t.p.Op = trace.Op{}
	}
	u.active = u.active[:0]
}

// fired notes that t has fired as a forced move.
func (u *pulses) fired(t *Timer) {
	if !t.pulse {
		u.step, u.most, u.count = leastPulse, mostPulse, 0
		return
	}
	u.count++
	if u.count%manyPulses == 0 {
		u.most *= 8
	}
	u.step = min(2*u.step, u.most)
}

// read notes that p has read the clock.
func (c *Clock) read(p *sched.Proc) {
	if zoneOf(p) > 0 {
		return // the time of a bubble stands still while it moves
	}
	u := &c.pulses
	r := u.readers[p]
	if r == nil {
		if u.readers == nil {
			u.readers = map[*sched.Proc]*reader{}
		}
		r = &reader{}
		u.readers[p] = r
	}
	if r.since != c.since {
		r.since, r.count = c.since, 0
	}
	if r.count++; r.count == readings {
		c.startPulse(p, r)
	}
}

// place takes down where p, which goes on, has read the clock, if it has a new pulse.
func (u *pulses) place(p *sched.Proc) {
	if r := u.readers[p]; r != nil && r.pulse != nil && r.pulse.place == "" {
		r.pulse.place = r.pulse.c.s.Here()
	}
}

func (c *Clock) startPulse(p *sched.Proc, r *reader) {
	if r.pulse == nil {
		r.pulse = &Timer{c: c, pulse: true}
		r.pulse.p = c.s.Daemon(p, "the clock", r.pulse)
	}
	r.pulse.p.Op = trace.Op{Kind: trace.Fire, Obj: c.Object(), Cap: trace.Timers}
	u := &c.pulses
	i, _ := slices.BinarySearchFunc(u.active, r.pulse.p.ID,
		func(t *Timer, id int32) int { return int(t.p.ID - id) })
	u.active = slices.Insert(u.active, i, r.pulse)
}

// orPulse replaces the firings that dst has from number before on by a pulse, if that comes
// earlier.
func (c *Clock) orPulse(dst []trace.Alt, before int) []trace.Alt {
	if !c.pulses.some() {
		return dst
	}
	t := c.pulses.active[0]
	t.when = later(c.now(0), c.pulses.step)
	for _, u := range c.armed {
		if u.zone == 0 && u.when <= t.when && !u.skips() {
			return dst
		}
	}
	return append(dst[:before], t.alt())
}
