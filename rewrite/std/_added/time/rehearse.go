// The overlay adds this to package time: the virtual clock, and timers on it.
package time

import (
	"rehearse/runtime/gate"
	"unsafe"
)

// When virtual clocks start, in seconds since 1970. Tests hold the time against dates in the past,
// certificates and files, and expect no midnight: the clock of an execution starts on an afternoon
// of the year of Go 1.26, 2026-03-11 14:25:36 UTC, and a fraction of a second, as a real clock has
// one. That of a bubble starts as in testing/synctest, at midnight UTC of 2000-01-01.
const (
	rehearseEpoch    = 1773239136
	rehearseFraction = 123456789 // in nanoseconds
	rehearseBubble   = 946684800
)

// rehearseAsync reports whether the program wants the timer channels of before Go 1.23: a value
// that has been sent stays in the channel when the timer is stopped.
var rehearseAsync = asynctimerchan.Value() == "1"

func rehearseNow() Time { return rehearseTime(gate.ClockNow(), gate.InBubble()) }

// rehearseTime returns an instant of the virtual clock, with its monotonic reading, which there is
// none of in a bubble of testing/synctest.
func rehearseTime(ns int64, bubble bool) Time {
	if bubble {
		return unixTime(rehearseBubble+ns/1e9, int32(ns%1e9))
	}
	wall := ns + rehearseFraction
	sec := uint64(rehearseEpoch + wall/1e9 + unixToInternal - minWall)
	return Time{hasMonotonic | sec<<nsecShift | uint64(wall%1e9), ns + 1, Local}
}

// Before the first execution, in package initialisation and TestMain, the clock is that of
// executions, too, a millisecond before their beginning: what is read there is the same in each
// process, and time has passed when a test reads it again. It stands but for a nanosecond for each
// reading, and goes on in real time when somebody waits there.
const rehearsePrelude = int64(Millisecond)

// rehearseMost is how often who only waits reads the clock.
const rehearseMost = 1000

var (
	rehearseReadings int64 // of the clock before the first execution
	rehearseWaiting  int64 // when somebody began to wait there, by the real clock; 0: nobody has
)

// rehearsePrepares reports whether the caller prepares the executions.
//
//go:norace
func rehearsePrepares() bool { return gate.Preparing && !gate.Here() }

// rehearseWait makes the clock before the first execution go on in real time.
//
//go:norace
func rehearseWait() {
	if gate.Preparing && rehearseWaiting == 0 {
		rehearseWaiting = runtimeNano()
	}
}

// rehearseBefore returns the time before the first execution.
//
//go:norace
func rehearseBefore() Time {
	if rehearseReadings++; rehearseReadings == rehearseMost {
		rehearseWait()
	}
	ns := rehearseReadings - rehearsePrelude
	if rehearseWaiting != 0 {
		ns += runtimeNano() - rehearseWaiting
	}
	past := ns + rehearseFraction + int64(Second) // since a second before the epoch: not negative
	sec := uint64(rehearseEpoch - 1 + past/1e9 + unixToInternal - minWall)
	return Time{hasMonotonic | sec<<nsecShift | uint64(past%1e9), ns, Local}
}

func rehearseNewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	t := &Timer{C: c, initTimer: true, rehearse: true}
	rehearseStart(unsafe.Pointer(t), c, d, 0)
	return t
}

func rehearseNewTicker(d Duration) *Ticker {
	c := make(chan Time, 1)
	t := &Ticker{C: c, initTicker: true, rehearse: true}
	rehearseStart(unsafe.Pointer(t), c, d, d)
	return t
}

func rehearseAfterFunc(d Duration, f func()) *Timer {
	t := &Timer{initTimer: true, rehearse: true}
	gate.TimerStart(&gate.Timer{At: unsafe.Pointer(t), Func: f}, int64(d), 0)
	return t
}

// rehearseStart arms a timer that fills channel c. The model keeps track of how full that is.
func rehearseStart(at unsafe.Pointer, c chan Time, d, period Duration) {
	bubble := gate.InBubble()
	gate.TimerStart(&gate.Timer{
		At:    at,
		Chan:  *(*unsafe.Pointer)(unsafe.Pointer(&c)),
		Send:  func(now int64) { rehearseSend(c, now, bubble) },
		Empty: func() bool { return rehearseEmpty(c) },
		Keeps: rehearseAsync,
	}, int64(d), int64(period))
}

// rehearseSend puts the time into a timer's channel: the real one before the first execution.
func rehearseSend(c chan Time, ns int64, bubble bool) {
	now := rehearseTime(ns, bubble)
	if gate.Preparing {
		rehearseWait()
		now = Now()
	}
	select {
	case c <- now:
	default:
	}
}

func rehearseEmpty(c chan Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// rehearsePause is Sleep for who is no controlled process.
func rehearsePause(d Duration) {
	gate.Await()
	rehearseWait()
	if gate.Preparing && gate.Early != nil && gate.Early() {
		gate.Pause(int64(d), func() { rehearseSleep(d) })
		return
	}
	rehearseSleep(d)
}
