package library

import (
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.ClockNow = Now
	gate.ClockSleep = sleep
	gate.TimerStart = timerStart
	gate.TimerStop = timerStop
	gate.TimerReset = timerReset
	gate.Early = early
	gate.Pause = Prelude.Sleep
}

// Prelude has the timers that were made before the first execution.
var Prelude = &clock.Prelude{Launch: LaunchTimer}

// Now is the virtual time that the calling process sees, in nanoseconds.
func Now() int64 {
	p := world.W.Enter()
	ns := world.W.Clock.Now(p, &world.Scratch(p).Clock)
	p.Leave()
	return ns
}

// sleep is time.Sleep. One that takes no time only lets others go first.
func sleep(d int64) {
	if d <= 0 || world.W.Clock.Nap(world.W.Current(), d) {
		world.Yield()
		return
	}
	p := world.W.Enter()
	world.W.Clock.Sleep(p, &world.Scratch(p).Clock, d)
	p.Leave()
}

func timerStart(t *gate.Timer, d, period int64) {
	p := world.W.Enter()
	switch {
	case p == nil:
		Prelude.Start(t, sched.Site(), d, period)
		return
	case world.W.Dying():
		p.Leave()
		return
	}
	var ch clock.Channel
	if t.Chan != nil {
		ch = world.W.Chans.Timer(t.Chan, world.W.Clock.Object(), !t.Keeps)
	}
	world.W.Clock.Start(p, &world.Scratch(p).Clock, t, ch, d, period)
	timed(p, d)
	p.Leave()
}

// timed notes that p has set a timer.
func timed(p *sched.Proc, d int64) {
	if d <= gate.NewConn && p.Op.Side == trace.Outer {
		shared.timed = true
		disclose()
	}
}

func timerStop(at unsafe.Pointer) bool {
	p, t := timer(at)
	if p == nil {
		return Prelude.Stop(at)
	}
	ok := t != nil && world.W.Clock.Stop(p, &world.Scratch(p).Clock, t)
	p.Leave()
	return ok
}

func timerReset(at unsafe.Pointer, d, period int64) bool {
	p, t := timer(at)
	if p == nil {
		return Prelude.Reset(at, d, period)
	}
	ok := t != nil && world.W.Clock.Reset(p, &world.Scratch(p).Clock, t, d, period)
	timed(p, d)
	p.Leave()
	return ok
}

// timer enters, and returns the current process and the timer that it works on; nil where the work
// has no effect any more.
func timer(at unsafe.Pointer) (*sched.Proc, *clock.Timer) {
	p := world.W.Enter()
	if p == nil || world.W.Dying() {
		return p, nil
	}
	t := world.W.Clock.Find(at)
	if t == nil {
		world.W.Uncontrolled(p,
			"a timer of an earlier execution is used: it comes through a package-level variable")
	}
	return p, t
}

// early reports whether the caller of package time is the program itself, rather than the standard
// library or the runtime that controls the program.
func early() bool {
	const most = 16
	pcs := make([]uintptr, most)
	frames := runtime.CallersFrames(pcs[:gate.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "time.") ||
			strings.HasSuffix(f.File, "_test.go") {
			return !world.LibraryFile(f.File) && !strings.HasPrefix(f.Function, "rehearse/")
		}
	}
}
