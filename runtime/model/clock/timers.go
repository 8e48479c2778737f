package clock

import (
	"math"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func (ts *timers) reset() {
	clear(ts.made)
	ts.nows, ts.armed = append(ts.nows[:0], 0), ts.armed[:0]
	ts.timeouts = ts.timeouts[:0]
}

// now returns the time of a zone.
func (ts *timers) now(zone int) int64 {
	if zone < len(ts.nows) {
		return ts.nows[zone]
	}
	return 0
}

// Times returns the time of each zone that has moved. timed reports whether some timer is armed, or
// a process sleeps.
func (ts *timers) Times() (nows []int64, timed bool) { return ts.nows, len(ts.armed) > 0 }

// Find returns the timer at an address, nil if this execution has not made it.
func (ts *timers) Find(at unsafe.Pointer) *Timer { return ts.made[at] }

// waiters lists the processes of armed timers.
func (ts *timers) waiters() (list []int32) {
	for _, t := range ts.armed {
		list = append(list, t.p.ID)
	}
	return list
}

// serves reports whether all timers that may fire are of the prelude, or of processes that were
// started there.
func (ts *timers) serves() bool {
	return !slices.ContainsFunc(ts.armed, func(t *Timer) bool {
		return !t.p.Serves() && !t.skips()
	})
}

// due appends the firings of a zone's timers that need no time to pass.
func (ts *timers) due(zone int, dst []trace.Alt) []trace.Alt {
	for _, t := range ts.armed {
		if t.isDue(zone) {
			dst = append(dst, t.alt())
		}
	}
	return dst
}

func (t *Timer) isDue(zone int) bool { return t.zone == zone && t.when <= t.c.now(zone) }

func (t *Timer) alt() trace.Alt { return alone(t.p) }

func alone(p *sched.Proc) trace.Alt { return trace.Alt{Proc: p.ID, Partner: -1} }

// next appends the firings of a zone that come next.
func (ts *timers) next(zone int, dst []trace.Alt) []trace.Alt {
	before, first := len(dst), int64(math.MaxInt64)
	for _, t := range ts.armed {
		switch {
		case t.zone != zone, t.skips() && t.when > ts.now(zone), t.when > first:
			continue
		case t.when < first:
			dst, first = dst[:before], t.when
		}
		dst = append(dst, t.alt())
	}
	return dst
}

// timerOf returns the armed timer whose firing a is.
func (ts *timers) timerOf(a trace.Alt) *Timer {
	return ts.armed[ts.indexOf(a.Proc)]
}

// indexOf returns where in armed the timer of process id is, or would be.
func (ts *timers) indexOf(id int32) int {
	i, _ := slices.BinarySearchFunc(ts.armed, id,
		func(t *Timer, id int32) int { return int(t.p.ID - id) })
	return i
}
