// Package trace is the vocabulary that the scheduler, the strategies and the reports share: the
// next steps of a process (Op, Alt), a step that was done (Event), and one whole run (Execution).
//
// Processes, objects and events are numbered densely within one execution. Two executions that
// share a prefix of choices share the numbers of everything that exists at the end of that prefix.
// Names that hold across executions are Proc.Path and the hash of package explore.
//
// LIMITS: slices that hang off a State or an Execution are reused by the next one; copy what is
// kept.
package trace

// Kind is the kind of a visible operation.
type Kind uint8

// The visible operations. A Select is declared as Select and done as Send, Recv or Default. Draw,
// Pick and Fault are hidden choices: Go leaves them to chance. They touch nothing that other
// processes see, except that a fault may happen: see Op.Hits.
const (
	None     Kind = iota
	Send          // on a channel
	Recv          // on a channel; also on a closed one
	Select        // several channel cases; declared only
	Default       // a select took its default branch
	Close         // of a channel
	Len           // len(ch)
	Lock          // Mutex.Lock
	TryLock       // Mutex.TryLock
	Unlock        // Mutex.Unlock
	WLock         // RWMutex.Lock, announcing: from here on no new reader gets in
	WWait         // RWMutex.Lock, waiting for the readers to leave
	WTryLock      // RWMutex.TryLock
	WUnlock       // RWMutex.Unlock
	RLock         // RWMutex.RLock
	RTryLock      // RWMutex.TryRLock
	RUnlock       // RWMutex.RUnlock
	WgAdd         // WaitGroup.Add and Done: see Op.Delta
	WgWait        // WaitGroup.Wait
	Once          // Once.Do, entering
	OnceDone      // Once.Do, the function has returned
	Yield         // runtime.Gosched
	Log           // a test's log, its failed flag, its end: all that a test reports
	// waiting for a subtest, or all processes of a bubble, to end; Op.Obj is the subtest or the
	// bubble
	Join
	End        // a subtest, or a process of a bubble, ends
	Now        // reading the clock
	TimerStart // a new timer is armed, or a process begins to sleep
	TimerStop  // Timer.Stop, Ticker.Stop
	TimerReset // Timer.Reset, Ticker.Reset
	// a timer fires, or a sleeping process wakes up: the clock moves to its deadline
	Fire
	AtomicLoad  // of a variable; also a method of sync.Map that only reads
	AtomicStore // of a variable
	// Add, Swap, CompareAndSwap, And, Or; also a method of sync.Map that may write
	AtomicUpdate
	CondEnter     // Cond.Wait, becoming a waiter
	CondWait      // Cond.Wait, waiting to be woken: see Op.Waiter
	CondSignal    // Cond.Signal
	CondBroadcast // Cond.Broadcast
	PoolGet       // Pool.Get
	PoolPut       // Pool.Put
	// a number of math/rand; Op.N is how many values there are, 0 if that is too many to try them
	// all
	Draw
	// the next key of a range over a map, or the order of all; Op.N is how many there are
	Pick
	// something goes wrong outside of the program, or, in case 0, nothing; Op.N is the number of
	// faults that an execution may have, 0 for any number, and Op.Obj the object that counts them,
	// if that matters
	Fault
	// a process is about to start another one; noted only where somebody counts processes
	Birth
	Death  // a process ends; noted likewise
	Count  // runtime.NumGoroutine
	Settle // synctest.Wait: all other processes of the bubble are durably blocked
	Stop   // the program ends: by a panic that nobody recovers, or os.Exit

	// On connections and addresses: see package runtime/stream, which Op.Cap is packed by.
	StreamRead   // Read, ReadFrom
	StreamWrite  // Write, or a part of it; WriteTo
	StreamShut   // Close, CloseRead, CloseWrite; also of a listener
	StreamSet    // a deadline is set, or passes
	StreamListen // Listen, ListenPacket
	StreamDial   // Dial
	StreamAccept // Accept
	NumKinds
)

