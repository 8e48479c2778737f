// Package watch ends explorations: when the user interrupts them, when the budget of time or memory
// is used up, and when a step of an execution does not end.
//
// A Watch asks the explorer to stop between two operations of the program. If no operation comes, a
// Pulse gives up the process that is at its step, and the explorer reports without it. If there is
// no Pulse to do so, the Watch ends the binary. A Pulse also gives up a process that takes too long
// for a step. A Guard leaves the goroutine of such a process behind and goes on in a new world, as
// long as that can be done.
package watch

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Watch ends the exploration when the user interrupts it or the budget is spent, also in the middle
// of an execution.
type Watch struct {
	reason  atomic.Pointer[string] // why to stop; nil: go on
	heard   atomic.Bool            // the explorer has seen that it must stop
	running atomic.Bool            // an execution is under way
	// when also what shows a finding must end; nil: nobody wants it to end
	latest  atomic.Pointer[time.Time]
	chooser trace.Chooser // of the execution under way
	// runs the executions, if they are processes of their own
	kill    atomic.Pointer[isolate.Executor]
	places  *depict.Places
	stderr  io.Writer
	signals chan os.Signal
	budget  *time.Timer
	memory  *time.Ticker           // looks at what the process uses; nil: nobody does
	looks   int                    // at the memory, since there was enough
	full    atomic.Pointer[string] // why the test must end; nil: there is memory
	spilled int                    // looks, since a step was given up that took too much; 0: none
	left    int                    // goroutines that were left behind; see Guard
	busy    bool                   // one of them computes, or has gone on
	pulse   atomic.Pointer[Pulse]  // of the test under way; nil: nobody feels one
}

// Interrupted is why to stop when the user wants that.
const Interrupted = "interrupted"

const (
	twice = 300 * time.Millisecond // two interrupts within this time are one: wrappers pass them on
	// from the wish to stop to the end of an execution that is a process of its own
	ample = 200 * time.Millisecond
	// from an interrupt to the end of the execution that shows a finding
	rest = 500 * time.Millisecond
	// from the end of the budget to the end of the execution that shows a finding
	shown = time.Second
	// from the wish to stop to the end of the step under way, if the explorer does not hear it
	grace = time.Second
	busy  = 20 * time.Second // likewise, on a machine that lets the explorer not run
)

// New begins to watch. budget 0 is none; it ends at deadline.
func New(places *depict.Places, stderr io.Writer, budget time.Duration,
	deadline time.Time) *Watch {
	w := &Watch{places: places, stderr: stderr, signals: make(chan os.Signal, 2)}
	signal.Notify(w.signals, os.Interrupt, syscall.SIGTERM)
	go w.listen()
	if budget > 0 {
		w.budget = time.AfterFunc(time.Until(deadline), func() {
			latest := time.Now().Add(shown)
			w.latest.CompareAndSwap(nil, &latest)
			w.stop(fmt.Sprintf("the budget of %v is spent", budget))
		})
	}
	return w
}

// Idle returns a watch that ends nothing: others decide.
func Idle(places *depict.Places) *Watch { return &Watch{places: places} }

// End stops watching.
func (w *Watch) End() {
	signal.Stop(w.signals)
	close(w.signals)
	if w.budget != nil {
		w.budget.Stop()
	}
	if w.memory != nil {
		w.memory.Stop()
	}
}

// listen waits for interrupts: the first asks the explorer to stop, the second ends the binary.
func (w *Watch) listen() {
	if _, ok := <-w.signals; !ok {
		return
	}
	first := time.Now()
	latest := first.Add(rest)
	w.latest.Store(&latest)
	go w.stop(Interrupted)
	for range w.signals {
		if time.Since(first) > twice {
			os.Exit(process.Failure)
		}
	}
}

// stop asks the explorer to stop, and ends the binary if it cannot hear.
func (w *Watch) stop(reason string) {
	w.reason.CompareAndSwap(nil, &reason)
	if e := w.kill.Load(); e != nil {
		time.Sleep(ample)
		if w.deaf() {
			e.Kill()
		}
	}
	w.wait()
	if !w.deaf() {
		return
	}
	fmt.Fprintf(w.stderr, "rehearse: %s, but a step of the execution does not end%s\n", reason,
		stuckAt(w.places))
	if p := w.pulse.Load(); p == nil || !p.leave() {
		os.Exit(process.Failure)
	}
	w.running.Store(false)
}

