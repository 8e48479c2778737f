// Package sched runs one execution of a program whose processes hand over control at every visible
// operation.
//
// Vocabulary: a process is a goroutine under control. It runs alone, without a switch, from one
// visible operation to the next; there it declares what it is about to do (Do) and gives up
// control. When all processes have declared, the scheduler lists the enabled alternatives, asks the
// Chooser for one, lets the operation's model Apply it, and runs the processes it concerns up to
// their next declaration. The driver is the goroutine that called Run.
//
// Guarantees: exactly one process or the scheduler runs at any time; an execution is a function of
// the Chooser's answers, provided that the program is one; when Run returns, no code of the program
// runs any more: processes that were still blocked have been unwound with runtime.Goexit, deferred
// calls included.
//
// LIMITS: code between two declarations is not interrupted; a loop without operations is not
// noticed. Alternatives are listed anew at each step, which costs time in proportion to the number
// of processes that have not ended; of many processes only those are looked at that may be able to
// move.
package sched

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Operation is a declared operation, as its model sees it.
type Operation interface {
	// Alts appends the alternatives of p's operation that are enabled now, ordered by Case, then
	// Partner. A rendezvous is listed by the sender alone.
	Alts(p *Proc, dst []trace.Alt) []trace.Alt
	// Apply takes alternative ev.Alt: it changes the models and fills in what ev did. It runs on
	// the scheduler, before the processes concerned continue; in a rendezvous first for the partner
	// (p.ID == ev.Partner).
	Apply(p *Proc, ev *trace.Event)
}

// Clock lists the alternatives that depend on what else is possible: timers may have to wait until
// nothing is.
type Clock interface {
	// Fires appends the firings that are enabled in a state whose other alternatives are dst.
	Fires(dst []trace.Alt) []trace.Alt
}

// Observer is told what orders the processes.
type Observer interface {
	Spawned(parent, child *Proc) // parent is nil for the first process
	Done(ev *trace.Event)        // before the processes of ev go on
	Learned(p, q *Proc)          // what p does from now on comes after all that q has done
}

// Viewer looks at the states of an execution.
type Viewer interface {
	Declared(p *Proc) // p has declared its operation, and runs still
	Resumed()         // a process begins, or goes on
	Quiet()           // no process can move, and none has been unwound yet
}

// Durable is an Operation that may block durably, as package testing/synctest has it: only the
// other processes of its bubble, or the bubble's clock, can unblock it.
type Durable interface{ Durable(p *Proc) bool }

// Life is told of processes that come and go. Its methods may declare operations.
type Life interface {
	// whether it wants to know of processes of bubble b, or of those of none
	Watches(b *Bubble) bool
	Spawns(p *Proc) // p is about to spawn a process
	Starts(p *Proc) // p, which a daemon has spawned, begins
	Ends(p *Proc)   // p has done all but end
}

// afterwards bounds the steps of an execution after its first process has ended, when little is
// left to be done: who allows more than ten times as many steps in all allows a tenth of them then.
const afterwards = 100000

func (s *Sched) afterwards() int { return max(afterwards, s.opts.MaxSteps/10) }

// Options of one execution.
type Options struct {
	MaxSteps int  // the execution ends with trace.Steps after so many events; 0: no bound
	Sites    bool // record source positions and names, which is slow
	Details  bool // with Sites: record stacks and values, too
}

// Sched runs executions, one at a time. The zero value is not usable; see New.
type Sched struct {
	backend backend
	opts    Options
	chooser trace.Chooser
	witness trace.Witness // the chooser, if it is one

	procs []*Proc // of this execution, in creation order; a prefix of pool
	alive []*Proc // those of them that have not ended, in the same order
	moved int     // 1 + the number of the last event of the first process; 0: none yet
	pool  []*Proc // every Proc ever made, reused by index
	root  *pathNode
	runq  []*Proc // processes that run to their next declaration before the next choice
	head  int     // the first of runq that has not run yet
	state trace.State
	x     trace.Execution
	cur   *Proc // the process that runs user code; nil while the scheduler is at work
	ended bool  // the execution has ended: nothing more is chosen
	dying bool  // processes are being unwound: no operation has an effect
	run   bool  // an execution is under way

	failure   any // what the chooser panicked with
	objects   int32
	cases     []trace.Case // arena for the Cases of this execution's operations
	clock     Clock        // nil: no operation is timed
	life      Life         // nil: nobody is told
	allowance int          // of the first process
	returned  int          // events before the first process ended
	excused   bool         // processes that are left at the end are not blocked for ever
	resets    []func()     // called before each execution, by the models
	watchers  []Observer
	viewer    Viewer // nil: nobody looks
	race      race
	beds      beds
	border    border

	sites     map[[few]uintptr]string // that locate has found
	fixed     int                     // how often the present execution has called Fix
	details   details
	twinSites map[uintptr]string
}