// Hidden reports whether k is a hidden choice.
func (k Kind) Hidden() bool { return k == Draw || k == Pick || k == Fault }

// branches reports whether an operation of kind k has alternatives that Alt.Case tells apart.
func (k Kind) branches() bool { return k == Select || k.Hidden() }

// Timers is the capacity of the clock, as an object, of which the channels of all timers are a
// part.
const Timers = -1

// The capacity of a mailbox under a delivery model other than Go's; see Mailbox.
const (
	Bag   = -2 // -model actor: any pending message may be taken next
	Pairs = -3 // -model pairs: the oldest one of any sender
)

// Mailbox reports whether a channel with this capacity is a mailbox under a delivery model other
// than Go's. A send to it never blocks, and a receive has an alternative per message that it may
// take.
func Mailbox(capacity int32) bool { return capacity == Bag || capacity == Pairs }

// Message names a message in a mailbox, in the same way in all executions in which it is sent: the
// Number-th message, from 1, that its sender put into any mailbox. The zero Message is none.
type Message struct {
	Sender int32 // a process
	Number int32
}

// Alt is one alternative of the scheduler at one state: process Proc does its declared operation
// now.
type Alt struct {
	Proc int32
	// of a Select: the index of the case taken, or -1 for default; of a Draw: the value or its
	// index; of a Pick: the index of the key; of a Fault: that of the fault; otherwise 0
	Case int32
	// a rendezvous on an unbuffered channel: the receiving process (Proc sends); otherwise -1
	Partner     int32
	PartnerCase int32 // likewise, when the partner's operation is a Select
	// a receive from a mailbox: what it takes; none if that is the end of a closed one
	Takes Message
}

// Alone appends the alternative that process p does its operation, in case i, without a partner. It
// fills in what it has appended: to append what has been put together elsewhere takes three times
// as long, and this is done for each process at each step.
func Alone(dst []Alt, p, i int32) []Alt {
	dst = append(dst, Alt{})
	a := &dst[len(dst)-1]
	a.Proc, a.Case, a.Partner = p, i, -1
	return dst
}

// Involves reports whether process p takes part in a.
func (a *Alt) Involves(p int32) bool { return a.Proc == p || a.Partner == p }

// Event is one step that was done.
type Event struct {
	Alt
	Op        Op // what Proc had declared
	PartnerOp Op // what Partner had declared, when there is one
	// the kind that was done: Op.Kind, or the kind of the chosen case of a Select, or Default
	Kind Kind
	Obj  int32 // the object it was done on; -1 if none
	// channel operations: capacity of Obj; CondSignal and CondBroadcast: the waiters woken before
	// it; StreamWrite: the segment that has made room for it, negative if none; StreamRead: 1 if it
	// has taken all that was left of its segment; StreamShut: 1 if it ends the second half
	Cap int32
	// Send and Recv on a buffered channel: this is the Seq-th (from 0) send or receive of a value;
	// WgAdd: the counter after it; Send and Recv of a mailbox: the message's Number; CondSignal and
	// CondBroadcast: the waiters woken up to and with it; Send with a task: see Server; an
	// operation that begins a section: see Did; of a stream: the number of the segment, or why
	// there is none
	Seq int32
	// Recv that found the channel closed and empty; Send on a closed channel (it panics)
	Closed bool
	// Proc, or Partner, rested where it waited (see sched.Rest), so that nobody could miss it
	Rested, PartnerRested bool
	// of an idle step: what is known of its place
	Round Round
	// TryLock kinds: it succeeded; Once: this process runs the function; Fire: a barrier: it comes
	// only where nothing else was possible; AtomicUpdate: it wrote; PoolGet: there was a value; of
	// a stream: a segment was written or read
	OK bool
}

// Message returns the message that e put into a mailbox, or took out of one; none if it did
// neither.
func (e *Event) Message() Message {
	switch {
	case !Mailbox(e.Cap) || e.Closed:
		return Message{}
	case e.Kind == Send:
		return Message{e.Proc, e.Seq}
	}
	return e.Takes
}

