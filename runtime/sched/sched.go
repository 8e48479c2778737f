// Package sched runs one execution of a program whose processes hand over control at every visible
// operation.
//
// Vocabulary: a process is a goroutine under control. It runs alone, without a switch, from one
// visible operation to the next; there it declares what it is about to do (Do) and gives up
// control. When all processes have declared, the scheduler lists the enabled alternatives and asks
// the Chooser for one. It lets the operation's model Apply the alternative, and runs the processes
// involved up to their next declaration. The driver is the goroutine that called Run.
//
// Guarantees: exactly one process or the scheduler runs at any time. An execution is a function of
// the Chooser's answers, provided that the program is one. When Run returns, no code of the program
// runs any more: processes that were still blocked have been unwound with runtime.Goexit, deferred
// calls included.
//
// LIMITS: code between two declarations is not interrupted, and a loop without operations is not
// noticed. Alternatives are listed anew at each step, which costs time in proportion to the number
// of processes that have not ended. If there are many processes, only those are looked at that may
// be able to move.
package sched

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func (s *course) afterwards() int { return max(minAfterwards, s.opts.MaxSteps/10) }

// New returns a scheduler that switches processes with the named technique, "coroutine", which is
// the same as "", or "goroutine".
func New(technique string) *Sched {
	s := &Sched{course: course{
		processes: processes{root: &pathNode{path: "0"}},
		record: record{places: places{
			sites: map[[siteFrames]uintptr]string{}, twinSites: map[uintptr]string{}}},
	}}
	r, ps := &s.record, &s.processes
	s.border.r, s.fixes.r, s.requests.r = r, r, r
	s.rests.r, s.rests.ps = r, ps
	s.lastSteps.r, s.lastSteps.ps = r, ps
	switch technique {
	case "goroutine":
		s.backend = newGoroutines(s)
	case "coroutine", "":
		s.backend = newCoroutines(s)
	default:
		panic("sched: no technique " + technique)
	}
	return s
}

// Close ends the goroutines that s keeps for its next execution. s can still be used.
func (s *Sched) Close() {
	if !s.running { // after Abandon, the goroutines are not at rest
		s.backend.close()
	}
}

// Run runs main as the first process, and all that it spawns, until no process can move. The result
// is valid until the next call.
func (s *Sched) Run(main func(), c trace.Chooser, o Options) *trace.Execution {
	s.detector.begin()
	defer s.detector.end()
	s.reset(c, o)
	s.spawn(nil, "main", main)
	s.running = true
	s.switchTo(nil, s.dispatch())
	s.x.Races = s.detector.found()
	s.x.Stacks = s.details.stacks
	if s.x.End == trace.Steps {
		if place := s.getsOn(); place != "" {
			s.CutAt(trace.GetsOn, place)
		}
	}
	s.summarise(s.procs)
	s.unwind()
	s.running = false
	if r := s.failure; r != nil {
		s.failure = nil
		panic(r)
	}
	return &s.x
}

func (s *Sched) reset(c trace.Chooser, o Options) {
	s.opts = o
	s.choice.reset(c)
	s.procs, s.alive, s.runq, s.head = s.procs[:0], s.alive[:0], s.runq[:0], 0
	s.moved, s.outer, s.changed, s.resting, s.tries = 0, 0, 0, false, false
	s.x = trace.Execution{Events: s.x.Events[:0], Armed: s.x.Armed[:0], Silent: s.x.Silent[:0],
		Inner: s.x.Inner[:0], Met: s.x.Met[:0], UpTo: s.x.UpTo[:0], Procs: s.x.Procs[:0],
		Blocked: s.x.Blocked[:0], BlockedSites: s.x.BlockedSites[:0]}
	s.beds.reset()
	s.lastSteps.reset()
	s.details.printer.Forget()
	s.fixed = 0
	s.border.on, s.border.innerRun, gate.Watched, gate.Common = false, 0, false, false
	clear(s.answers)
	s.ended, s.dying, s.excused, s.objects, s.cases = false, false, false, 0, s.cases[:0]
	for _, f := range s.resets {
		f()
	}
}

// Learn makes all that p does from now on come after all that q has done; q waits or has ended. If
// q has ended, the race detector must be told by other means.
func (s *course) Learn(p, q *Proc) {
	for _, w := range s.watchers {
		w.Learned(p, q)
	}
	if gate.Race && !q.ended {
		token := new([8]byte)
		q.Release(unsafe.Pointer(token))
		p.Acquire(unsafe.Pointer(token))
	}
}

// Active reports whether an execution is under way.
func (s *Sched) Active() bool { return s.running }

// Abandon gives up the process that has control and does not hand it back. That process parks for
// ever as soon as it calls a hook or ends. s cannot be used any more, and Run does not return. It
// reports false if the scheduler itself is at work, or goroutines cannot be told apart. The caller
// is not a process.
func (s *Sched) Abandon() (p *Proc, goid uint64, ok bool) {
	if p = s.cur; p == nil || gate.Owner == 0 {
		return nil, 0, false
	}
	return p, gate.Lose(), true
}

// Enter is Current. For the race detector it makes the caller a part of the scheduler until Leave.
// Code that touches data that processes share must be between the two.
func (s *course) Enter() *Proc {
	p := s.Current()
	if p != nil {
		s.detector.inside(p)
	}
	return p
}

// Owe has f called before another process moves or begins: by the current process's next step or go
// statement, or when it ends.
func (s *course) Owe(f func()) { s.owed = f }

func (s *course) pay() {
	if f := s.owed; f != nil {
		s.owed = nil
		f()
	}
}

// Leave ends what Enter began, before p goes on with the program's code.
func (p *Proc) Leave() { p.outside() }

// NewObject numbers a new object. describe is called only if this execution records names.
func (s *course) NewObject(describe func() string) int32 {
	before := s.aside()
	switch {
	case s.opts.Sites && s.cur != nil && s.cur.Naming != "":
		s.x.Objects = append(s.x.Objects, s.cur.Naming+s.FirstUse())
	case s.opts.Sites:
		s.x.Objects = append(s.x.Objects, describe())
	}
	s.objects++
	gate.SetRaceContext(before)
	return s.objects - 1
}

// Do declares p.Op, waits until the scheduler chooses it, and returns the alternative that was
// taken. p must be the current process. While the processes are being unwound Do does not return.
func (s *Sched) Do(p *Proc, o Operation) trace.Alt {
	if s.dying {
		p.Goexit()
	}
	s.pay()
	var before uintptr
	if gate.Race {
		before = s.aside()
	}
	p.operation = o
	if s.border.on {
		s.cross(p)
	}
	if s.beds.on {
		s.beds.declared(&p.Op)
	}
	if s.opts.Sites {
		p.spot = s.spotHere()
	}
	if s.lastSteps.on {
		s.noteLast(p)
	}
	if s.viewer != nil {
		s.viewer.Declared(p)
	}
	s.leave()
	s.look(p)
	if q := s.dispatch(); q != p {
		s.backend.switchTo(p, q)
	}
	s.enter(p)
	gate.SetRaceContext(before)
	p.Operand = nil
	return p.alt
}

// unwind ends every process that is still there: each goes on with runtime.Goexit from where it
// waits, so that its deferred calls run and its goroutine becomes free.
func (s *Sched) unwind() {
	s.ended, s.dying = true, true
	for _, p := range s.procs {
		if p.worker != nil {
			s.switchTo(nil, p)
		}
		if p.daemon {
			p.die()
		}
	}
}
