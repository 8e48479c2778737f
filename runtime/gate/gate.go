// Package gate is the border between the standard library and the controlled runtime.
//
// A controlled test binary is built with an overlay. At the entry of a few exported functions of
// packages sync, reflect, os and testing, the overlay inserts a call through one of the variables
// below. The package imports only unsafe, because sync itself imports it. Package hook sets the
// variables.
//
// Vocabulary: the owner is the goroutine that runs the code of a controlled process at this moment.
// Every inserted entry first asks Here(): code on any other goroutine (the scheduler, the explorer,
// the standard library's own background goroutines) never reaches a model.
package gate

import "unsafe"

// Owner is the runtime's id of the goroutine that runs a controlled process, or 0 while none runs
// (the scheduler is at work, or no exploration has begun).
var Owner uint64

// Here reports whether the caller runs as a controlled process.
//
//go:norace
func Here() bool {
	return Owner != 0 && Owner == Goid() && !InCallback() || len(lost) > 0 && park()
}

// CallsC says that the program calls C.
var CallsC bool

// InCallback reports whether the caller, a controlled process, was called by C. There it counts as
// an ordinary goroutine, because a switch to another process would leave C's frames behind.
//
//go:norace
func InCallback() bool { return CallsC && Locked() }

// lost are the ids of goroutines that were the owner and did not come back.
var lost []uint64

// Lose gives up the owner, which is in the middle of something that does not end, and returns its
// id. Whatever it asks the gate for after that, it never gets an answer.
func Lose() uint64 {
	id := Owner
	lost, Owner = append(lost[:len(lost):len(lost)], id), 0
	return id
}

// Park does not return if the caller has been given up.
func Park() {
	if len(lost) > 0 {
		park()
	}
}

func park() bool {
	me := Goid()
	for _, id := range lost {
		if id == me {
			select {}
		}
	}
	return false
}

// Caller is the program counter behind the latest call of a method of package sync by a controlled
// process. A model reads it when it meets an object for the first time. It is 0 without the
// overlay.
var Caller uintptr

// Package context announces accesses to the children of a context at an address. ChildrenLock says
// that its next Lock begins a section, ChildrenEntry that this section sets or deletes one child,
// and ChildrenOrder that somebody sees in which order children were set.
var (
	ChildrenLock  func()
	ChildrenEntry func(of unsafe.Pointer, child any)
	ChildrenOrder func(of unsafe.Pointer)
)

// The models of package sync's methods. Each performs the whole operation; the original body does
// not run.
var (
	MutexLock       func(m unsafe.Pointer)
	MutexTryLock    func(m unsafe.Pointer) bool
	MutexUnlock     func(m unsafe.Pointer)
	RWMutexLock     func(m unsafe.Pointer)
	RWMutexTryLock  func(m unsafe.Pointer) bool
	RWMutexUnlock   func(m unsafe.Pointer)
	RWMutexRLock    func(m unsafe.Pointer)
	RWMutexTryRLock func(m unsafe.Pointer) bool
	RWMutexRUnlock  func(m unsafe.Pointer)
	WaitGroupAdd    func(wg unsafe.Pointer, delta int) // Done is Add(-1)
	WaitGroupWait   func(wg unsafe.Pointer)
	WaitGroupGo     func(wg unsafe.Pointer, f func())

	CondEnter     func(c unsafe.Pointer) (number int32) // Wait, before it unlocks
	CondWait      func(c unsafe.Pointer, number int32)  // Wait, before it locks again
	CondSignal    func(c unsafe.Pointer)
	CondBroadcast func(c unsafe.Pointer)

	// Library decides for a caller (a program counter): library code keeps the original Pool and
	// Map, for the same reason as below.
	Library func(caller uintptr) bool
	// OwnPool is Library for a Pool: those of the border are always empty, which nobody sees.
	OwnPool func(caller uintptr) bool
	PoolGet func(p unsafe.Pointer) (v any, ok bool) // not ok: the pool is empty
	PoolPut func(p unsafe.Pointer, v any)           // v is not nil

	// MapAccess declares a method that is about a key, or, if keyed is false, about all; write: it
	// may change something. The original body does it. MapKept says of the one that was declared
	// last that it changes nothing.
	MapAccess func(m unsafe.Pointer, key any, keyed, write bool)
	MapKept   func()

	// MapRange calls f, until it returns false, for the pairs that each yields now. each is the
	// original body.
	MapRange func(m unsafe.Pointer, each func(f func(key, value any) bool),
		f func(key, value any) bool)

	// OnceDo runs f if o has not completed in this execution. It does nothing and returns false
	// when the caller (a program counter) is library code: a library's package state survives an
	// execution, so its sync.Once must, too.
	OnceDo func(o unsafe.Pointer, f func(), caller uintptr) bool

	// OnceUsed reports whether OnceDo has used o in this execution: then its calls are steps even
	// if o is done.
	OnceUsed func(o unsafe.Pointer) bool
)

