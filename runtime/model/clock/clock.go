// Package clock models time: a virtual clock that stands still while processes run, and moves only
// when a timer fires.
//
// Vocabulary: a firing is the event that moves the clock to the deadline of a timer (or of a
// sleeping process), fills the timer's channel or starts its function. A timer is armed while it
// has a deadline. Each timer is a daemon process, a sleeping process is its own. An early firing
// comes while some process could move. A ticker whose channel is full skips its deadlines until
// somebody receives. A round is a firing after the test function has returned, at a state where
// nothing else is possible. A vigil consists of the firings at such states between two steps of the
// test function, before it returns. A zone has one time: zone 0 is that of most programs, and each
// bubble of package testing/synctest has one of its own. A timer is brief if the bounds Within and
// Turns let it fire early; others fire only when nothing else is possible. A forced move is a
// firing that comes although processes could move, because these have gone on for too long. A pulse
// is a timer of the clock's own, for a process that reads the clock again and again. The prelude
// comes before the first execution: package initialisation, and TestMain.
//
// Guarantees: firings come in the order of their deadlines, those of one deadline in any order; the
// clock never goes back. Processes that only look, again and again, are as good as blocked: time
// passes once each has looked in vain. With early firings allowed, every program sees all times
// that a slow enough machine might show it; without, those that testing/synctest shows. The time of
// a bubble passes only when the bubble is still and nothing else is possible, and takes no time
// outside. Every execution begins with the timers of the prelude.
//
// LIMITS: code takes no time, except for a nanosecond for each reading (leads.go): between two
// firings the clock shows one instant. The chooser decides whether a forced move is due; see
// package pace. At most MaxEarly firings of an execution are early. After the test
// function has returned, time passes only for other processes, for maxRounds rounds, or maxServed,
// or until rounds change nothing (laps.go). Before that, a vigil ends the execution when no timer
// is left that was armed at its beginning, and maxVigil have fired. The timers that still fire,
// tickers and timers that are armed again and again, go on for ever. A vigil between two steps of
// code that is not the border's (package sched) ends after maxPolls: the library only looks again.
// If processes only wait for maxVigil firings and more, the execution has no end, unless one of
// them counts its rounds. Each armed timer has fired several times then.
package clock

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A process that goes on until another one has slept would keep the clock where it is for ever. So
// after some steps at one instant time may pass all the same, and from then on in that execution
// after fewer steps. With Offer, this is a choice, and comes early; without, time has to pass, and
// does so late.
const (
	offered  = 256
	again    = 64
	patience = 50000
	haste    = 1000
)

// maxRounds bounds how long processes may go on that only time moves, once the test function has
// returned.
const maxRounds = 64

// A round may have many steps. After maxAfter steps it is enough if minRounds have been.
const (
	minRounds = 2
	maxAfter  = 20000
)

// maxServed takes the place of maxRounds if only timers of the prelude, and of processes that were
// started there, are left. These go on for ever, and a process that waits beside them waits for
// ever.
const maxServed = 1000

// maxVigil bounds the firings for which the test function may wait for processes that only time
// moves. maxPolls takes its place if only the border's code moves: net/http's Shutdown looks every
// half a second whether the handlers have ended, and depends on nothing else that may change.
const (
	maxVigil = 10_000
	maxPolls = 100
)

// lastRounds is how many firings in vain are looked at to see whether somebody gets on.
const lastRounds = 1000

// Channel is the model of a timer's channel, with room for one value.
type Channel interface {
	Full() bool
	Put()   // a value is put into the channel
	Clear() // the value is taken away
}

// Zones tells of the zones from 1 on.
type Zones interface {
	Zones() int                           // how many there are
	Still(zone int) bool                  // all its processes are durably blocked, if none can move
	Busy(zone int, alts []trace.Alt) bool // one of its processes takes part in an alternative
	Stopped(zone int) bool                // its time has stopped
	Waiter(zone int) *sched.Proc          // who goes on when it is still, or nil
}

