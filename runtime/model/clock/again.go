package clock

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// Timeouts in loops. In each iteration of such a loop, time.After makes a timer:
//
//	for range n { select { case v := <-c: ...; case <-time.After(time.Second): return } }
//
// Only the select has its channel, so nobody can tell whether that is a new timer, or the last one,
// armed again. In executions in which no timer fires early it is the last one, if that is armed
// still and not due, and arming it is no step. Nothing but a firing that moves the clock depends on
// when a timer is armed, or would be left out. Such a firing comes only where nothing else is
// possible: before or after all that is done at one instant. A timer that is due might have fired
// before its loop goes on.

// Again arms the timer anew that process p has made last in a case of a select in a loop, and
// returns its channel. If there is none, or that is due or fired, made makes one. The loop was
// entered as number loop of all.
func (c *Clock) Again(p *sched.Proc, loop, i int, d int64,
	made func() unsafe.Pointer) unsafe.Pointer {
	of := func(t timeout) bool { return t.proc == p.ID && t.loop == loop && t.at == i }
	k := slices.IndexFunc(c.timeouts, of)
	if k >= 0 && c.timeouts[k].armed && c.timeouts[k].when > c.now(0) {
		t := c.timeouts[k].Timer
		t.turn, t.lead, t.forsaken = c.turnOf(p), c.ahead(p), false
		t.arm(d, 0)
		return t.Chan
	}
	channel := made()
	k = slices.IndexFunc(c.armed, func(t *Timer) bool { return t.Chan == channel })
	if c.Patient() && k >= 0 && c.armed[k].zone == 0 {
		c.timeouts = append(slices.DeleteFunc(c.timeouts, of), timeout{p.ID, loop, i, c.armed[k]})
	}
	return channel
}
