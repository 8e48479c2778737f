package watch

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Guard is the executor of a test in this process. An execution with a step that does not end is
// Stuck. Its goroutines are left behind, and the next execution begins in a new world, as long as
// the guard can tell that the goroutines left behind do not move:
//
//   - The goroutine that was given up is at rest: it waits for something outside of the program. A
//     goroutine that computes may be about to change variables that the next executions share with
//     it.
//   - After each execution, the goroutine is still in the same place. An execution during which it
//     has gone on does not count.
//
// A step that is under way at the end of the test's turn is cut off: it is no fault of the test.
//
// LIMITS: the guard does not notice a goroutine that has gone on and is back in the same place,
// with the same calls.
type Guard struct {
	watch *Watch
	world func() explore.Executor // makes one that runs the test in a new world
	pulse *Pulse                  // nil: a step may take any time
	stuck func(*trace.Execution)

	exec  explore.Executor // of the present world
	alone bool             // what runs does so on a goroutine that can be left behind
	left  []*Stuck
	turn  atomic.Pointer[turns.Turn] // nil: it has not begun
	began time.Time                  // when it has
	ended atomic.Int64               // executions of the turn that have ended
	why   string                     // no more can be run

	outlasted bool // a step was under way at the end of the turn
}

// Guard returns a guard of a test. A step may take limit; 0: any time. patient: a step that
// computes may take the whole turn. world makes an executor that runs the test in a new world.
// stuck is told of an execution with a step that does not end.
func (w *Watch) Guard(test string, limit time.Duration, patient bool, world func() explore.Executor,
	stuck func(*trace.Execution)) *Guard {
	g := &Guard{watch: w, world: world, stuck: stuck, exec: world()}
	if limit > 0 || w.budget != nil {
		g.pulse = NewPulse(test, limit, w.places)
		g.pulse.patient = patient
		g.pulse.ends = g.ends
		w.pulse.Store(g.pulse)
	}
	return g
}

// Begin gives the test a turn.
func (g *Guard) Begin(t turns.Turn) {
	g.began = time.Now()
	g.ended.Store(0)
	g.turn.Store(&t)
}

// ends is when a step under way has to end; zero: it may take any time.
func (g *Guard) ends() (at time.Time) {
	if t := g.turn.Load(); t != nil {
		at = t.Latest(int(g.ended.Load()))
	}
	return at
}

// Outlasted reports whether a step was under way at the end of the turn.
func (g *Guard) Outlasted() bool { return g.outlasted }

// Over says why no further execution can be run; empty: one can.
func (g *Guard) Over() string { return g.why }

// Close ends the work on the test.
func (g *Guard) Close() {
	if g.pulse != nil {
		g.watch.pulse.CompareAndSwap(g.pulse, nil)
		g.pulse.End()
	}
}

// Search runs x on a goroutine of its own, and on a new one after each stuck execution: executions
// are too many and too short for a goroutine each.
func (g *Guard) Search(x *explore.Exploration) (r explore.Result) {
	if g.pulse == nil {
		return x.Run()
	}
	g.alone = true
	defer func() { g.alone = false }()
	p := g.attempt(func() { r = x.Run() })
	for p != nil {
		at := p.X
		p = g.attempt(func() { r = x.Resume(at) })
	}
	return r
}

// Execute implements explore.Executor.
func (g *Guard) Execute(c trace.Chooser, sites bool) (x *trace.Execution) {
	switch {
	case g.why != "":
		return stopped()
	case g.pulse == nil:
		return g.exec.Execute(c, sites)
	case g.alone:
		x = g.pulse.Execute(g.exec, c, sites)
	default:
		if p := g.attempt(func() { x = g.pulse.Execute(g.exec, c, sites) }); p != nil {
			return p.X
		}
	}
	g.ended.Add(1)
	if g.disturbed() {
		g.watch.busy = true
		g.why = "given up: a goroutine that was left behind at a step without an end has gone on"
		return stopped()
	}
	return x
}

// attempt calls do on a goroutine of its own, and returns the process at which it got stuck; nil if
// it did not.
func (g *Guard) attempt(do func()) *Stuck {
	done := make(chan bool)
	go func() {
		do()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case p := <-g.pulse.Stuck:
		g.leave(p)
		if p.X.End != trace.Cut {
			g.stuck(p.X)
		}
		return p
	}
}

// leave goes on without p's goroutine, in a new world.
func (g *Guard) leave(p *Stuck) {
	g.watch.left++
	g.watch.busy = g.watch.busy || !p.resting()
	g.left = append(g.left, p)
	switch {
	case p.X.End == trace.Cut: // the work has ended in the middle of it
		if g.why = g.watch.Why(); g.why != Interrupted {
			g.outlasted = g.watch.full.Load() == nil // with more time it would take more memory
			g.why = g.outlasts(p)
		}
	case !p.resting():
		g.why = "given up: a step does not end, and may change what other executions see (not with -isolate)"
	case g.watch.Crowded():
		g.why = fmt.Sprintf(
			"given up: %d goroutines have been left behind at steps that do not end",
			g.watch.left)
	default:
		g.exec = g.world()
	}
}

// outlasts says that p's step has not ended with the turn.
func (g *Guard) outlasts(p *Stuck) string {
	took := time.Since(g.began).Round(100 * time.Millisecond)
	switch why := g.watch.Why(); {
	case why != "":
		return why + ": " + p.doing
	case g.ended.Load() == 0:
		return fmt.Sprintf("one execution takes longer than %v, its part of -timeout: %s", took,
			p.doing)
	default:
		return fmt.Sprintf("its part of -timeout, %v, is over: %s", took, p.doing)
	}
}

// disturbed reports whether a goroutine that was left behind is not where it was.
func (g *Guard) disturbed() bool {
	if len(g.left) == 0 {
		return false
	}
	now := stacks()
	return slices.ContainsFunc(g.left, func(p *Stuck) bool {
		return p.stack != stackOf(now, p.goid)
	})
}
