package clock

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Fires implements sched.Clock. Timers that are due fire at any time. If nothing else is possible,
// time goes on in the bubbles that are still; if there are none, it goes on outside. So it does if
// all that can move go round loops that only look. If no timer can fire then, nothing changes any
// more: the execution ends (trace.Vain).
func (c *Clock) Fires(dst []trace.Alt) []trace.Alt {
	c.press = false
	c.s.Timed(c.now(0), 0, 0, false)
	moves, stuck := len(dst), false
	dst = c.due(0, dst)
	due := len(dst) > moves
	for zone := 1; zone <= c.zones.Zones(); zone++ {
		dst = c.due(zone, dst)
	}
	inVain := c.s.InVain(dst, c.s.Done(), trace.StillRound)
	if c.zones.Zones() > 0 {
		c.Naps.seen(c.s, true, func() string { return "" }) // N4
		dst, stuck, inVain = c.inBubbles(dst, moves, inVain)
	}
	nobodys := c.forsaken(dst)
	ends := inVain || c.zones.Zones() == 0 && nobodys &&
		c.s.InVain(dst, c.s.Done(), trace.TallyRound)
	if ends && !c.pulses.some() && (nobodys || len(c.next(0, nil)) == 0) {
		c.s.Stop(trace.Vain)
		return dst
	}
	c.settled = inVain && len(c.armed) > 0 && !c.s.Returned()
	c.others = len(dst) > 0 && !c.settled
	if c.others && len(c.armed) > 0 && awaitsFaults(c.s, dst) {
		c.s.FixAt(trace.EarlyFaults, "")
	}
	if due || stuck || len(c.armed) == 0 && !c.pulses.some() {
		return dst
	}
	return c.outside(dst)
}

// awaitsFaults reports whether all moves are of processes outside of the program, which choose
// whether something goes wrong. They keep the time from passing, as processes of the program do.
func awaitsFaults(s *sched.Sched, moves []trace.Alt) bool {
	return !slices.ContainsFunc(moves, func(a trace.Alt) bool {
		p := s.All()[a.Proc]
		return !p.Serves() || p.Op.Kind != trace.Fault
	})
}

// inBubbles appends the alternatives of bubbles; dst begins with the moves of processes, and the
// firings that are due are behind them. If these are all in vain, the alternatives of bubbles take
// their place. stuck is as for bubbles.
func (c *Clock) inBubbles(dst []trace.Alt, moves int, inVain bool) (
	_ []trace.Alt, stuck, stillInVain bool,
) {
	if len(dst) > 0 && !inVain {
		c.noteStill(dst[:moves])
		return dst, false, false
	}
	all, stuck := c.bubbles(dst)
	if len(all) == len(dst) && !stuck {
		return dst, false, inVain
	}
	return append(all[:0], all[len(dst):]...), stuck, false
}

// bubbles appends the next alternatives of bubbles that are still, behind moves that are in vain: a
// process in synctest.Wait goes on, or else time passes. stuck says that in one bubble neither is
// possible; then Go ends the program, and nothing else may happen.
func (c *Clock) bubbles(moves []trace.Alt) (dst []trace.Alt, stuck bool) {
	dst = moves
	for zone := 1; zone <= c.zones.Zones(); zone++ {
		if c.zones.Busy(zone, moves) || !c.zones.Still(zone) {
			continue
		}
		before := len(dst)
		if p := c.zones.Waiter(zone); p != nil {
			dst = append(dst, alone(p))
		} else if !c.zones.Stopped(zone) {
			dst = c.wakeFirst(c.next(zone, dst), before)
		}
		stuck = stuck || len(dst) == before
	}
	return dst, stuck && len(dst) == len(moves)
}

// noteStill notes that a bubble is still and could go on, if the given moves of others did not come
// first.
func (c *Clock) noteStill(moves []trace.Alt) {
	for zone := 1; zone <= c.zones.Zones() && len(moves) > 0; zone++ {
		if !c.zones.Busy(zone, moves) && c.zones.Still(zone) &&
			(c.zones.Waiter(zone) != nil || len(c.next(zone, nil)) > 0) {
			if c.Within > 0 {
				c.s.FixAt(trace.IdleTimers, "")
			} else {
				c.hold(c.armed)
			}
			return
		}
	}
}