// Idle reports whether e changed nothing: a process that repeats such steps polls. In a loop that
// only looks, a step on a mutex belongs to a round that leaves it as it was, and a round leaves its
// timers behind.
func (e *Event) Idle() bool {
	switch e.Kind {
	case Yield:
		return !e.Op.IsLeave() // what a server has done is in the steps of those who sent
	case Default, Len, WgWait, Now, Count:
		return true
	case AtomicLoad:
		return !e.Op.moves()
	case TryLock, WTryLock, RTryLock, Once, AtomicUpdate:
		return !e.OK
	case Recv:
		return e.Closed
	case Lock, Unlock, RLock, RUnlock, WLock, WUnlock, TimerStart:
		return e.Round == StillRound
	}
	return false
}

// Waits reports whether e is a step by which a process looks whether to wait on, or lets time pass:
// an idle step, a step on a lock, or one of a timer. A process that reads the clock learns more
// than that. Of an AtomicUpdate it is not known at its beginning whether it writes.
func (e *Event) Waits() bool {
	switch e.Kind {
	case Now, AtomicUpdate:
		return false
	case Lock, Unlock, RLock, RUnlock, WLock, WUnlock, TimerStart, TimerStop, Fire:
		return true
	}
	return e.Idle() && e.Partner < 0
}

// Counter is the counter of a WaitGroup after a WgAdd.
func (e *Event) Counter() int32 { return e.Seq }

// Woken returns the numbers of the waiters that a CondSignal or CondBroadcast wakes up: from the
// first one to the one before to.
func (e *Event) Woken() (from, to int32) { return e.Cap, e.Seq }

// State is what a strategy sees when it must choose.
type State struct {
	Depth int   // number of events done so far
	Last  int32 // the process that moved last, -1 at the start
	// the enabled alternatives, never empty, ordered by Proc, then Case (default last; hidden
	// choices begin with the usual one), then Partner, then message, in the order in which they
	// were sent; those that are Late at the end
	Alts   []Alt
	Procs  []*Op   // the declared operation of each process; nil for one that has ended
	Events []Event // the events done so far
	Twins  []int32 // Proc.Twin of each process; empty if nobody looks for twins
	Freed  bool    // since the last event, a twin may begin: see package symmetry

	// The time outside of bubbles, in ns, and the time after one of the last Moves alternatives,
	// which are firings that make time pass. If Moves is 0, Next means nothing.
	Now, Next int64
	Moves     int
	Alone     bool // all processes of the test have ended, so nobody would wait for those firings

	Announces bool // processes announce what they do: see Announced

	// the only alternative is inner: it is a part of the step before, see Execution.Inner
	Inner   bool
	Objects int32   // how many have numbers
	Met     []int32 // of these: see Execution.Met

	Forced int // the last so many of Alts are forced moves: see Execution.Forced
	Since  int // if Forced is not 0: the number of events when the clock came to where it is
	// all alternatives, if some are held back: a Chooser that follows a schedule may set Alts to
	// them
	Held []Alt
}

// Announced is what Op.N says of a Yield by which a process announces something: it is no poll, and
// comes as early as possible where nothing else decides.
const Announced int32 = 1

// Chooser picks the alternative to do next: an index into s.Alts, or a negative number to cut the
// execution off.
type Chooser interface {
	Choose(s *State) int
}

// Witness is a Chooser that is told the effect of a step before the processes concerned go on, as
// these may end the program.
type Witness interface {
	Chooser
	Done(e *Event)
}

// EndKind says how an execution ended.
type EndKind uint8

// How an execution ended.
const (
	// no process can move: all have ended, or those in Blocked never will
	Quiet  EndKind = iota
	Exited         // the program ended itself: main returned, or os.Exit
	Cut            // the Chooser cut it off
	Steps          // the bound on steps was reached
	// a panic that no process recovered, or a fatal error of the runtime
	Crashed
	Uncontrolled // an operation left the controlled world; Crash says which
	// each process that can move goes round a loop that only looks, and nothing changes any more
	Vain
)