// Timer is an armed or stopped timer, or a sleeping process.
type Timer struct {
	gate.Timer
	c       *Clock
	p       *sched.Proc // the daemon, nil until the timer is armed; or the sleeping process
	sleeper bool
	pulse   bool
	armed   bool
	zone    int // by whose time it goes
	when    int64
	period  int64 // of a ticker
	lead    int64 // of the process that has armed it
	turn    int   // how many times its process had armed a timer with this one; a tick counts, too
	wait    int64 // when it was armed, how long it was to wait
	ch      Channel
	place   string      // where it was armed
	noted   bool        // that it could have fired early is noted
	since   int         // the event that armed it
	only    *sched.Proc // it alone can receive, in the select that it has declared
	// nobody can receive any more, and it was to wait for longer than a process is held up
	forsaken bool

	laps      int // a ticker: how many times it has fired, see laps.go
	lapsSince int // and since how many changes
}

// Clock is the clock of one execution, with its timers. All operations on timers are on one object:
// the next firing depends on all timers. Each part of a Clock has methods that need only its own
// data. The other methods are those of Clock, which are many: firings depend on all timers, and on
// the alternatives of all processes.
type Clock struct {
	timers
	earliness
	leads
	laps
	Offer bool // forced moves are choices, told apart by trace.State.Forced
	Naps  naps // Sleeps that take no time

	s      *sched.Sched
	zones  Zones
	id     int32 // of the object, -1 before the first operation
	others bool  // at the present state, something else is possible
	// at the present state, processes only look again, all in vain: time passes at once
	settled bool
	since   int  // events before the clock came to where it is
	press   bool // at the present state, firings are forced moves
	wait    int  // steps at one instant after which they are
	rounds  int
	vigils  vigils
	pulses  pulses
}

// timers has the timers of an execution, and the time of each zone, by which they are due.
type timers struct {
	nows  []int64 // the time of each zone that has moved
	made  map[unsafe.Pointer]*Timer
	armed []*Timer // by the number of their processes
	// those of loops, see again.go
	timeouts []timeout
}

// timeout is the timer that a process arms again and again in a case of a select in a loop.
type timeout struct {
	proc     int32
	loop, at int
	*Timer
}

// earliness bounds the early firings, and notes where a bound has kept a timer from one.
type earliness struct {
	MaxEarly int   // firings of one execution that may be early; fewer than 0: any number; 0: none
	Within   int64 // who waits for longer than this never fires early; 0: anybody may
	// of the timers that one process arms, so many may fire early, the first ones; 0: all
	Turns int
	// an early firing moves the clock by less than this; 0: by any time. The firings before say
	// where it is, so this depends on no order
	Ahead int64

	s     *sched.Sched
	turns []int // by process: how many timers it has armed
	early int   // early firings so far
}

// vigils has the vigils that are under way: each ends with another step.
type vigils struct {
	waits vigil // of the test function
	polls vigil // between two steps of code that is not the border's
	vain  vigil // between two steps by which some process does more than wait
}

// vigil has the firings between two steps, at states where nothing else is possible.
type vigil struct {
	firings int
	from    int   // when it began: the number of the step before it
	due     int64 // the last deadline there was then
}

// New returns the clock of s's executions.
func New(s *sched.Sched, zones Zones) *Clock {
	c := &Clock{s: s, zones: zones, timers: timers{made: map[unsafe.Pointer]*Timer{}},
		earliness: earliness{s: s}, laps: laps{s: s}}
	c.reset()
	s.OnReset(c.reset)
	s.SetClock(c)
	s.Observe(&c.leads)
	return c
}

func (c *Clock) reset() {
	c.timers.reset()
	c.early, c.turns = 0, c.turns[:0]
	c.id, c.rounds, c.vigils = -1, 0, vigils{}
	c.since, c.press, c.wait = 0, false, patience
	if c.Offer {
		c.wait = offered
	}
	c.pulses.reset()
	c.leads.reset()
	c.laps.reset()
	c.Naps.reset()
}

// zoneOf returns the zone that p is in.
func zoneOf(p *sched.Proc) int {
	if p.Bubble == nil {
		return 0
	}
	return p.Bubble.Number
}

// Object returns the number of the clock's object.
func (c *Clock) Object() int32 {
	if c.id < 0 {
		c.id = c.s.NewObject(func() string { return "the clock" })
	}
	return c.id
}

