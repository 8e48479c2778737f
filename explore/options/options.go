// Package options holds the flags of an exploration, once, for all their users: the commands
// rehearse test, build and replay, and the controlled test binary that they make.
//
// Vocabulary: a build flag shapes the binary (-tags, -race), a run flag its run (-run, -strategy).
// Encode turns the run flags back into arguments, with which a command hands them to the binary.
//
// Guarantees: Parse(o.Encode()) equals o in all run flags; Check accepts only what is built and
// applies.
//
// LIMITS: flags that are planned and not built are known, so that using one says so.
package options

import (
	"runtime"
	"time"
)

// Options are the values of all flags. Default returns those of an empty command line. A method
// answers a question that depends on several flags; those about Orders are methods of Orders.
type Options struct {
	// Build flags.
	Dir     string   // -C: change to this directory first
	Tags    string   // -tags: build tags
	Control Patterns // -control: packages to be rewritten that are not by themselves
	Trust   Patterns // -trust: packages, and functions, that run as they are
	Mod     string   // -mod: how the go command uses go.mod: readonly, vendor or mod
	LDFlags string   // -ldflags: for the linker
	Debug   bool     // -debug: of a replay: build for a debugger, and start that

	// Which tests, for how long, and how the results look.
	// -p: packages that are built at the same time, and processes that explore a test; AsPays: see
	// Builds and Processes
	P    int
	Run  string // -run: regular expression over top-level tests
	Skip string // -skip: likewise, of tests that are left out
	// -list: print the names of the tests that match, and explore none
	List string
	// -parallel: what the tests see as the flag of this name; 0: go test's own
	Parallel int
	// -memory: that the process may use, "8GB"; empty: half of the machine's; 0: any
	Memory          string
	Baseline        string        // -baseline: file with findings that are known
	WriteBaseline   bool          // -write-baseline: write all findings there
	Prune           bool          // -prune: of a replay: remove the schedules that no longer apply
	Verbose         bool          // -v
	JSON            bool          // -json
	Short           bool          // -short
	Count           int           // -count: explorations of each test; of a replay: executions
	Timeout         time.Duration // -timeout: budget of a test binary; 0: none
	FailFast        bool          // -failfast: stop at the first finding
	AllowIncomplete bool          // -allow-incomplete: to end with the budget is no failure
	// -allow-unsupported: a test that cannot be explored is no failure
	AllowUnsupported bool
	// -several: this binary is one of several, so a -run that matches nothing is no error
	Several bool
	Replay  string // -replay: run this schedule only
	// -at: the step at which a replay stops for a debugger, or "decide"; empty: at none
	At     string
	DAP    bool // -dap: of a replay: print what editors need to debug it
	Refine bool // -refine: answer questions about harnesses, from standard input
	// -explorer: answer questions of the live page, from standard input
	Explorer bool
	Watched  bool // a carrier takes lines of the record as they come; no flag
	// with JSON: who reads it takes each object with a Test for a test
	Of bool
	// -handoff: leave the tests there that another process is needed for, or take them from there
	Handoff string
	JUnit   string // -junit: file that the command writes
	SARIF   string // -sarif: likewise
	HTML    string // -html: likewise
	Trace   string // -trace: likewise, of a replay
	// -artifacts: directory, likewise, with one for each test that has findings
	Artifacts string
	// -cover, -coverprofile: of rehearse test, say which statements have run in any order
	Cover        bool
	CoverProfile string
	CoverMode    string // -covermode: set, as counts over all orders say nothing
	CoverPkg     string // -coverpkg: packages to measure instead of each test's own
	// -checkpoint: the file to which the search for a test is saved, so that it can go on; Resume:
	// it goes on. -journals: the directory for these files if none is named
	Checkpoint, Journals string
	Resume               bool
	// -shard: explore one of several shards, "3/8"; -part: the file for its result. -merge: the
	// part files of all shards, as a list of paths
	Shard, Part, Merge string
	Record             string // -record: file that the binary writes, and those are made from
	Values             string // -values: on or off: whether values and source are shown

	Orders
}

// DefaultMaxSteps is far above the steps of a test that can be explored: programs that merely run
// long (a loop of 100,000 messages) must not be called livelocks. It is a second's work.
const DefaultMaxSteps = 1_000_000

// StepTimeout is what -step-timeout is if it is not given: then a step that computes, and does not
// wait for the system, may take longer.
const StepTimeout = 10 * time.Second

// DefaultMaxSpins is more polls in vain than a test makes unless it means to wait.
const DefaultMaxSpins = 10

// DefaultDelay is a time for which the operating system or the collector may well hold up a
// goroutine.
const DefaultDelay = 10 * time.Millisecond

// LongestDelay is the longest time for which goroutines are held up, with -clock delay: tests have
// watchdogs that bark after some seconds.
const LongestDelay = time.Second

// DefaultSeed is the seed of an exploration that does not say which.
const DefaultSeed = 1

// Default returns the options of an empty command line.
func Default() *Options {
	return &Options{
		P: AsPays, Count: 1, Timeout: 10 * time.Minute, Values: "on",
		Orders: Orders{
			Model: "go", Strategy: "auto", Tasks: "all", Independence: "auto",
			Search: "dfs", StepSize: "little", State: "actor", Seed: DefaultSeed, Choices: "select",
			MaxSteps: DefaultMaxSteps, MaxSpins: DefaultMaxSpins, StepTimeout: StepTimeout,
			Clock: "delay", Delay: DefaultDelay, MaxFires: 3, MaxFaults: 1, Atomics: true,
			Races: true,
		},
	}
}

// AsPays is the P of who leaves that open.
const AsPays = -1

// Builds is how many packages are built at the same time. The go command uses several processors by
// itself.
func (o *Options) Builds() int {
	if o.P == AsPays {
		return 2
	}
	return o.P
}

// Processes is how many processes divide the search for a test among them, if that can be divided.
func (o *Options) Processes() int {
	if o.P == AsPays {
		return runtime.NumCPU()
	}
	return o.P
}

// Totals is the file to which a binary writes its totals; empty: there is none.
func (o *Options) Totals() string { return o.beside(".totals") }

// Inputs is the file to which a binary writes the things that its tests read of their surroundings;
// empty: there is none.
func (o *Options) Inputs() string { return o.beside(".inputs") }

// Printed is where a binary leaves what it prints to standard output; empty: nobody asks.
func (o *Options) Printed() string { return o.beside(".printed") }

// Said is where a binary finds the notes that the run has printed before it, and adds its own;
// empty: nobody asks.
func (o *Options) Said() string { return o.beside(".said") }

// Begun is a file that a binary makes when it begins its tests; empty: there is none.
func (o *Options) Begun() string { return o.beside(".begun") }

// beside is a file beside the one of -handoff, if there is that.
func (o *Options) beside(extension string) string {
	if o.Handoff == "" {
		return ""
	}
	return o.Handoff + extension
}

// Records reports whether executions are recorded in detail.
func (o *Options) Records() bool { return o.Record != "" || o.Explorer || o.Watched }

// Covers reports whether it is noted which statements run.
func (o *Options) Covers() bool {
	return o.Cover || o.CoverProfile != "" || o.CoverMode != "" || o.CoverPkg != ""
}

// ForDebugger reports whether the binary is built for a debugger: without optimisations.
func (o *Options) ForDebugger() bool { return o.Debug || o.DAP }

// Decide is the word of -at for the step that decides.
const Decide = "decide"

// ShowsValues reports whether values and source may be shown.
func (o *Options) ShowsValues() bool { return o.Values != "off" }