// New returns a scheduler that switches processes with the named technique, "coroutine", which is
// the same as "", or "goroutine".
func New(technique string) *Sched {
	s := &Sched{root: &pathNode{path: "0"}, sites: map[[few]uintptr]string{},
		twinSites: map[uintptr]string{}}
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
	if !s.run { // after Abandon, the goroutines are not at rest
		s.backend.close()
	}
}

// OnReset registers f to run before each execution.
func (s *Sched) OnReset(f func()) { s.resets = append(s.resets, f) }

// Run runs main as the first process, and all that it spawns, until no process can move. The result
// is valid until the next call.
func (s *Sched) Run(main func(), c trace.Chooser, o Options) *trace.Execution {
	s.race.begin()
	defer s.race.end()
	s.reset(c, o)
	s.spawn(nil, "main", main)
	s.run = true
	s.switchTo(nil, s.dispatch())
	s.x.Races = s.race.found()
	s.x.Stacks = s.details.stacks
	s.summarise()
	s.unwind()
	s.run = false
	if r := s.failure; r != nil {
		s.failure = nil
		panic(r)
	}
	return &s.x
}

func (s *Sched) reset(c trace.Chooser, o Options) {
	s.chooser, s.opts = c, o
	s.witness, _ = c.(trace.Witness)
	s.procs, s.alive, s.runq, s.head, s.moved = s.procs[:0], s.alive[:0], s.runq[:0], 0, 0
	s.state.Procs, s.state.Twins, s.state.Last, s.state.Announces = s.state.Procs[:0],
		s.state.Twins[:0], -1, false
	s.x = trace.Execution{Events: s.x.Events[:0], Armed: s.x.Armed[:0], Silent: s.x.Silent[:0],
		Inner: s.x.Inner[:0], Met: s.x.Met[:0], UpTo: s.x.UpTo[:0], Procs: s.x.Procs[:0],
		Blocked: s.x.Blocked[:0], BlockedSites: s.x.BlockedSites[:0]}
	s.beds.reset()
	s.details.printer.Forget()
	s.fixed = 0
	s.border.on, s.border.run, s.state.Inner = false, 0, false
	s.ended, s.dying, s.excused, s.objects, s.cases = false, false, false, 0, s.cases[:0]
	for _, f := range s.resets {
		f()
	}
}

// Observe tells o, too, of all that happens from the next execution on.
func (s *Sched) Observe(o Observer) {
	if !slices.Contains(s.watchers, o) {
		s.watchers = append(s.watchers, o)
	}
}

// Announce says that processes of this execution announce what they do.
func (s *Sched) Announce() { s.state.Announces = true }

// View lets v look at the states from the next execution on.
func (s *Sched) View(v Viewer) { s.viewer = v }

// Viewed reports whether somebody looks at the states.
func (s *Sched) Viewed() bool { return s.viewer != nil }

// SetClock makes c list the firings. Their operations list no alternatives themselves.
func (s *Sched) SetClock(c Clock) { s.clock = c }

// SetAllowance sets Proc.Allowance of the first process.
func (s *Sched) SetAllowance(n int) { s.allowance = n }

// SetLife makes l be told of processes.
func (s *Sched) SetLife(l Life) { s.life = l }

// Hold notes that a timer could have fired early, and was not let.
func (s *Sched) Hold() { s.x.Held = true }

// Armed notes an event that armed a timer: see trace.Execution.
func (s *Sched) Armed(event int) { s.x.Armed = append(s.x.Armed, int32(event)) }

// Timed notes what the clock says of the present state: see trace.State.
func (s *Sched) Timed(now, next int64, moves int, alone bool) {
	s.state.Now, s.state.Next, s.state.Moves, s.state.Alone = now, next, moves, alone
}

// Press notes that the event that is being applied lets time pass because processes went on for so
// long.
func (s *Sched) Press() {
	s.x.Pressed, s.x.Forced = true, append(s.x.Forced, int32(len(s.x.Events)-1))
}

// Offer tells the chooser that the last n alternatives of the present state let time pass for that
// reason. The clock came to where it is after since events.
func (s *Sched) Offer(n, since int) { s.state.Forced, s.state.Since = n, since }

