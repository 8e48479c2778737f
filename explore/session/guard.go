package session

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// guard is the executor of a test in this process. An execution with a step that does not end is
// Stuck; its goroutines are left behind, and the next one begins in a new world, as long as it can
// be told that those stay where they are:
//
//   - The goroutine that was given up is at rest: it waits for something outside of the program.
//     One that computes may be about to change variables that the next executions share with it.
//   - After each execution, it is still where it was. An execution during which it has gone on does
//     not count.
//
// LIMITS: a goroutine that has gone on and is back in the same place, with the same calls, is not
// noticed.
type guard struct {
	suite *suite
	test  gate.Test
	pulse *pulse // nil: a step may take any time
	stuck func(*trace.Execution)

	exec  explore.Executor // of the present world
	alone bool             // what runs does so on a goroutine that can be left behind
	left  []*stuck
	why   string // no more can be run
}

func (s *suite) newGuard(t gate.Test, stuck func(*trace.Execution)) *guard {
	g := &guard{suite: s, test: t, stuck: stuck, exec: s.executor(t)}
	if s.opts.StepTimeout > 0 {
		g.pulse = s.newPulse(t.Name)
	}
	return g
}

func (g *guard) over() string { return g.why }

func (g *guard) close() {
	if g.pulse != nil {
		g.pulse.end()
	}
}

// search runs x on a goroutine of its own, and when that gets stuck goes on with it on another:
// executions are too many and too short for a goroutine each.
func (g *guard) search(x *explore.Exploration) (r explore.Result) {
	if g.pulse == nil {
		return x.Run()
	}
	g.alone = true
	defer func() { g.alone = false }()
	p := g.attempt(func() { r = x.Run() })
	for p != nil {
		at := p.x
		p = g.attempt(func() { r = x.Resume(at) })
	}
	return r
}

// Execute implements explore.Executor.
func (g *guard) Execute(c trace.Chooser, sites bool) (x *trace.Execution) {
	switch {
	case g.why != "":
		return stopped()
	case g.pulse == nil:
		return g.exec.Execute(c, sites)
	case g.alone:
		x = g.pulse.execute(g.exec, c, sites)
	default:
		if p := g.attempt(func() { x = g.pulse.execute(g.exec, c, sites) }); p != nil {
			return p.x
		}
	}
	if g.disturbed() {
		g.why = "given up: a goroutine that was left behind at a step without an end has gone on"
		return stopped()
	}
	return x
}

// attempt calls do on a goroutine of its own, and returns the process at which it got stuck; nil if
// it did not.
func (g *guard) attempt(do func()) *stuck {
	done := make(chan bool)
	go func() {
		do()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case p := <-g.pulse.stuck:
		g.leave(p)
		g.stuck(p.x)
		return p
	}
}

// leave goes on without p's goroutine, in a new world.
func (g *guard) leave(p *stuck) {
	g.suite.left++
	g.left = append(g.left, p)
	switch {
	case !p.resting():
		g.why = "given up: a step does not end, and may change what other executions see (not with -isolate)"
	case g.suite.left >= maxLeft:
		g.why = fmt.Sprintf(
			"given up: %d goroutines have been left behind at steps that do not end",
			g.suite.left)
	default:
		g.exec = g.suite.executor(g.test)
	}
}

// disturbed reports whether a goroutine that was left behind is not where it was.
func (g *guard) disturbed() bool {
	if len(g.left) == 0 {
		return false
	}
	now := stacks()
	for _, p := range g.left {
		if p.stack != stackOf(now, p.goid) {
			return true
		}
	}
	return false
}