// over reports whether the execution ends, as only the clock could move it on. Timers that are left
// behind do not fire when all processes have ended, unless they might have fired before: early says
// whether one of the next firings might.
func (c *Clock) over(early bool) bool {
	if !c.s.Returned() {
		v, n := &c.vigils, 0
		switch {
		case v.waits.over(&c.timers, c.s.MainMoved(), maxVigil):
			n = maxVigil
		case v.polls.over(&c.timers, c.s.OuterMoved(), maxPolls):
			n = maxPolls
		case v.vain.over(&c.timers, c.s.Changed(), maxVigil):
			return v.vain.firings%lastRounds == 0 && c.s.Endless(c.waiters())
		default:
			return false
		}
		c.cut(fmt.Sprintf("a test that waits is given up after %d firings of timers", n))
		return true
	}
	if c.laps.idle(c.armed) {
		if !c.serves() {
			c.s.Excuse()
		}
		return true
	}
	if c.rounds >= maxRounds || c.rounds >= minRounds && c.s.StepsAfter() >= maxAfter {
		serves := c.serves()
		if !serves {
			c.s.Excuse()
		}
		over := !serves || c.rounds >= maxServed
		if over && !c.s.Alone() {
			c.cut(fmt.Sprintf("%s is followed for %d firings of timers", trace.Afterwards,
				c.rounds))
		}
		return over
	}
	return !early && c.s.Alone()
}

// cut notes that a bound ends the execution, at the places that have armed the timers which still
// go on.
func (c *Clock) cut(what string) {
	for _, t := range c.armed {
		c.s.CutAt(what, t.place)
	}
}

// skips reports whether t is a ticker that has nowhere to put its tick.
func (t *Timer) skips() bool { return t.period > 0 && t.ch != nil && t.ch.Full() }

// arm gives t a deadline.
func (t *Timer) arm(d, period int64) {
	d, period = t.whole(d), t.whole(period)
	t.when, t.period, t.wait, t.since = later(t.c.now(t.zone), max(d, 0)), period, d,
		t.c.s.Steps()-1
	t.c.Naps.arms(t, d)
	t.p.Op = trace.Op{Kind: trace.Fire, Obj: t.c.id, Cap: trace.Timers}
	if t.sleeper && t.c.MaxEarly == 0 {
		t.p.Op.N = trace.Sleeper
	}
	if t.armed {
		return
	}
	t.armed = true
	t.c.armed = slices.Insert(t.c.armed, t.c.indexOf(t.p.ID), t)
}

// later returns the time d after now: the end of all time if it is after that.
func later(now, d int64) int64 {
	if now > math.MaxInt64-d {
		return math.MaxInt64
	}
	return now + d
}

// disarm takes the deadline away.
func (t *Timer) disarm() {
	if !t.armed {
		return
	}
	t.armed = false
	t.c.armed = slices.DeleteFunc(t.c.armed, func(u *Timer) bool { return u == t })
	if !t.sleeper {
		t.p.Op = trace.Op{}
	}
}

// stop disarms t and reports whether it was active. A value that is still in the channel is taken
// back, unless the program is of a language version before that.
func (t *Timer) stop() bool {
	active := t.armed
	if t.armed && t.idles() {
		t.c.holdOne(t)
	}
	t.disarm()
	if t.ch != nil && !t.Keeps && t.ch.Full() {
		active = true
		t.ch.Clear()
		t.native(func() { t.Empty() })
	}
	return active
}

// fire moves the clock to t's deadline and fills t's channel, or starts its function.
func (t *Timer) fire() {
	t.c.Naps.seen(t.c.s, true, func() string { return t.place }) // N2
	t.c.advance(t.zone, t.when)
	t.c.laps.lapped(t)
	if t.pulse {
		return
	}
	if t.period > 0 {
		t.when, t.wait, t.turn, t.since = t.when+t.period, t.period, t.turn+1, t.c.s.Steps()-1
	} else {
		t.disarm()
	}
	switch {
	case t.Func != nil:
		t.c.s.Spawn(t.p, "AfterFunc", t.Func)
	case t.ch != nil && !t.ch.Full():
		t.ch.Put()
		now := t.c.tick(t)
		t.native(func() { t.Send(now) })
	}
}

// native does an operation on the program's own channel, which the race detector sees as t's.
func (t *Timer) native(f func()) {
	before := gate.RaceContext()
	t.p.Leave()
	f()
	gate.SetRaceContext(before)
}
