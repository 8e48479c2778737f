// Package report says what an exploration found: as text for people, in the manner of go test, and
// as JSON lines.
//
// Vocabulary: a Reporter is told of all that happens to the tests of a package; Text and JSON are
// two. A tree is filled by the races whose orders it explores. Package depict shows executions.
//
// Guarantees: everything that is printed follows from its arguments; nothing depends on the order
// of a map.
package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/tree"
)

// Reporter is told of everything that happens to the tests of one package, in this order. First
// comes Uncontrolled, if there is anything to tell; then, for each test, Run, any number of
// Progress and Found, and Result; at last Package.
type Reporter interface {
	Begin()                  // before all else, once a package
	Uncontrolled(uses []Use) // what the tests can reach that is not controlled
	// a delivery model other than Go's, and the makes of the channels that it relaxes
	Model(name string, mailboxes []string)
	Why(pair, text string) // what the facts say on two handlers
	Run(test string)
	Progress(test string, p *explore.Progress)
	Found(test string, f *depict.Finding) // as soon as it is known; Result repeats it
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

// Unsupported is the kind of the finding for which a test is refused.
const Unsupported explore.FindingKind = "unsupported"

// Test is the result of exploring one test.
type Test struct {
	Package, Name          string
	Verdict                Verdict
	Model, Strategy, Order string // the ones that were used
	// the choices of the schedule beside the order of operations, a comma list
	Choices string
	explore.Result
	Elapsed  time.Duration     // with replays and minimisation
	Findings []*depict.Finding // hides Result.Findings
	Examples []*record.Trace   // executions that belong to no finding; nil: nobody records
	Tree     *tree.Node        // the shape of the search; nil: nobody records
	Known    []*depict.Finding // those that a baseline sets aside
	Early    *Early            // the search in which timers fire early; nil: there was none
	Slow     []*depict.Finding // those that need more delay than fails the test
	Notes    []string          // what the user should know besides
	Resume   string            // the command that goes on with the search; empty: there is none
	Trace    []string          // of a replay: every step
	Steps    []Step            // likewise, for programs
	Pruned   []Pruned          // orders that facts have left out
	Twins    []Twins           // goroutines that cannot be told from each other, or might seem so
	Sections []Sections        // where critical sections begin, and what is known of them
	Audited  *Audited          // what was audited; nil: there was no audit
	// what fills the tree; nil: nobody has asked, or the test is complete
	Filling *Filling
	Trusted []Use // what was reached that is not controlled, and that the user trusts
	// Controlled has the dependencies that were taken under control because executions differed.
	Controlled []Controlled
	Selection  Selection // of actors; zero: the strategy selects none
}

// Fails reports whether something is wrong with the test. A test with an uncontrolled operation may
// have failed before that operation. A test that the strategy cannot explore, or that was refused,
// is not judged.
func (r *Test) Fails() bool {
	is := func(kind explore.FindingKind) func(f *depict.Finding) bool {
		return func(f *depict.Finding) bool { return f.Kind == kind }
	}
	return !slices.ContainsFunc(r.Findings, is(Unsupported)) &&
		slices.ContainsFunc(r.Findings, func(f *depict.Finding) bool {
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
		return fmt.Sprintf("%s: %s and %d more variables", c.Package,
			strings.Join(c.Variables[:most], ", "), n-most)
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
	// tests that have no findings, can be explored and are incomplete, including those that were
	// not begun
	Short int
	// those that are complete up to packages of the library, and these: see Test.UpTo
	Bordered int
	UpTo     []string `json:",omitempty"`
	// findings that a baseline sets aside, as far as they were met
	Known []Known `json:",omitempty"`
	// those that were not, although their tests were explored completely
	Gone    []Known `json:",omitempty"`
	Listed  bool    // nothing was explored: the user wanted names
	Refused bool    `json:",omitempty"` // nor was it begun: the options do not fit the package
	Elapsed time.Duration
	// the most memory of the process that was resident, in bytes; 0: not known
	PeakMemory int64
	Processor  time.Duration // for how long the process had processors, in all; 0: not known
}

// Early is the search in which timers fire early, after the one in which they do not.
type Early struct {
	Executions, Blocked, Transitions int
	Complete                         bool
	Reason                           string        // why not
	Fails                            time.Duration // findings that need less delay fail the test
	UpTo                             time.Duration // those that need more are not listed
	Filling                          *Filling      // of the round that decides, with -v; or nil
}

// Selection says how actors were selected, by -order stable and -tasks independent. See
// explore.Selection.
type Selection struct {
	States      int // states in which messages were taken, and ends of executions
	Proved      int // of them, those where the actor selected was proved to be stable
	Heuristic   int // those where no actor was
	Backtracked int // how often another actor had to be selected as well
	// the number of times that this happened although the first one had been proved to be stable
	Refuted int `json:",omitempty"`
}