// StepsAfter returns the number of events since the first process has ended.
func (s *Sched) StepsAfter() int { return len(s.x.Events) - s.returned }

// Steps returns the number of events of the execution so far.
func (s *Sched) Steps() int { return len(s.x.Events) }

// Excuse makes those processes that are left at the end of this execution count as able to go on.
func (s *Sched) Excuse() { s.excused = true }

// Returned reports whether the first process has ended.
func (s *Sched) Returned() bool { return s.procs[0].ended }

// MainMoved returns how many events there were when the first process had last moved.
func (s *Sched) MainMoved() int { return s.moved }

// Alone reports whether all processes have ended but for daemons and services.
func (s *Sched) Alone() bool {
	for _, p := range s.procs {
		if !p.ended && !p.daemon && !p.service {
			return false
		}
	}
	return true
}

// All lists the processes of the execution, by number.
func (s *Sched) All() []*Proc { return s.procs }

// Procs calls f for the processes of a bubble that have code, also for those that have ended.
func (s *Sched) Procs(b *Bubble, f func(p *Proc)) {
	for _, p := range s.procs {
		if !p.daemon && p.Bubble == b {
			f(p)
		}
	}
}

// Learn makes all that p does from now on come after all that q, which waits or has ended, has
// done. Of one that has ended, the race detector must be told by other means.
func (s *Sched) Learn(p, q *Proc) {
	for _, w := range s.watchers {
		w.Learned(p, q)
	}
	if gate.Race && !q.ended {
		token := new([8]byte)
		q.Release(unsafe.Pointer(token))
		p.Acquire(unsafe.Pointer(token))
	}
}

// Belongs reports whether a process that takes part in alternative a is of bubble b.
func (s *Sched) Belongs(a trace.Alt, b *Bubble) bool {
	return s.procs[a.Proc].Bubble == b || a.Partner >= 0 && s.procs[a.Partner].Bubble == b
}

// Active reports whether an execution is under way.
func (s *Sched) Active() bool { return s.run }

// Dying reports whether the processes are being unwound.
func (s *Sched) Dying() bool { return s.dying }

// Done returns the events of this execution so far.
func (s *Sched) Done() []trace.Event { return s.x.Events }

// Sites reports whether this execution records source positions.
func (s *Sched) Sites() bool { return s.opts.Sites }

// Current returns the process whose code is running on the calling goroutine, or nil if that is not
// a process.
func (s *Sched) Current() *Proc {
	if s.cur == nil || gate.Owner != gate.Goid() || gate.InCallback() {
		gate.Park()
		return nil
	}
	return s.cur
}

// Abandon gives up the process that has control and does not hand it back: it parks for ever as
// soon as it calls a hook or ends. s cannot be used any more, and Run does not return. It reports
// false if the scheduler itself is at work, or goroutines cannot be told apart. The caller is not a
// process.
func (s *Sched) Abandon() (p *Proc, goid uint64, ok bool) {
	if p = s.cur; p == nil || gate.Owner == 0 {
		return nil, 0, false
	}
	return p, gate.Lose(), true
}

// Enter is Current, and makes the caller a part of the scheduler until Leave, as far as the race
// detector is concerned. Code that touches what processes share must be between the two.
func (s *Sched) Enter() *Proc {
	p := s.Current()
	if p != nil {
		s.race.inside(p)
	}
	return p
}

// Leave ends what Enter began, before p goes on with the program's code.
func (p *Proc) Leave() { p.outside() }

// NewObject numbers a new object. describe is called only if this execution records names.
func (s *Sched) NewObject(describe func() string) int32 {
	before := s.aside()
	if s.opts.Sites {
		s.x.Objects = append(s.x.Objects, describe())
	}
	s.objects++
	gate.SetRaceContext(before)
	return s.objects - 1
}

// Objects returns how many objects have been numbered.
func (s *Sched) Objects() int { return int(s.objects) }

// Met notes that the newest object may be older than its number: it has one because it is used.
func (s *Sched) Met() {
	if gate.Border {
		s.x.Met = append(s.x.Met, s.objects-1)
	}
}

// Made notes that the newest object is as old as its number, as it has just been made.
func (s *Sched) Made() {
	if n := len(s.x.Met); n > 0 && s.x.Met[n-1] == s.objects-1 {
		s.x.Met = s.x.Met[:n-1]
	}
}

