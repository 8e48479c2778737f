package sched

import (
	"github.com/rehearse-go/rehearse/runtime/show"
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

// Sched runs executions, one at a time. The zero value is not usable; see New. Its own methods give
// control to processes, take it back, and end an execution.
type Sched struct {
	course
	fixes
	requests
	rests

	backend backend
	running bool // an execution is under way
}

// course is the course of an execution: the processes, what they have done, and whose turn it is.
// Its parts have the data, and what can be done with one part alone. A part that needs another
// holds a pointer to it, which New sets. The methods of course itself are those that need several
// parts: processes that come, and the steps. None of these methods waits for a process.
type course struct {
	registered
	processes
	record
	choice
	border
	lastSteps

	runq []*Proc // processes that run to their next declaration before the next choice
	head int     // the first of runq that has not run yet

	detector detector
	beds     beds
}

// registered has the participants of executions beside the processes.
type registered struct {
	owed      func()   // see Owe
	clock     Clock    // nil: no operation is timed
	life      Life     // nil: nobody is told
	allowance int      // of the first process
	resets    []func() // called before each execution, by the models
	watchers  []Observer
	viewer    Viewer // nil: nobody looks
}

// Clock lists the alternatives that depend on the other alternatives: timers may have to wait until
// nothing else is possible.
type Clock interface {
	// Fires appends the firings that are enabled in a state whose other alternatives are dst.
	Fires(dst []trace.Alt) []trace.Alt
}

// Observer is told of all events that order processes.
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

// Life is told of processes that come and go. Its methods may declare operations.
type Life interface {
	// Watches reports whether it wants to know of processes of bubble b; if b is nil, of processes
	// of no bubble.
	Watches(b *Bubble) bool
	Spawns(p *Proc) // p is about to spawn a process
	Starts(p *Proc) // p, which a daemon has spawned, begins
	Ends(p *Proc)   // p has done all but end
}

// processes are the processes of the present execution.
type processes struct {
	procs    []*Proc // in creation order; a prefix of pool
	alive    []*Proc // those of them that have not ended, in the same order
	pool     []*Proc // every Proc ever made, reused by index
	root     *pathNode
	moved    int  // 1 + the number of the last event of the first process; 0: none yet
	outer    int  // 1 + the number of the last event that was outer; 0: none yet
	changed  int  // 1 + that of the last one by which nobody only waits: see trace.Event.Waits
	returned int  // events before the first process ended
	tries    bool // a process has tried to lock a mutex: others see who holds it
}

// pathNode interns the stable names of processes, so that naming one allocates only the first time.
type pathNode struct {
	path string
	kids []*pathNode
}

// record is the record of the present execution.
type record struct {
	places
	opts    Options
	x       trace.Execution
	details details
	objects int32
	cases   []trace.Case // arena for the Cases of this execution's operations
	ended   bool         // the execution has ended: nothing more is chosen
	dying   bool         // processes are being unwound: no operation has an effect
	excused bool         // processes that are left at the end are not blocked for ever
}

// Options of one execution.
type Options struct {
	MaxSteps int  // the execution ends with trace.Steps after so many events; 0: no bound
	Sites    bool // record source positions and names, which is slow
	Details  bool // with Sites: record stacks and values, too
}

// places knows where the program's code is.
type places struct {
	// the process that runs user code; nil while the scheduler is at work
	cur       *Proc
	sites     map[[siteFrames]uintptr]string // of stacks that were looked at before
	twinSites map[uintptr]string
}

// details has what executions with Options.Details record beside the events.
type details struct {
	// stacks as trace.Execution has them: those of all executions, so that they stay valid
	stacks  []string
	byText  map[string]int32            // 1 + the index in stacks
	spots   map[[maxFrames]uintptr]spot // of stacks that were looked at before
	printer show.Printer
}

// spot is where a process is.
type spot struct {
	site  string
	call  string // the library's function that it has called there
	stack int32  // with details: see trace.Execution.StackOf
}

// choice is the choice of the next step: the state in which it is made, and who makes it.
type choice struct {
	chooser trace.Chooser
	witness trace.Witness // the chooser, if it is one
	state   trace.State
	failure any // what the chooser panicked with
}

// border knows which operations are inner.
type border struct {
	r *record
	// the packages of the border each of whose operations is a choice: see trace.IsFine
	Fine  string
	on    bool // it matters in this execution
	sides map[uintptr]side
	dirs  map[uintptr]string // of inner code: the package
	// the inner operations of the whole step that is under way
	innerRun int
}

// side says to whom the code of a call belongs.
type side uint8

// lastSteps has the last steps of processes before the bound on steps, which show who makes
// progress.
type lastSteps struct {
	r     *record
	ps    *processes
	on    bool
	left  int // steps that are taken down still
	first int // the number of the event before which the first one was declared
	known map[lastStep]bool
	list  []lastStep // the keys of known, in order
}

type lastStep struct {
	proc     int32
	pcs      [maxFrames]uintptr
	receives bool
}

// detector is what Go's race detector is told of an execution: see race.go.
type detector struct {
	driver    uintptr // context of the goroutine that called Run
	scheduler uintptr
	errors    int // reports before the execution
	token     *[8]byte
}

// beds knows which processes are awake.
type beds struct {
	on    bool
	awake []*Proc   // by number
	lists [][]entry // the sleepers by object
}

// entry is a process that went to sleep for the nap-th time.
type entry struct {
	p   *Proc
	nap int32
}

// fixes counts what the present execution was given of several things that Go could do: see Fix.
type fixes struct {
	r     *record
	fixed int // how often Fix was called
}

// requests knows what answers the requests of the present execution.
type requests struct {
	r       *record
	answers map[any]int // what answers a request: 1 + its index in x.Requests
}

// rests knows which processes rest: they wait, and so surely that nobody can miss them. See Rest.
type rests struct {
	r       *record
	ps      *processes
	resting bool // some process has rested in this execution
	// a select with default does not take it while a process rests at the other side of a case
	Arrives bool
}

// Proc is a process of the current execution. Procs are reused, by number, from one execution to
// the next.
type Proc struct {
	ID     int32
	Name   string   // the function it runs, for people
	Op     trace.Op // what it has declared; the models fill it in before Do
	Bubble *Bubble  // that it belongs to, nil if to none; what it spawns belongs there, too
	Apart  bool     // what it waits for or counts is no part of its bubble: data of a pipe

	// for package hook: memory that is reused by the process of this number
	Scratch any
	// for package hook: the return address of the call that has started it, if that is noted
	Creator uintptr
	// for a model: an allowance of the process, which gives half of it to each process that it
	// starts
	Allowance int
	Ranges    int // for a model: ranges over maps so far
	// what people call the objects that it makes next; empty: as the function says that makes them
	Naming string
	// for a Viewer: a value that the declared operation will use, and that only its caller holds
	Operand any

	// Who it is.
	parent   *Proc
	node     *pathNode
	spawned  int    // children so far
	born     int32  // events done when it was spawned
	from     string // where it was spawned, if recorded
	alias    string // see trace.Proc; if recorded
	twins    twins
	service  bool // it was started by package initialisation or TestMain, or by such a process
	daemon   bool // it has no code: a model moves it
	body     func()
	worker   worker // the goroutine it runs on, nil before it starts and after it has ended
	goid     uint64
	identity identity

	// Its declared operation, and its last steps.
	operation Operation
	alt       trace.Alt // the alternative that was taken
	spot                // where it declared, if recorded
	looks     looks
	atBorder

	// Conditions for it to go on.
	asleep bool  // see beds
	naps   int32 // how often it has gone to sleep
	rested bool  // see Rest
	// it was enabled at some time in the second half of the steps that the bound allows
	enabled bool
	// it has called runtime.Goexit, which a recovered panic in a deferred call does not stop
	exiting bool
	ended   bool
	// 1 + its index in Execution.Blocked, when the execution has ended; 0 if it is not there
	blocked int
}

// twins is what a process knows of twins, see trace.Proc: its own, and those among the processes
// that it starts. The latter are started by one go statement in one run of a loop, if the rewriter
// has said that they are twins (Twins, Twin).
type twins struct {
	of     int32 // Proc.Twin
	moved  bool  // it has had an event
	parted bool  // it had none when it started another process
	// of its loop: 1 + the last process that each go statement has started
	latest []int32
	next   int     // 1 + the go statement that comes next; 0: none of a loop
	at     uintptr // where that is
	drew   bool    // Proc.Drew
}

// looks knows the idle steps that a process has done in a row: are they in a loop?
type looks struct {
	idle   int
	last   int32       // the number of the process's last step; 0 before that
	round  trace.Round // of the step that the process is about to do, if it is idle
	since  int         // of a StillRound: the number of events before the round
	locks  bool        // some of the idle steps are on mutexes
	chose  int         // 1 + the number of its last step that could have been another; 0: none
	places []lookPlace // of those steps from someLooks on, each once
	here   lookPlace   // where the process is now, but for pcs
}

// lookPlace is where a process does a step.
type lookPlace struct {
	pcs    uint64 // a hash of the calls that led to it
	runs   int    // how often the process has come to a loop that only looks
	turn   int    // how many rounds it has begun there since then
	held   uint64 // the mutexes that it has locked meanwhile, and not unlocked
	depth  int    // the number of events when it declared the step first in this round
	before int    // and in the round before; -1: it did not
	tally  int    // the last one of runs in which a round has changed a tally
}

// atBorder says on which side of the border a process is: see border.
type atBorder struct {
	ours    bool // border code has started it
	serving bool // it has called a handler
	idle    bool // it waits for another request: see Proc.Idle
	inside  bool // what it did last was inner, or border code has just started it
	fine    bool // the code that is about to do something is of a package of border.Fine
}

// identity is what Go's race detector is told of a process.
type identity struct {
	ctx   uintptr
	token *[8]byte // its address stands for what the process tells
}

// Bubble is a group of processes whose rest package testing/synctest watches.
type Bubble struct {
	Number int   // from 1, in the order in which the execution makes them
	Obj    int32 // the object that stands for it
	Live   int   // processes of it that have not ended
	Main   *Proc // its first process
}

// stop is the declared operation of a process that ends the program.
type stop struct{}

// backend gives processes goroutines and moves control between them.
type backend interface {
	// switchTo gives control from a process to another, or from or to the driver (nil), and returns
	// when control comes back. A process that has no worker yet gets one.
	switchTo(from, to *Proc)

	// close ends the idle workers.
	close()
}

// worker is the goroutine that runs a process.
type worker interface{ goroutine() }

// maxFrames bounds the return addresses of a stack that are looked at.
const maxFrames = 64

// siteFrames is the number of callers that locate looks at first. That suffices mostly: the first
// ones are in this package, a model and package hook, and the next one is in the program.
const siteFrames = 12

// minAfterwards bounds the steps of an execution after its first process has ended, when little is
// left to be done. A larger bound on all steps allows a tenth of its number then.
const minAfterwards = 100000
