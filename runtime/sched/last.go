package sched

import (
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/rounds"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// mostLast bounds the steps that are taken down. A round of a loop seldom has so many.
const mostLast = 4096

func (l *lastSteps) reset() {
	l.on, l.left, l.first, l.list = false, mostLast, 0, l.list[:0]
	clear(l.known)
}

// WatchLast begins to take down steps, for Endless and for the bound on steps.
func (l *lastSteps) WatchLast() {
	if !l.on {
		l.on, l.first = true, len(l.r.x.Events)
		if l.known == nil {
			l.known = map[lastStep]bool{}
		}
	}
}

// noteLast takes down the operation that p has declared.
func (l *lastSteps) noteLast(p *Proc) {
	if l.left--; l.left < 0 {
		l.on = false
		return
	}
	step := lastStep{proc: p.ID, receives: p.Op.Kind == trace.Recv}
	gate.Callers(2, step.pcs[:])
	if !l.known[step] {
		l.known[step] = true
		l.list = append(l.list, step)
	}
}

// Endless ends the execution as the bound on steps does, if all processes go round and round, and
// only wait. It looks at the steps since WatchLast. A process that counts its rounds gets on, and
// one whose rounds may do more than is seen may get on. One of sleepers, the processes of armed
// timers, may be in no loop if it has fired less than loopRounds times. In these cases Endless
// reports false, and begins to take down steps again.
func (l *lastSteps) Endless(sleepers []int32) bool {
	fired := make([]int, len(l.ps.procs))
	for i := l.first; i < len(l.r.x.Events); i++ {
		if e := &l.r.x.Events[i]; e.Kind == trace.Fire {
			fired[e.Proc]++
		}
	}
	seldom := func(q int32) bool { return fired[q] < loopRounds }
	changes := func(p *Proc) bool { return !rounds.Waits(l.of(p), isBelow) }
	if slices.ContainsFunc(sleepers, seldom) || l.getsOn() != "" ||
		slices.ContainsFunc(l.ps.procs, changes) {
		l.reset()
		l.WatchLast()
		return false
	}
	l.r.Stop(trace.Steps)
	return true
}

// loopRounds is how often a process does one thing before it is taken to be in a loop.
const loopRounds = 4

// getsOn returns the place of a loop that counts rounds of some process; empty if there is none.
// The bound on steps has ended the execution. A process that was born late is a part of another
// one's round.
func (l *lastSteps) getsOn() string {
	works := make([]bool, len(l.ps.procs))
	for i := l.first; i < len(l.r.x.Events); i++ {
		if e := &l.r.x.Events[i]; !e.Idle() && !sleeps(e) || e.Partner >= 0 {
			works[e.Proc] = true
			if e.Partner >= 0 {
				works[e.Partner] = true
			}
		}
	}
	for _, p := range l.ps.procs {
		steps := l.of(p)
		if len(steps) == 0 || int(p.born) > l.first/2 {
			continue
		}
		if place := rounds.GetsOn(steps, !works[p.ID], isBelow); place != "" {
			return place
		}
	}
	return ""
}

// of returns the steps of p that were taken down.
func (l *lastSteps) of(p *Proc) (steps []rounds.Step) {
	for i := range l.list {
		if step := &l.list[i]; step.proc == p.ID {
			n := slices.Index(step.pcs[:], 0)
			if n < 0 {
				n = maxFrames
			}
			steps = append(steps, rounds.Step{PCs: step.pcs[:n], Receives: step.receives})
		}
	}
	return steps
}

// sleeps reports whether e arms a timer, as a sleep does, or is its firing: it changes nothing.
func sleeps(e *trace.Event) bool { return e.Kind == trace.TimerStart || e.Kind == trace.Fire }

// isBelow reports whether a frame belongs to the code that runs the program.
func isBelow(f *runtime.Frame) bool {
	return strings.HasPrefix(f.File, ownRoot) ||
		strings.HasPrefix(f.Function, "github.com/rehearse-go/rehearse/runtime/")
}