// wait gives the explorer time to hear. Until it has had half of its grace on a processor, its step
// cannot be called endless.
func (w *Watch) wait() {
	wished, used := time.Now(), process.ProcessorTime()
	time.Sleep(grace)
	for w.deaf() && time.Since(wished) < busy && starved(used, grace/2) {
		time.Sleep(grace / 10)
	}
}

// starved reports whether a process has something to do, and has had less than needs of processor
// time since it had used the given time. A process whose processor time is unknown does not count
// as starved.
func starved(used, needs time.Duration) bool {
	return used > 0 && process.ProcessorTime()-used < needs && computing()
}

// computing reports whether a process that has control does not wait for anything.
func computing() bool {
	return slices.ContainsFunc(stacks(), func(g string) bool {
		return controlled(g) && !parked(g) && moves(stateOf(g))
	})
}

// deaf reports whether an execution is under way that has not seen that it must stop.
func (w *Watch) deaf() bool { return w.running.Load() && !w.heard.Load() }

// Stopped reports whether the explorer must stop.
func (w *Watch) Stopped() bool { return w.reason.Load() != nil }

// Hurried reports whether the user has interrupted the work, or the budget was spent, some time
// ago: then nothing goes on. Until then, the findings are shown.
func (w *Watch) Hurried() bool {
	end, ok := w.Ending()
	return ok && time.Now().After(end)
}

// Ending is when all work has to end that shows what was found; ok is false as long as nobody has
// asked for an end.
func (w *Watch) Ending() (at time.Time, ok bool) {
	if latest := w.latest.Load(); latest != nil {
		return *latest, true
	}
	return at, false
}

// Interrupted reports whether it was the user who has asked for an end.
func (w *Watch) Interrupted() bool {
	reason := w.reason.Load()
	return reason != nil && *reason == Interrupted
}

// Crowded reports whether so many goroutines were left behind that the binary should end.
func (w *Watch) Crowded() bool { return w.left >= maxLeft }

// Spoilt reports whether no other test should begin in this process: goroutines that were left
// behind are too many, or one of them may disturb it.
func (w *Watch) Spoilt() bool { return w.busy || w.Crowded() }

// Kills lets the watch kill the processes in which e runs executions.
func (w *Watch) Kills(e *isolate.Executor) { w.kill.Store(e) }

// Why returns the reason to stop, or nothing.
func (w *Watch) Why() string {
	for _, r := range []*string{w.reason.Load(), w.full.Load()} {
		if r != nil {
			return *r
		}
	}
	return ""
}

// GiveUp reports whether the work on the present test must end.
func (w *Watch) GiveUp() bool { return w.Stopped() || w.full.Load() != nil }

// Choose implements trace.Chooser around the chooser of the execution under way.
func (w *Watch) Choose(s *trace.State) int {
	if w.reason.Load() != nil {
		w.heard.Store(true)
		return -1
	}
	if w.full.Load() != nil {
		return -1
	}
	return w.chooser.Choose(s)
}

// Heeds is stopped for work within an execution: the explorer has heard that it must stop.
func (w *Watch) Heeds() bool {
	if w.Stopped() {
		w.heard.Store(true)
	}
	return w.Stopped()
}

// watched is an executor whose executions can be stopped.
type watched struct {
	explore.Executor
	w *Watch
}

// Around is e with executions that w can stop.
func (w *Watch) Around(e explore.Executor) explore.Executor { return watched{e, w} }

// Execute implements explore.Executor.
func (e watched) Execute(c trace.Chooser, sites bool) *trace.Execution {
	if e.w.GiveUp() {
		e.w.running.Store(false) // of an execution that did not return
		return stopped()
	}
	e.w.chooser = c
	e.w.running.Store(true)
	x := e.Executor.Execute(e.w, sites)
	e.w.running.Store(false)
	return x
}

// stopped is an execution that was cut off before it began.
func stopped() *trace.Execution {
	return &trace.Execution{End: trace.Cut, Procs: []trace.Proc{{Path: "0", Parent: -1}}}
}
