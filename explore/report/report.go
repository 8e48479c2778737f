// Package report says what an exploration found: as text for people, in the manner of go test, and
// as JSON lines.
//
// Vocabulary: a Finding is one thing that is wrong, ready to be shown; its chart is a message
// sequence chart of the execution that shows it, with a column per process, time running down; a
// site is a source position as an execution records it ("/dir/file.go:12"), a place the same as
// people read it ("file.go:12").
//
// Guarantees: everything that is printed follows from its arguments; nothing depends on the order
// of a map.
//
// LIMITS: charts have at most 8 columns and 60 rows; more processes become a list, and more rows
// lose their middle.
package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/tree"
)

// Reporter is told of everything that happens to the tests of one package, in this order:
// Uncontrolled if there is anything to tell; for each test Run, any number of Progress and Found,
// then Result; at last Package.
type Reporter interface {
	Begin()                  // before all else, once a package
	Uncontrolled(uses []Use) // what the tests can reach that is not controlled
	// a delivery model other than Go's, and the makes of the channels that it relaxes
	Model(name string, mailboxes []string)
	Why(pair, text string) // what the facts say on two handlers
	Run(test string)
	Progress(test string, p *explore.Progress)
	Found(test string, f *Finding) // as soon as it is known; Result repeats it
	Result(t *Test)
	Package(p *Package)
	Listed(test string) // instead of all else
}

// Verdict of one test.
type Verdict string

// The verdicts.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Error Verdict = "error" // something that the exploration cannot control
)

// Test is the result of exploring one test.
type Test struct {
	Package, Name          string
	Verdict                Verdict
	Model, Strategy, Order string // the ones that were used
	// what is a choice of the schedule beside the order of operations, a comma list
	Choices string
	explore.Result
	Elapsed  time.Duration   // with replays and minimisation
	Findings []*Finding      // hides Result.Findings
	Examples []*record.Trace // executions that belong to no finding; nil: nobody records
	Tree     *tree.Node      // the shape of the search; nil: nobody records
	Known    []*Finding      // those that a baseline sets aside
	Early    *Early          // the search in which timers fire early; nil: there was none
	Slow     []*Finding      // those that need more delay than fails the test
	Notes    []string        // what the user should know besides
	Trace    []string        // of a replay: every step
	Steps    []Step          // likewise, for programs
	Pruned   []Pruned        // orders that facts have left out
	Twins    []Twins         // goroutines that cannot be told from each other, or might seem so
	Sections []Sections      // where critical sections begin, and what is known of them
	Audited  *Audited        // what was audited; nil: there was no audit
	Filling  *Filling        // what fills the tree; nil: nobody has asked, or the test is complete
	Trusted  []Use           // what was reached that is not controlled, and that the user trusts
	// Controlled has the dependencies that were taken under control because executions differed.
	Controlled []Controlled
	Selection  Selection // of actors; zero: the strategy selects none
}

// Fails reports whether something is wrong with the test. One with an operation that is not under
// control may have shown that before; one that is not for the strategy, or was refused, is not
// judged.
func (r *Test) Fails() bool {
	is := func(kind explore.FindingKind) func(f *Finding) bool {
		return func(f *Finding) bool { return f.Kind == kind }
	}
	return !slices.ContainsFunc(r.Findings, is(unsupported)) && slices.ContainsFunc(r.Findings, func(f *Finding) bool {
		return f.Kind != explore.Suspect && f.Kind != explore.Uncontrolled
	})
}

// Skips reports whether the test skips itself in every order.
func (r *Test) Skips() bool {
	return r.Verdict == Pass && r.Complete && r.Skipped > 0 && r.Skipped == r.Executions
}

// Controlled is a dependency whose variables are put back before each execution, and those that the
// test changes.
type Controlled struct {
	Package   string
	Variables []string
}

// String is the dependency as people read it.
func (c Controlled) String() string {
	const most = 3
	if n := len(c.Variables); n > most {
		return fmt.Sprintf("%s: %s and %d more variables", c.Package, strings.Join(c.Variables[:most], ", "), n-most)
	}
	return c.Package + ": " + strings.Join(c.Variables, ", ")
}

