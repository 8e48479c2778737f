package session

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// watch ends the exploration when the user interrupts it or the budget is spent, also in the middle
// of an execution.
type watch struct {
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
}

const (
	twice = 300 * time.Millisecond // two interrupts within this time are one: wrappers pass them on
	// from the wish to stop to the end of an execution that is a process of its own
	ample = 200 * time.Millisecond
	// from an interrupt to the end of the execution that shows a finding
	rest = 500 * time.Millisecond
	// from the end of the budget to the end of the execution that shows a finding
	shown = time.Second
	// from the wish to stop to the end of the binary, if the explorer does not hear it
	grace = time.Second
	busy  = 20 * time.Second // likewise, on a machine that lets the explorer not run
)

// newWatch begins to watch. budget 0 is none.
func newWatch(places *depict.Places, stderr io.Writer, budget time.Duration) *watch {
	w := &watch{places: places, stderr: stderr, signals: make(chan os.Signal, 2)}
	signal.Notify(w.signals, os.Interrupt, syscall.SIGTERM)
	go w.listen()
	if budget > 0 {
		w.budget = time.AfterFunc(budget, func() {
			latest := time.Now().Add(shown)
			w.latest.CompareAndSwap(nil, &latest)
			w.stop(fmt.Sprintf("the budget of %v is spent", budget))
		})
	}
	return w
}

// end stops watching.
func (w *watch) end() {
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
func (w *watch) listen() {
	if _, ok := <-w.signals; !ok {
		return
	}
	first := time.Now()
	latest := first.Add(rest)
	w.latest.Store(&latest)
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
	if e := w.kill.Load(); e != nil {
		time.Sleep(ample)
		if w.deaf() {
			e.Kill()
		}
	}
	w.wait()
	if w.deaf() {
		fmt.Fprintf(w.stderr, "rehearse: %s, but a step of the execution does not end%s\n", reason,
			stuckAt(w.places))
		os.Exit(Failure)
	}
}

// wait gives the explorer time to hear: as long as it has not had half of its grace on a processor,
// no step of its is known to be without an end.
func (w *watch) wait() {
	wished, used := time.Now(), processorTime()
	time.Sleep(grace)
	for w.deaf() && time.Since(wished) < busy && starved(used, grace/2) {
		time.Sleep(grace / 10)
	}
}

// starved reports whether a process has something to do, and had less than a time that it needs on
// processors since it had used the given time. Where nobody says what it has used, it is not.
func starved(used, needs time.Duration) bool {
	return used > 0 && processorTime()-used < needs &&
		slices.ContainsFunc(stacks(), func(g string) bool {
			return controlled(g) && !parked(g) && strings.HasPrefix(stateOf(g), "run")
		})
}

// deaf reports whether an execution is under way that has not seen that it must stop.
func (w *watch) deaf() bool { return w.running.Load() && !w.heard.Load() }

// stopped reports whether the explorer must stop.
func (w *watch) stopped() bool { return w.reason.Load() != nil }

// hurried reports whether the user has interrupted the work, or the budget was spent, some time
// ago: then nothing goes on. Until then, what has been found is shown.
func (w *watch) hurried() bool {
	latest := w.latest.Load()
	return latest != nil && time.Now().After(*latest)
}

// why returns the reason to stop, or nothing.
func (w *watch) why() string {
	for _, r := range []*string{w.reason.Load(), w.full.Load()} {
		if r != nil {
			return *r
		}
	}
	return ""
}

// giveUp reports whether the work on the present test must end.
func (w *watch) giveUp() bool { return w.stopped() || w.full.Load() != nil }

// Choose implements trace.Chooser around the chooser of the execution under way.
func (w *watch) Choose(s *trace.State) int {
	if w.reason.Load() != nil {
		w.heard.Store(true)
		return -1
	}
	if w.full.Load() != nil {
		return -1
	}
	return w.chooser.Choose(s)
}

// heeds is stopped for work within an execution: the explorer has heard that it must stop.
func (w *watch) heeds() bool {
	if w.stopped() {
		w.heard.Store(true)
	}
	return w.stopped()
}

// watched is an executor whose executions can be stopped.
type watched struct {
	explore.Executor
	w *watch
}

// Execute implements explore.Executor.
func (e watched) Execute(c trace.Chooser, sites bool) *trace.Execution {
	if e.w.giveUp() {
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