// Proc describes one process of an execution.
//
// Two processes are twins if one parent has started both, to do the same with the same variables:
// as long as neither has moved, nobody can tell which is which. A process that starts others before
// its first event is nobody's twin, as these may have moved.
type Proc struct {
	// stable name: "0" for the first process, "0.2" for the third one that it spawned
	Path string
	Name string // the function it runs, for people
	// its name for people if code of another module has started it, and sites are recorded; empty:
	// Name
	Alias  string
	Parent int32 // -1 for the first
	Born   int32 // the number of events that had been done when it was spawned
	Ended  bool
	Ours   bool // code of the library's border has started it
	// it has not come back from the handler of a request
	Serving bool
	// the library's function that it has called and waits in, if sites are recorded: see
	// Execution.Calls
	Call string
	// package initialisation or TestMain has started it, or a process that they have started
	Service bool
	Twin    int32 // 1 + the last process before it of which it is a twin; 0 if none is known
	Drew    bool  // it was given random numbers, of a sequence of its own
	// 1 + an event that must come before its first one, beside those before it was born; 0: none.
	// For strategies, as Elders is for its other steps: see package symmetry
	After   int32
	Elders  Elders
	Site    string // where it was spawned, if sites are recorded or it is a twin
	Bubble  int32  // the number of the bubble of testing/synctest that it is in, from 1; 0: none
	Pending Op     // what it waits for, when it has not ended
	Stack   int32  // where it declared that, in executions with details: see Execution.StackOf
}

// Crash is a panic, or a fatal error, that ended an execution.
type Crash struct {
	Proc  int32
	Text  string // as Go prints it, without "panic: "
	Site  string // where in the program's own code; empty if it is not known
	Stack []byte // of the panicking process
	Fatal bool   // a "fatal error": user code could not have recovered it
}

// NextStack is between the two stacks of a Race.
const NextStack = "goroutine 0 [other access]:\n"

// Race is a report of the race detector.
type Race struct {
	Number int    // of the report, from 0, among those of the binary's run
	Text   string // what is in a race with what, the same in all executions
	Stack  []byte // of both accesses, as Go prints stacks; nil if it is not known
	// Places name the two, "x.n at f.go:7", followed by BesideAtomic if one of them is an operation
	// of package sync/atomic; nil if these are not announced. See Schedule.Points.
	Places []string
	// Uses is set if one is the use of an object of package sync, which has no place.
	Uses bool
	// Accesses are the two, in the order in which they came, in executions that were asked to
	// record sites; nil if they are not known.
	Accesses []Access
}

// BesideAtomic is how those of Race.Places end whose variable is also accessed by atomic
// operations.
const BesideAtomic = " (atomic)"

// AddBesideWait is the Text of a race that has no accesses.
const AddBesideWait = "data race: WaitGroup.Add and WaitGroup.Wait: Add is called beside Wait, " +
	"with a counter of zero"

// Runs is how those of Execution.Calls begin that a process runs.
const Runs = "go "