// Package is the result of a whole test binary.
type Package struct {
	Path        string
	Verdict     Verdict
	Tests       int
	Incomplete  int // tests whose exploration ended early
	Unbegun     int // those of them with which it did not begin
	Failed      int // tests with findings
	Unsupported int // tests without, of which something cannot be controlled
	// tests without findings that can be explored and are incomplete, those that were not begun
	// among them
	Short int
	// findings that a baseline sets aside, as far as they were met
	Known []Known `json:",omitempty"`
	// those that were not, although their tests were explored completely
	Gone    []Known `json:",omitempty"`
	Listed  bool    // nothing was explored: the user wanted names
	Elapsed time.Duration
	// the most memory of the process that was resident, in bytes; 0: not known
	PeakMemory int64
	Processor  time.Duration // for how long the process had processors, in all; 0: not known
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind      explore.FindingKind
	Message   string
	Sentence  string    // what decides; see sentence.go; empty: it is not known
	Identity  string    // as explore.Problem has it
	Processes []Process // those it concerns: the blocked ones, or the one that panicked
	Pos       string    // place, with column when known; may be empty
	Schedule  string    // file, relative to the package's directory; empty if it could not be saved
	// why the schedule is not minimised to the end, or not shown; empty if it is, or if there are
	// many findings
	Rough string
	Count int // executions that showed it
	// the randomised strategy that found it, if it was a sample beside a systematic search
	Sampler  string
	Log      []Line          // what the test logged in the execution that is shown
	Chart    []string        // that execution; empty: not shown
	Away     int             // steps by which it differs from a passing execution; -1: none is known
	Stack    []Line          // of a panic, innermost first: function and place; of a race, both
	Accesses []RaceEnd       // of a race: the two accesses
	Causes   []Cause         // why the steps that deviate matter; nil: nobody has asked
	Traces   []*record.Trace // the execution that shows it, and the one beside; nil: nobody records

	// the longest time for which a goroutine must be held up so that it shows; 0: none must
	Delay time.Duration
	Held  []Held // who must be
}

// RaceEnd is one of the two accesses of a race.
type RaceEnd struct {
	What    string // "write of p.n"
	Process string
	Stack   []Line
	Step    int    // the number of steps that had been done
	Holds   []Lock `json:",omitempty"` // what the process has locked
}

// Lock is a lock that is held.
type Lock struct {
	Name string // "mu1"
	Code string `json:",omitempty"` // what the code calls it: "s.mu"; empty: that is not clear
	Pos  string // where it was locked
	Read bool   `json:",omitempty"` // for reading only
}

// Held says for how long a goroutine must be held up.
type Held struct {
	Name, Path string // as of a Process
	For        time.Duration
}

// Early is the search in which timers fire early, after the one in which they do not.
type Early struct {
	Executions, Blocked, Transitions int
	Complete                         bool
	Reason                           string        // why not
	Fails                            time.Duration // findings that need less delay fail the test
	UpTo                             time.Duration // those that need more are not listed
}

// Process is the part of one process in a finding.
type Process struct {
	Name  string
	Path  string // as in schedules
	State string // "blocked", "panicked", or "running" at a step that does not end
	Op    string // what it waits for or did, in words
	Wait  string // of a blocked one: what it waits for, in the words of Go's own goroutine dumps
	Pos   string // where; may be empty
}

// Line is a text with the place it comes from.
type Line struct {
	Pos  string
	Text string
}

// Selection says how actors were selected, by -order stable and -tasks independent. See
// explore.Selection.
type Selection struct {
	States      int // states in which messages were taken, and ends of executions
	Proved      int // of them, those where the actor selected was proved to be stable
	Heuristic   int // those where no actor was
	Backtracked int // how often another actor had to be selected as well
	// how often that was so although the first one had been proved to be stable
	Refuted int `json:",omitempty"`
}
