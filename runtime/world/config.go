package world

import (
	"time"

	"github.com/rehearse-go/rehearse/runtime/model/tests"
)

// Program is what is known of the binary before anything of it runs.
type Program struct {
	Path string // the import path of the package under test, in names of temporary files

	// Packages that announce all their accesses to shared variables, and that no other packages
	// import. So code of these packages is inlined only into functions of these packages.
	Announced []string

	// packages that may call guarded functions, directly or through others
	Unguarded []string
	// functions and methods that may do so, as plainName has their names
	TrustedFunctions []string
	// The program may call trusted code. The goroutines of that code are not under control, and may
	// use the program's locks.
	Foreign bool

	// Packages of the program that call C. Their C code is trusted: it runs as it is, until it
	// blocks, and no result with some is complete.
	WithC []string
}

// Binary is the one that runs.
var Binary Program

// Config is what executions depend on besides the program and the choices of the schedule. The zero
// Config is Go as it is, with a clock that moves only when nothing else can.
type Config struct {
	Technique string // how processes switch: "coroutine", which is the same as "", or "goroutine"
	MaxSteps  int    // events of one execution; 0: no bound

	Model int32  // what mailboxes are: trace.Bag, trace.Pairs, or 0 for Go's channels
	Seed  uint64 // of the program's random numbers
	Clock Clock  // which timers may fire early
	Moves bool   // forced moves of the clock are choices; see trace.State.Forced

	// hidden choices that are choices of the schedule
	Rand, Maps bool
	Faults     int // kinds of faults that are: see gate.FaultSignal
	MaxFaults  int // of one execution; 0: any number
	// packages of the library each of whose operations is a choice: see trace.IsFine
	Fine string

	// the operations that have an order
	Groups   bool // the order of Add and Done of a WaitGroup is kept; see trace.InOrder
	Stores   bool // stores of equal values to one atomic variable have an order
	Sections bool // sections of mutexes may commute; see package sections
	Arrives  bool // a select does not miss a partner that has come to rest; see sched.Rest

	// Points are the accesses that are steps, by what they are announced as.
	Points []string
	// Inert says that atomic operations are no steps, and Raceless that data races are not looked
	// for.
	Inert, Raceless bool

	Only *tests.Filter // which subtests run; nil: all

	Statistics bool // of memory and the process: the real ones, not fixed numbers

	// Executions record this.
	Details bool       // of those that record sites: stacks and values, too
	States  Comparison // how states are compared
	// which sent values are equal, see trace.NoValue, and between which receives a process touches
	// shared variables, see trace.Touched
	Values bool
	// that receives which drop their values are of group trace.Dropped
	Drops bool
	// the group of the receives at a place, "file.go:12" with the file's directory, see
	// trace.NoGroup; nil: receives have no groups
	Group func(place string) int32
	// Places and messages: Op.N of a Recv from a mailbox, or of a Select, is the number of its
	// place then.
	Places bool

	// Module is the directory of the module whose tests run, and Libraries are the directories of
	// those that it requires; see package sched.
	Module    string
	Libraries []string
}

// Clock says what time does.
type Clock struct {
	Early  int           // firings that may come while some process could move; < 0: any number
	Within time.Duration // who waits for longer may not fire early; 0: all may
	Turns  int           // of the timers that one process arms, so many may; 0: all
	Ahead  time.Duration // the clock moves by less than this; 0: by any time

	// Each reading is later than those that happen before it. Otherwise, the clock stands still
	// between two firings.
	Flows bool
	// Sleep takes no time, as long as nobody can tell; otherwise, executions are cut
	Naps bool
}

// Setup is that of the latest executor.
var Setup Config

// Comparison says which states are equal.
type Comparison uint8

// The comparisons. States that are equal by number look the same to a strategy, now and later:
// present and future processes, objects and messages have the same numbers.
const (
	Uncompared Comparison = iota
	// processes by their numbers, messages in the order in which they were sent
	AsTheyAre
	AsSets   // of actors and messages
	ByNumber // processes, objects and messages by their numbers
)
