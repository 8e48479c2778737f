// Package options holds the flags of an exploration, once, for everything that takes them: the
// commands rehearse test, build and replay, and the controlled test binary that they make.
//
// Vocabulary: a build flag shapes the binary (-tags, -race); a run flag shapes what it does (-run,
// -strategy); Encode turns the run flags back into arguments, which is how a command hands them to
// the binary.
//
// Guarantees: Parse(o.Encode()) equals o in all run flags; Check accepts only what is built and
// applies.
//
// LIMITS: flags that are planned and not built are known, so that using one says so.
package options

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/strategy"
)

// Options are the values of all flags. Default returns those of an empty command line. It has a
// method for each question whose answer depends on several flags.
type Options struct {
	// Build flags.
	Dir     string   // -C: change to this directory first
	Tags    string   // -tags: build tags
	Race    bool     // -race: build with the race detector
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
	// with JSON: who reads it takes each object with a Test for a test
	Of bool
	// -handoff: leave the tests there that another build is needed for, or take them from there
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
	// -checkpoint: where the search for a test is written down, so that it can go on; Resume: it
	// does. -journals: the directory for that if no file is named
	Checkpoint, Journals string
	Resume               bool
	// -shard: explore one of several shards, "3/8"; -part: the file for what comes of it. -merge:
	// the part files of all shards, as a list of paths
	Shard, Part, Merge string
	Record             string // -record: file that the binary writes, and those are made from
	Values             string // -values: on or off: whether values and source are shown

	// How the orders are explored.
	Model        string // -model: go, actor or pairs
	Strategy     string // -strategy
	Sleep        bool   // -sleep: sleep sets
	Order        string // -order: which process goes first; empty: the strategy's own
	Tasks        string // -tasks: all or independent
	Independence string // -independence: comma list
	Search       string // -search: dfs or bfs
	StepSize     string // -step: big or little
	State        string // -state: none, plain or actor
	Audit        int    // -audit: pairs of tasks; 0: none
	// -seed of the randomised strategies and of the program's own random numbers
	Seed          uint64
	Choices       string // -choices: select, rand and maps, a comma list; see Hidden
	MaxExecutions int    // -max-executions; 0: no bound
	MaxSteps      int    // -max-steps of one execution
	// -max-spins: polls in vain before a process has to let others go first
	MaxSpins    int
	StepTimeout time.Duration // -step-timeout: for one step; 0: none
	Clock       string        // -clock: delay, explore or idle
	// -delay: findings for which a goroutine must be held up for so long do not fail a test
	Delay time.Duration
	// -max-fires: with -clock explore, early firings of one execution; with delay, see Early; 0: no
	// bound
	MaxFires int
	Atomics  bool   // -atomics: atomic operations are scheduling points
	Races    bool   // -races: look for data races
	Isolate  bool   // -isolate: each execution is a process of its own
	Why      string // -why: two tasks, "A,B"; or "races"; or "symmetry"
	// -backend: coroutine or goroutine; empty: the faster one that works
	Backend string
}

// DefaultMaxSteps is far above what a test does that can be explored: programs that merely run long
// (a loop of 100,000 messages) must not be called livelocks. It is a second's work.
const DefaultMaxSteps = 1_000_000

// DefaultMaxSpins is more than a test polls in vain that does not mean to wait.
const DefaultMaxSpins = 10

// DefaultDelay is for how long the operating system or the collector may well hold up a goroutine.
const DefaultDelay = 10 * time.Millisecond

// LongestDelay is for how long goroutines are held up at most, with -clock delay: tests have
// watchdogs that bark after some seconds.
const LongestDelay = time.Second

// DefaultSeed is the seed of an exploration that does not say which.
const DefaultSeed = 1

