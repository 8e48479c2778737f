package hook

import (
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/sched"
)

func init() {
	gate.ClockNow = now
	gate.ClockSleep = sleep
	gate.TimerStart = timerStart
	gate.TimerStop = timerStop
	gate.TimerReset = timerReset
	gate.Early = early
	gate.Pause = prelude.Sleep
}

// prelude has the timers that were made before the first execution.
var prelude = &clock.Prelude{Launch: launchTimer}

func now() int64 {
	p := w.Enter()
	ns := w.clock.Now(p, &scratch(p).cl)
	p.Leave()
	return ns
}

// sleep is time.Sleep. One that takes no time only lets others go first.
func sleep(d int64) {
	if d <= 0 {
		Gosched()
		return
	}
	p := w.Enter()
	w.clock.Sleep(p, &scratch(p).cl, d)
	p.Leave()
}

func timerStart(t *gate.Timer, d, period int64) {
	p := w.Enter()
	switch {
	case p == nil:
		prelude.Start(t, sched.Site(), d, period)
		return
	case w.Dying():
		p.Leave()
		return
	}
	var ch clock.Channel
	if t.Chan != nil {
		ch = w.chans.Timer(t.Chan, w.clock.Object())
	}
	w.clock.Start(p, &scratch(p).cl, t, ch, d, period)
	p.Leave()
}

func timerStop(at unsafe.Pointer) bool {
	p, t := timer(at)
	if p == nil {
		return prelude.Stop(at)
	}
	ok := t != nil && w.clock.Stop(p, &scratch(p).cl, t)
	p.Leave()
	return ok
}

func timerReset(at unsafe.Pointer, d, period int64) bool {
	p, t := timer(at)
	if p == nil {
		return prelude.Reset(at, d, period)
	}
	ok := t != nil && w.clock.Reset(p, &scratch(p).cl, t, d, period)
	p.Leave()
	return ok
}

// timer enters, and returns the current process and the timer that it works on; nil where the work
// has no effect any more.
func timer(at unsafe.Pointer) (*sched.Proc, *clock.Timer) {
	p := w.Enter()
	if p == nil || w.Dying() {
		return p, nil
	}
	t := w.clock.Find(at)
	if t == nil {
		w.Uncontrolled(p, "a timer of an earlier execution is used: it comes through a package-level variable")
	}
	return p, t
}

// early reports whether the caller of package time is the program, and not a part of the standard
// library, or of the runtime that controls it.
func early() bool {
	const most = 16
	pcs := make([]uintptr, most)
	frames := runtime.CallersFrames(pcs[:gate.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "time.") || strings.HasSuffix(f.File, "_test.go") {
			return !libraryFile(f.File) && !strings.HasPrefix(f.Function, "rehearse/")
		}
	}
}
