package session

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// watch ends the exploration when the user interrupts it or the budget is spent, also in the middle of an execution,
// and gives a process up that has stopped to reach visible operations.
type watch struct {
	reason  atomic.Pointer[string] // why to stop; nil: go on
	heard   atomic.Bool            // the explorer has seen that it must stop
	running atomic.Bool            // an execution is under way
	beat    atomic.Int64           // grows while executions make progress
	chooser trace.Chooser          // of the execution under way
	steps   int64
	stuck   chan *stuck // gets the process that was given up; nil while nobody listens

	places  *report.Places
	stderr  io.Writer
	signals chan os.Signal
	timers  []*time.Timer
}

const (
	twice = 300 * time.Millisecond // two interrupts within this time are one: wrappers pass them on
	grace = time.Second            // from the wish to stop to the end of the binary, if the explorer does not hear it
	looks = 5                      // at the beat, within the time that a step may take
)

// newWatch begins to watch. budget 0 and step 0, the time that a step may take, are none.
func newWatch(places *report.Places, stderr io.Writer, budget, step time.Duration) *watch {
	w := &watch{places: places, stderr: stderr, signals: make(chan os.Signal, 2)}
	signal.Notify(w.signals, os.Interrupt)
	go w.listen()
	if budget > 0 {
		w.after(budget, func() { w.stop(fmt.Sprintf("the budget of %v is spent", budget)) })
	}
	if step > 0 {
		w.check(step)
	}
	return w
}

// end stops watching.
func (w *watch) end() {
	signal.Stop(w.signals)
	close(w.signals)
	for _, t := range w.timers {
		t.Stop()
	}
}

// listen waits for interrupts: the first asks the explorer to stop, the second ends the binary.
func (w *watch) listen() {
	if _, ok := <-w.signals; !ok {
		return
	}
	first := time.Now()
	go w.stop("interrupted")
	for range w.signals {
		if time.Since(first) > twice {
			os.Exit(Failure)
		}
	}
}

// stop asks the explorer to stop, and ends the binary if it cannot hear.
func (w *watch) stop(reason string) {
	w.reason.CompareAndSwap(nil, &reason)
	time.Sleep(grace)
	if w.running.Load() && !w.heard.Load() {
		fmt.Fprintf(w.stderr, "rehearse: %s, but a step of the execution does not end%s\n", reason, stuckAt(w.places))
		os.Exit(Failure)
	}
}

// stopped reports whether the explorer must stop.
func (w *watch) stopped() bool { return w.reason.Load() != nil }

// why returns the reason to stop, or nothing.
func (w *watch) why() string {
	if r := w.reason.Load(); r != nil {
		return *r
	}
	return ""
}

func (w *watch) after(d time.Duration, f func()) {
	w.timers = append(w.timers, time.AfterFunc(d, f))
}

// check looks after a process that has been at one step for longer than limit.
func (w *watch) check(limit time.Duration) {
	last, same := int64(0), 0
	var t *time.Timer
	t = time.AfterFunc(limit/looks, func() {
		if now := w.beat.Load(); now != last || !w.running.Load() {
			last, same = now, 0
		} else if same++; same == looks {
			w.giveUp(limit)
		}
		t.Reset(limit / looks)
	})
	w.timers = append(w.timers, t)
}

// giveUp abandons the execution under way, or ends the binary if nobody can go on without it.
func (w *watch) giveUp(limit time.Duration) {
	if w.stuck == nil {
		fmt.Fprintf(w.stderr, "rehearse: one step of the execution has been running for %v%s\n", limit, stuckAt(w.places))
		os.Exit(Failure)
	}
	if at := abandon(w.places, limit); at != nil {
		w.running.Store(false)
		w.stuck <- at
	} else {
		fmt.Fprintf(w.stderr, "rehearse: no step has been made for %v%s\n", limit, stuckAt(w.places))
	}
}

// Choose implements trace.Chooser around the chooser of the execution under way.
func (w *watch) Choose(s *trace.State) int {
	w.steps++
	w.beat.Store(w.steps)
	if w.reason.Load() != nil {
		w.heard.Store(true)
		return -1
	}
	return w.chooser.Choose(s)
}

// watched is an executor whose executions can be stopped.
type watched struct {
	explore.Executor
	w *watch
}

// Execute implements explore.Executor.
func (e watched) Execute(c trace.Chooser, sites bool) *trace.Execution {
	e.w.chooser = c
	e.w.steps++
	e.w.beat.Store(e.w.steps)
	e.w.running.Store(true)
	x := e.Executor.Execute(e.w, sites)
	e.w.running.Store(false)
	return x
}

// named is an executor that knows what people call the first process.
type named struct {
	explore.Executor
	name string
}

// Execute implements explore.Executor.
func (e named) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	x.Procs[0].Name = e.name
	return x
}