// The models of package reflect's operations on channels. Values are of type reflect.Value, or nil
// for the zero Value. done is false, and nothing was done, if the original body panics for these
// arguments.
var (
	MadeChan func(ch unsafe.Pointer)
	// cases is a []reflect.SelectCase
	ReflectSelect func(cases any) (chosen int, v any, ok, done bool)
	ReflectSend   func(ch, v any, try bool) (ok, done bool)
	ReflectRecv   func(ch any, try bool) (v any, ok, done bool)
	ReflectClose  func(ch any) (done bool)
	ReflectLen    func(ch any) int
)

// Functions of the library call these where they read or write variables of the program.
var (
	// Accessed tells of an access to n variables of type t, a reflect.Type, that follow one
	// another. If t is nil, it is a map, or a variable that has no parts.
	Accessed func(at unsafe.Pointer, t any, n int, write bool)
	// Filled tells that the first n bytes of b have been written.
	Filled func(b []byte, n int)
	// Streamed tells that the stream at a place is about to change in a call from caller. t is a
	// nil pointer of its type.
	Streamed func(at unsafe.Pointer, t any, caller uintptr)
	// Field tells that a method of the library is about to access the field of an object at a
	// place, or has just written it.
	Field func(at unsafe.Pointer, write bool)
	// Pooled tells that the library has put v into a pool of its own.
	Pooled func(v any)
	// Printed tells that v, a reflect.Value, is about to be printed. If deep is false, only what
	// v itself is, or the map that it is, is looked at.
	Printed func(v any, deep bool)
)