// Execution is one whole run.
type Execution struct {
	Events []Event
	Procs  []Proc
	End    EndKind
	// processes that have not ended when End is Quiet, ascending; BlockedSites, where they wait,
	// runs beside it
	Blocked []int32
	// when End is Steps: processes that could have moved at some time after the first half, and not
	// only in the last eighth, ascending
	Enabled []int32
	// time passed although processes could move, because they had gone on for so long
	Pressed bool
	Forced  []int32 // the events that let it pass: firings
	Proven  bool    // without each of them, the same order would have come to the bound on steps
	// the bound on steps ended it, and an execution that begins so, and gives each process its
	// turn, ends by itself
	Escapes bool
	// at some state a timer could have fired early, but none may, or the bound on early firings was
	// reached
	Held bool
	// events that armed a timer which fired in the next one, as nothing else was possible: early,
	// if others could still move then
	Armed []int32
	// goroutines that are left behind when the test function has returned are no finding
	Leaves bool
	// the program has set a finalizer or a cleanup, which runs when the garbage collector finds
	// that an object is unreachable: not here
	Finalizes bool
	// the program has read statistics of memory or the process, which are fixed numbers here;
	// Doubted: it failed, and does not fail the same way where they are real
	Measured, Doubted bool
	// no program does this, see explore.Impossible: it is neither counted nor judged
	Never bool
	// selects do not miss partners that rest; and one could not take default for that
	Arrives, Arrived bool
	// when End is Uncontrolled: a process did not come to its next operation, and was left behind
	Stuck  bool
	Crash  *Crash  // when End is Crashed or Uncontrolled
	Limits Limits  // what Go leaves open and was not tried in every way
	Static []int32 // channels that package initialisation made, before any execution, ascending
	// channels that code of other modules has given to signal.Notify, and not to signal.Stop
	Signals []int32

	BlockedSites []string

	// objects of package sync that were not as new ones are when they were first used, ascending
	Initial []Initial

	// Events that code of the library's border did at once, ascending. Each is a part of a whole
	// step that begins with the last event before it that is not one of these.
	Inner []int32
	UpTo  []string // the packages of that code
	Spent int      // there might have been more than so many faults; 0: there were all
	// objects that have got their numbers when they were first used, ascending: they may be older
	Met []int32

	Silent  []Silent // what tasks did that is a part of the event before, in order
	Touches []Touch  // in executions that record what Touched says, in order

	Races     []Race      // data races that the race detector has reported
	Recovered []Recovered // panics of the program that the library has recovered, in order

	// Filled by the executor that ran the test.
	MainDone bool     // the test function has returned (or called Goexit)
	Failed   bool     // the test has failed
	Skipped  bool     // the test skipped itself
	Log      []string // the test's log, a text per call, in order
	ExitCode int      // when End is Exited

	// Sites[i] is the place where event i was declared, "file.go:12:3", in executions that were
	// asked to record it. PartnerSites has the places of the partners; LogSites runs beside Log.
	Sites, PartnerSites, LogSites []string
	// Calls[i] is the library's function that the code at Sites[i] has called to do event i, as
	// "context.WithTimeout"; empty if it did the event itself. If all code of the process is
	// libraries', Calls[i] is the function that the process runs, behind Runs.
	Calls []string
	// Values[i] is the value that event i, a hidden choice, chose, in words; empty for other
	// events. It may be shorter than Events.
	Values []string
	// Objects[i] describes object i for people ("chan inventory.request made at inventory.go:20"),
	// likewise.
	Objects []string
	// Accesses are those to variables that rewritten code announces, likewise, in order.
	Accesses []Access
	Requests []Request // likewise

	// In executions that were asked for details. StackOf[i] is 1 + the index in Stacks of the calls
	// in which event i was declared, 0 if none is known. PartnerStacks has the same for the
	// partners. A stack has a line per call of the program, "function<tab>file:line", innermost
	// first.
	StackOf, PartnerStacks []int32
	Stacks                 []string
	// Sent[i] is the value that event i, a send, has sent. It may be shorter than Events.
	Sent []string
}

// Silent is an alternative that was taken as a part of an event, in an execution that has channels
// that are served: see Served. In others it is an event of its own.
type Silent struct {
	After int32 // the number of events that had been done
	Alt
}

// Touch says that a process has accessed variables that others may touch, between two of its
// events.
type Touch struct {
	Proc  int32
	After int32 // the number of events that had been done
}

// Access is a read or a write of a variable.
type Access struct {
	Proc   int32
	After  int32 // the number of events that had been done
	Cell   int32 // the variable: equal for the same address
	Write  bool
	Atomic bool // it is that of an operation of package sync/atomic, which is an event as well
	// it is an operation of an object of package sync, which is an event as well
	Operation bool
	Name      string // of the variable, as the source has it: "c.n"
	Site      string // "file.go:12"
}

// Verb says what the access does to its variable.
func (a *Access) Verb() string {
	switch {
	case a.Operation:
		return "use"
	case a.Write:
		return "write"
	}
	return "read"
}