// outside appends the next firings of zone 0, if its time may pass. Forced moves come beside the
// other alternatives or, without Offer, instead of them.
func (c *Clock) outside(dst []trace.Alt) []trace.Alt {
	before := len(dst)
	dst = c.next(0, dst)
	switch {
	case len(dst) > before && c.mayMove(dst[before:]):
		next := c.timerOf(dst[before]).when
		dst = c.possible(dst, before)
		if !c.others {
			dst = c.wakeFirst(dst, before)
		}
		c.s.Timed(c.now(0), next, len(dst)-before, c.s.Returned() && c.s.Alone())
		if c.settled {
			return append(dst[:0], dst[before:]...)
		}
		return dst
	case !c.goesOn():
		return dst[:before]
	}
	dst = c.orPulse(dst, before)
	switch c.press = len(dst) > before; {
	case !c.press:
		return dst
	case c.Offer:
		c.s.Offer(len(dst)-before, c.since)
		return dst
	}
	return append(dst[:0], dst[before:]...)
}

// wakeFirst leaves one sleeping process of dst[before:], the firings of one deadline, if there is
// one: the other sleepers, and timers, may fire right after it, before it goes on. So all that is
// possible if another one comes first is possible still, as nobody sees that a process has woken up
// until it moves. A timer may not come first in this way: its channel is full, and Stop returns
// false.
//
//	a: time.Sleep(1); f()  b: time.Sleep(1); g()    both wake up, and then f and g come in any order
func (c *Clock) wakeFirst(dst []trace.Alt, before int) []trace.Alt {
	if c.MaxEarly != 0 {
		return dst
	}
	i := slices.IndexFunc(dst[before:], func(a trace.Alt) bool { return c.timerOf(a).sleeper })
	if i < 0 {
		return dst
	}
	dst[before] = dst[before+i]
	return dst[:before+1]
}

// goesOn reports whether time may pass because processes have gone on for too long.
func (c *Clock) goesOn() bool {
	switch {
	case !c.others || c.s.Steps()-c.since < c.wait:
		return false
	case c.s.Returned():
		return c.Offer && c.rounds < maxRounds
	}
	return true
}

// mayMove reports whether the clock of zone 0 may move on in the present state, by one of the given
// firings.
func (c *Clock) mayMove(firings []trace.Alt) bool {
	brief := slices.ContainsFunc(firings, func(a trace.Alt) bool { return c.brief(c.timerOf(a)) })
	switch {
	case !c.others:
		return !c.over(brief && c.MaxEarly != 0)
	case !brief:
		for _, a := range firings {
			c.held(c.timerOf(a))
		}
		return false
	case c.MaxEarly < 0 || c.early < c.MaxEarly:
		return true
	}
	c.hold(c.armed)
	return false
}

// possible leaves out of dst[before:], the next firings, those of timers that are not brief, unless
// the clock has to move.
func (c *Clock) possible(dst []trace.Alt, before int) []trace.Alt {
	if !c.others && !(c.s.Returned() && c.s.Alone()) {
		return dst
	}
	kept := slices.DeleteFunc(dst[before:], func(a trace.Alt) bool {
		return !c.brief(c.timerOf(a))
	})
	return dst[:before+len(kept)]
}

// advance moves the clock of a zone. Tickers that have nowhere to put a tick skip their ticks in
// the past.
func (c *Clock) advance(zone int, to int64) {
	for len(c.nows) <= zone {
		c.nows = append(c.nows, 0)
	}
	c.nows[zone] = to
	if zone == 0 {
		c.since = c.s.Steps()
		c.pulses.stop()
	}
	for _, t := range c.armed {
		if t.zone == zone && t.when < to && t.skips() {
			t.when += (to - t.when + t.period - 1) / t.period * t.period
		}
	}
}

// account counts the firing of t and reports whether it is a barrier, which cannot come before
// anything that was possible.
func (c *Clock) account(t *Timer) (barrier bool) {
	switch {
	case t.when == c.now(t.zone):
		return false
	case t.zone > 0:
		return true
	case c.press:
		c.force(t)
		return true
	case c.others:
		c.early++
		return false
	}
	if c.s.Returned() {
		c.rounds++
	} else {
		c.vigils.watch(c)
	}
	c.noteIdle(t)
	return c.MaxEarly == 0 || !c.brief(t)
}

// noteIdle is called when t fires because nothing else is possible. If an event came between the
// arming of t and its firing, t could have fired before that event. Otherwise the trace must tell:
// see trace.Execution.Armed.
func (c *Clock) noteIdle(t *Timer) {
	switch now := c.s.Steps() - 1; {
	case !t.idles():
	case now > t.since+1:
		c.holdOne(t)
	case t.since >= 0:
		c.s.Armed(t.since)
	}
}

// force counts a forced move. It is an early firing.
func (c *Clock) force(t *Timer) {
	c.wait = haste
	if c.Offer {
		c.wait = again
	}
	c.early++
	if c.s.Returned() {
		c.rounds++
	}
	c.pulses.fired(t)
	c.s.CutAt(trace.ForcedMoves, t.place)
	c.s.Press()
}