// At is the address of a variable, which need not be on the heap for it.
//
//go:nosplit
func At[T any](p *T) unsafe.Pointer {
	x := uintptr(unsafe.Pointer(p))
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// The models of package testing/synctest, whose Test is TB.Bubble.
var (
	BubbleWait func()
	// reports whether the caller, a controlled process, is in a bubble
	InBubble func() bool
	// reports whether at is on the heap; nil without the overlay
	OnHeap func(at unsafe.Pointer) bool
)

// The models of package time. Times are nanoseconds of the virtual clock, which starts at 0; a
// deadline is d from now.
var (
	ClockNow   func() int64
	ClockSleep func(d int64)
	// of a timer that the caller has just made
	TimerStart func(t *Timer, d, period int64)
	TimerStop  func(t unsafe.Pointer) bool                  // reports whether the timer was active
	TimerReset func(t unsafe.Pointer, d, period int64) bool // likewise
)

// Before the first execution, timers that the program makes and its Sleep are under control, too.
var (
	Early func() bool                 // reports whether the caller of package time is the program
	Pause func(d int64, sleep func()) // Sleep of the program: sleep does it
)

// Timed reports whether a timer that the caller makes is under control.
//
//go:norace
func Timed() bool { return Here() || Preparing && Early != nil && Early() }

// Timer is a new *time.Timer or *time.Ticker, as package time describes it.
type Timer struct {
	At    unsafe.Pointer  // the timer's address: its identity
	Chan  unsafe.Pointer  // its channel, or nil
	Send  func(now int64) // puts the time into the channel, if that has room
	Empty func() bool     // takes the time out of the channel; false if there is none
	// the time stays in the channel when the timer is stopped, as before Go 1.23
	Keeps bool
	Func  func() // of AfterFunc
}

// Random is the next number of the caller's own random sequence.
var Random func() uint64

// The hidden choice of a random number, if those are explored; else the usual one.
var (
	Draw func(n, usual uint64) uint64 // one of the numbers 0 to n-1; n is 0 for 1<<64
	// 0 for the usual number of a large range, 1 for its least, 2 for its greatest
	Sample func() int
	// reports whether a permutation of n values is not drawn number by number, and notes that
	Permutes func(n int) bool
	// notes that the caller takes the usual number in any case
	Fixed func()
)

// Runner is testing.tRunner, which stands below a test in a stack; nil: there is none.
var Runner any

// Guard ends the execution because the caller has called the uncontrolled function of the given
// name. If the user trusts the call, or no execution runs, Guard notes the call and returns.
var Guard func(name, text string)

// Met reports whether the caller of a function whose effects outlive the call is the program: it
// runs as a controlled process, or prepares the first execution.
//
//go:norace
func Met() bool { return Here() || Preparing }

// Raise sends a signal, an os.Signal, to the program itself. It reports false if nobody has asked
// for it.
var Raise func(sig any) bool

// Reflected is told of a method of a type, a reflect.Type, that the caller gets at by reflection.
var Reflected func(t any, method string)

// Patient reports whether one who reads a pipe to its end may wait for that end, and read all at
// once. Impatient says that others may notice: see package os.
var (
	Patient   func() bool
	Impatient func()
)

// Statistic reports whether the caller gets fixed numbers from the function of the given name, and
// notes it.
var Statistic func(name string) bool

// Trusting reports whether the library's code that calls package sync may share the object of the
// call with goroutines that are not under control; nil: there are no such goroutines.
var Trusting func() bool

// Native reports whether a call of package sync is left to its original body.
func Native() bool { return Trusting != nil && Trusting() }

// Exit is the model of os.Exit, for library code that calls it (log.Fatal).
var Exit func(code int)

// Stdout takes what the program writes to os.Stdout, while an example runs; false: it is to be
// written as usual.
var Stdout func(text []byte) bool

// The models of objects that processes share through the operating system, or in tables of the
// library. Path, Handle and Table declare an operation, which the caller does when they return.
var (
	// on a name in the file system; other is the second name of some
	Path func(op PathOp, path, other string)
	// a PathRename or PathLink has been done
	Named func(op PathOp, path, other string)
	// a file has been opened by this name
	Opened func(file unsafe.Pointer, path string)
	// on an open file, which was opened by this name
	Handle func(file unsafe.Pointer, path string, op HandleOp)
	// the operation of the last Handle has changed nothing
	Idle func()
	// until end, all operations are parts of one on what is below path
	Tree func(path string) (end func())
	// on a variable of the library that processes share
	Table func(at unsafe.Pointer, write bool)
	// package os: a pipe in memory for the two *os.File of a pipe, and what identifies these
	Conduit func(r, w unsafe.Pointer) (files [2]unsafe.Pointer, pipe unsafe.Pointer)
	Open    func(pipe unsafe.Pointer) // package os: called when both ends can be used
	// the pipe that a file is an end of; nil: there is none
	PipeOf func(file unsafe.Pointer) (pipe unsafe.Pointer)
	// the end of a pipe of which is says that it is the one, and the pipe
	PipeAt func(is func(file unsafe.Pointer) bool) (file, pipe unsafe.Pointer)
	// an *os.File is another name for an end of a pipe; file is what identifies it
	Joins func(f, file, pipe unsafe.Pointer)
	// files are no longer ends of a pipe in memory
	Unpipe func(pipe unsafe.Pointer)
	// what the process waits for or counts is no part of its bubble, until on is false
	Apart func(on bool)
	// the next number for the name of a temporary file
	Temp func() uint32
	// the virtual time of a change of a file at a real time, in nanoseconds; now reads the virtual
	// clock
	Modified func(device, file uint64, at int64, now func() int64) int64
)

// Settings are functions of library packages that keep settings for all processes. Each remembers
// the present settings, and returns a function that restores them.
var Settings []func() (restore func())

// This process has a directory for temporary files of its own. Its name ends with a number, because
// several processes may explore one package at a time.
var (
	Claim     func() // makes the directory, unless there is one
	TempDir   string // os.TempDir() returns it; empty: none could be made
	TempFirst string // likewise in a process that runs alone
	TempRoot  string // TempDir without symbolic links
	TempTests string // below TempRoot: the directories of T.TempDir
)

// PathOp says what an operation does with the name of a file.
type PathOp uint8

// The operations on names.
const (
	PathLook     PathOp = iota // looks at what has the name
	PathMake                   // makes something of this name, if there is nothing
	PathTruncate               // makes or empties a file
	PathAlter                  // changes mode, owner or times
	PathRemove                 // removes the name
	PathTree                   // removes the name and all below it
	PathRename                 // gives what has the name another one
	PathLink                   // gives what has the name one more
	PathSymlink                // makes a link
	PathChdir                  // makes the name the working directory
	PathGetwd                  // looks at the working directory; there is no name
)

// HandleOp says what an operation does with an open file.
type HandleOp uint8

// The operations on open files.
const (
	HandleRead    HandleOp = iota // reads and moves the offset
	HandleReadAt                  // reads
	HandleWrite                   // writes and moves the offset
	HandleWriteAt                 // writes
	HandleSeek                    // moves the offset
	HandleLook                    // looks at size, mode and times
	HandleAlter                   // changes these
	HandleList                    // reads a directory
	HandleClose
)

// Touched is set when the program changes its environment or its working directory, so that they
// can be restored before the next execution.
var Touched bool

// Touch sets Touched. Neither it nor Aside and Back may become a part of code that the race
// detector watches.
//
//go:noinline
func Touch() { Touched = true }

// Aside makes the calling process an ordinary goroutine until Back is called with the result.
//
//go:noinline
func Aside() (owner uint64) {
	owner, Owner = Owner, 0
	return owner
}

// Back ends what Aside began.
//
//go:noinline
func Back(owner uint64) { Owner = owner }

// reader is the controlled process that AtOnce has set aside.
var reader uint64

// AtOnce is Aside for a function of the library that is one step: what it reads, the program reads.
//
//go:noinline
//go:norace
func AtOnce() (owner uint64) {
	owner = Aside()
	reader = owner
	return owner
}

// BackFrom ends what AtOnce began.
//
//go:noinline
//go:norace
func BackFrom(owner uint64) {
	reader = 0
	Back(owner)
}

// IsAtOnce reports whether the caller is between AtOnce and BackFrom.
//
//go:norace
func IsAtOnce() bool { return reader != 0 && reader == Goid() }

// Test is one top-level test function of the binary, an example, or a fuzz target.
type Test struct {
	Name string
	Run  func(TB) // runs the test function with a *testing.T whose methods call TB
}

// Awaits runs what waits for the first execution, for a caller who is about to wait before that, or
// after the last one; nil in between.
var Awaits func()

// Await is called by what waits outside of an execution.
func Await() {
	if Awaits != nil {
		Awaits()
	}
}

// InputLog is the file in which is written down what the tests read of their surroundings; empty:
// nobody asks.
var InputLog string

// preparer is the goroutine, if any, on which the explorer reads of its own surroundings while
// packages are being initialised.
var preparer uint64

// Prepare makes the calling goroutine the explorer's until the result is called.
//
//go:norace
func Prepare() (end func()) {
	preparer = Goid()
	return func() { preparer = 0 }
}

// Prepares reports whether the calling goroutine is the explorer's.
//
//go:norace
func Prepares() bool { return preparer != 0 && preparer == Goid() }

// OnUnknown, if not nil, is called when the program first reads something that nobody can write
// down.
var OnUnknown func()

var readUnknown bool // the program has done so

// ReadUnknown says that the program reads something that nobody can write down.
//
//go:norace
func ReadUnknown() {
	if !readUnknown {
		readUnknown = true
		if OnUnknown != nil {
			OnUnknown()
		}
	}
}

// HasReadUnknown reports whether the program has done that.
func HasReadUnknown() bool { return readUnknown }

// Main explores tests in place of testing's own runner and returns the exit code. Nil until package
// session is linked in.
var Main func(tests []Test) int

// TB is what a detached *testing.T calls instead of its own bodies. All methods run on the calling
// process.
type TB interface {
	Log(text string)   // text as Log and Logf format it, with its final newline or without
	Write(text string) // what is written to Output
	// lines that the caller's caller logs, or who that calls, count as those of who has called it
	Helper()
	Fail()
	Failed() bool
	FailNow()
	SkipNow()
	Skipped() bool
	Cleanup(f func())
	AtEnd(f func())                   // has f called just before the cleanups, or at once; once
	Run(name string, f func(TB)) bool // as testing.T.Run; false if the subtest failed
	Parallel()
	Bubble(f func(TB)) bool // as synctest.Test; false if the test failed
	FullName() string       // as testing.T.Name

	// Capture keeps what the program writes to os.Stdout, until output is called.
	Capture() (output func() string)
}
