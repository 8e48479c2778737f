package hook

import (
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
}

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
	if w.Dying() {
		return
	}
	p := w.Enter()
	var ch clock.Channel
	if t.Chan != nil {
		ch = w.chans.Timer(t.Chan, w.clock.Object())
	}
	w.clock.Start(p, &scratch(p).cl, t, ch, d, period)
	p.Leave()
}

func timerStop(at unsafe.Pointer) bool {
	p, t := timer(at)
	ok := t != nil && w.clock.Stop(p, &scratch(p).cl, t)
	p.Leave()
	return ok
}

func timerReset(at unsafe.Pointer, d, period int64) bool {
	p, t := timer(at)
	ok := t != nil && w.clock.Reset(p, &scratch(p).cl, t, d, period)
	p.Leave()
	return ok
}

// timer enters, and returns the current process and the timer that it works on; nil where the work has no effect any
// more.
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