// Static notes that the newest object was made before the execution.
func (s *Sched) Static() { s.x.Static = append(s.x.Static, s.objects-1) }

// Begins notes that the newest object is not as a new one is.
func (s *Sched) Begins(i trace.Initial) { s.x.Initial = append(s.x.Initial, i) }

// NewCases returns n Cases that stay valid until the next execution.
func (s *Sched) NewCases(n int) []trace.Case {
	if len(s.cases)+n > cap(s.cases) {
		s.cases = make([]trace.Case, 0, 2*cap(s.cases)+n)
	}
	s.cases = s.cases[:len(s.cases)+n]
	return s.cases[len(s.cases)-n:]
}

// LastEvent returns the event that was done last, for models that learn only afterwards what it
// did. It may be changed until the current process declares its next operation.
func (s *Sched) LastEvent() *trace.Event { return &s.x.Events[len(s.x.Events)-1] }

// Do declares p.Op, waits until the scheduler chooses it, and returns the alternative that was
// taken. p must be the current process. While the processes are being unwound Do does not return.
func (s *Sched) Do(p *Proc, o Operation) trace.Alt {
	if s.dying {
		p.Goexit()
	}
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
		p.site = Shown()
		p.stack = s.stackHere()
	}
	if s.viewer != nil {
		s.viewer.Declared(p)
	}
	s.leave()
	if q := s.dispatch(); q != p {
		s.backend.switchTo(p, q)
	}
	s.enter(p)
	gate.SetRaceContext(before)
	p.Operand = nil
	return p.alt
}

// aside is Enter wherever the caller is; it returns the context to go back to.
func (s *Sched) aside() (before uintptr) {
	before = gate.RaceContext()
	s.Enter()
	return before
}

func (s *Sched) leave() { s.cur, gate.Owner = nil, 0 }

func (s *Sched) enter(p *Proc) {
	s.cur, gate.Owner = p, p.goid
	if s.viewer != nil {
		s.viewer.Resumed()
	}
	if s.dying {
		s.locate(p)
		p.Goexit()
	}
}

// End ends the execution now, on behalf of the current process p, which does not continue.
func (s *Sched) End(p *Proc, how trace.EndKind) {
	s.race.inside(p)
	if !s.dying {
		s.stop(how)
		s.leave()
		s.switchTo(p, nil)
		s.enter(p)
	}
	p.Goexit()
}

// stop makes the next dispatch return to the driver.
func (s *Sched) stop(how trace.EndKind) {
	if !s.ended {
		s.ended, s.x.End = true, how
	}
}

// Partial returns what is known of the execution under way: what it has done, and its processes
// from number first on. It is for a chooser, or for who has called Abandon, and valid as long as an
// Execution.
func (s *Sched) Partial(first int) *trace.Execution {
	x := s.x
	x.Procs = nil
	for _, p := range s.procs[min(first, len(s.procs)):] {
		x.Procs = p.describe(x.Procs)
	}
	return &x
}

// describe appends what is known of p.
func (p *Proc) describe(list []trace.Proc) []trace.Proc {
	list = append(list, trace.Proc{})
	to := &list[len(list)-1]
	to.Path, to.Name, to.Parent, to.Born, to.Site = p.node.path, p.Name, -1, p.born, p.from
	to.Alias, to.Stack = p.alias, p.stack
	if p.parent != nil {
		to.Parent = p.parent.ID
	}
	to.Ours = p.ours
	to.Ended, to.Service, to.Twin, to.Drew, to.Bubble, to.Pending = p.ended, p.service, p.twins.of,
		p.twins.drew, p.Bubble.number(), p.Op
	return list
}

// summarise fills in the execution's processes.
func (s *Sched) summarise() {
	for _, p := range s.procs {
		s.x.Procs = p.describe(s.x.Procs)
		if p.enabled && s.x.End == trace.Steps {
			s.x.Enabled = append(s.x.Enabled, p.ID)
		}
		if !p.ended && !p.daemon && !s.excused && s.x.End == trace.Quiet {
			s.x.Blocked, s.x.BlockedSites = append(s.x.Blocked, p.ID),
				append(s.x.BlockedSites, p.site)
			p.blocked = len(s.x.Blocked)
		}
	}
}

// unwind ends every process that is still there: each continues from where it waits with
// runtime.Goexit, so that its deferred calls run and its goroutine becomes free.
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

func (s *Sched) switchTo(from, to *Proc) {
	if from != to {
		s.backend.switchTo(from, to)
	}
}