// Default returns the options of an empty command line.
func Default() *Options {
	return &Options{
		P: AsPays, Count: 1, Timeout: 10 * time.Minute, Values: "on",
		Model: "go", Strategy: "auto", Tasks: "all", Independence: "auto",
		Search: "dfs", StepSize: "little", State: "actor", Seed: DefaultSeed, Choices: "select",
		MaxSteps: DefaultMaxSteps, MaxSpins: DefaultMaxSpins, StepTimeout: 10 * time.Second,
		Clock: "delay", Delay: DefaultDelay, MaxFires: 3, Atomics: true, Races: true,
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

// Totals is where a binary leaves what it has come to; empty: nobody asks.
func (o *Options) Totals() string { return o.beside(".totals") }

// Inputs is where a binary leaves what its tests read of their surroundings; empty: nobody asks.
func (o *Options) Inputs() string { return o.beside(".inputs") }

// Printed is where a binary leaves what it prints to standard output; empty: nobody asks.
func (o *Options) Printed() string { return o.beside(".printed") }

// Said is where a binary finds the notes that the run has printed before it, and adds its own;
// empty: nobody asks.
func (o *Options) Said() string { return o.beside(".said") }

// beside is a file beside the one of -handoff, if there is that.
func (o *Options) beside(extension string) string {
	if o.Handoff == "" {
		return ""
	}
	return o.Handoff + extension
}

// Records reports whether executions are recorded in detail.
func (o *Options) Records() bool { return o.Record != "" || o.Explorer }

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

// Early returns how many firings of one execution may come while some process could move; fewer
// than 0: any number. With -clock delay, that is what the search begins with.
func (o *Options) Early() int {
	switch {
	case o.Clock != "explore":
		return 0
	case o.MaxFires == 0:
		return -1
	}
	return o.MaxFires
}

// Delays reports whether early firings are searched after all else.
func (o *Options) Delays() bool {
	return o.Clock == "delay" && o.Model == "go" && strategy.Find(o.Strategy).Timed
}

// Still reports whether readings of the clock with no firing of a timer in between are equal.
// Otherwise each is later than those that happen before it: there, states would not be met again,
// and tasks that commute would read other times.
func (o *Options) Still() bool {
	return o.Model != "go" || o.Compares() || o.AboutActors() || o.Strategy == "graph"
}

// Hidden returns the kinds of hidden choices that are explored, as schedules have them:
// "rand,maps", or one of them, or nothing. Which case of a select is taken is a choice in any case.
func (o *Options) Hidden() string {
	var kinds []string
	for _, kind := range []string{"rand", "maps"} {
		if slices.Contains(strings.Split(o.Choices, ","), kind) {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, ",")
}

// Facts reports whether the exploration needs what the static analyses know.
func (o *Options) Facts() bool {
	return o.Sums() || o.AboutActors()
}

// AboutActors reports whether the exploration needs to know which tasks of actors commute, and what
// they may cause.
func (o *Options) AboutActors() bool {
	return o.Refines() || o.Tasks == "independent" || o.Ordering() == "stable" || o.WhyTasks()
}

// Ordering is the order in which processes are picked: -order, or stable, the default of the
// papers' strategies for actors. With sleep sets little depends on it, and another one takes less
// time; empty: the strategy's own.
func (o *Options) Ordering() string {
	papers := o.Model != "go" && (o.Strategy == "dpor" || o.Strategy == "transdpor")
	if o.Order == "" && papers && !o.Sleep && !o.Isolate && !o.Race {
		return "stable"
	}
	return o.Order
}

// WhyRaces reports whether -why asks for the races that the findings' schedules decide, instead of
// for two tasks.
func (o *Options) WhyRaces() bool { return o.Why == "races" }

// WhySymmetry reports whether -why asks which goroutines are twins, and why others are none.
func (o *Options) WhySymmetry() bool { return o.Why == "symmetry" }

// WhySections reports whether -why asks which critical sections have an order.
func (o *Options) WhySections() bool { return o.Why == "sections" }

// WhyTasks reports whether -why asks whether two tasks commute.
func (o *Options) WhyTasks() bool {
	return o.Why != "" && !o.WhyRaces() && !o.WhySymmetry() && !o.WhySections()
}

// Refines reports whether -independence asks for facts about actors.
func (o *Options) Refines() bool {
	return !o.Sums() && (o.Independent("disjoint") || o.Independent("commute"))
}

// Sums reports whether -independence asks for facts about receives whose values are added up.
func (o *Options) Sums() bool {
	return o.Model == "go" && o.Searcher() == "optimal" && o.Independent("commute") &&
		!o.Independent("disjoint")
}

// Searcher is the strategy that searches: auto is optimal where -independence has a word that no
// other strategy knows.
func (o *Options) Searcher() string {
	if o.Strategy == "auto" && (o.Independent("observed") || o.Independent("equal") ||
		o.Model == "go" && o.Independent("commute")) {
		return "optimal"
	}
	return o.Strategy
}

// Arrives reports whether executions are left out in which nobody comes to a channel although there
// is time. Where one execution stands for others that are not equivalent to it, one that is left
// out may stand for one that counts.
func (o *Options) Arrives() bool {
	return o.Strategy != "stateful" && (o.Independence == "none" || o.Independence == "auto")
}

// Rests reports whether such executions are not begun: a select does not miss a partner that rests.
// Other strategies leave them out when they have been run. What auto stands for can be named, too.
func (o *Options) Rests() bool {
	other := func(word string) bool { return word != "symmetry" && word != "sections" }
	return (o.Arrives() || !slices.ContainsFunc(strings.Split(o.Independence, ","), other)) &&
		o.Model == "go" && slices.Contains([]string{"auto", "exhaustive", "dpor", "optimal",
		"random", "pct", "pos", "surw"}, o.Strategy)
}

// Independent reports whether a word is in the list of -independence, or is what auto stands for:
// symmetry and sections, where the strategy is left open, too, and what the processes of an
// execution do can be told from here.
func (o *Options) Independent(word string) bool {
	if o.Independence == "auto" && (word == "symmetry" || word == "sections") {
		return o.Strategy == "auto" && o.Model == "go" && !o.Isolate
	}
	return slices.Contains(strings.Split(o.Independence, ","), word)
}

// Observes reports whether the order of stores that nobody sees is left out.
func (o *Options) Observes() bool {
	return o.Independent("observed") || o.Independent("equal") || o.Sums()
}
