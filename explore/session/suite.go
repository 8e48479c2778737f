package session

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/handoff"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/pace"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/reach"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/resume"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/settings"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// suite is one run of the binary. It decides the order and the turns of the tests. Its other
// knowledge and work are divided by subject, and each subject knows the common part only. Its own
// methods are the commands that a binary obeys, and the rounds in which it explores.
type suite struct {
	*common
	handover
	ledger
	outputs
	settings.Settings
	timetable
	facts    *handlers.Table // nil: the options do not need any
	races    *racelog.Log
	journals *resume.Journals
	shards   *sharding // nil: the run has nothing to do with shards
}

// common is what all parts of a run know.
type common struct {
	pkg    Package
	opts   *options.Options
	places *depict.Places
	out    report.Reporter
	meter  *report.Meter
	saved  schedules.Store
	uses   *reach.Uses
	stdout io.Writer
	stderr io.Writer
	watch  *watch.Watch
	now    func() time.Time // the clock of what studies of findings take
	round  int              // of -count, from 0
}

// ledger counts what has come out.
type ledger struct {
	*common
	total report.Package
	worst int            // exit code so far
	known []report.Known // findings that a baseline sets aside
}

// timetable divides the budget among the tests.
type timetable struct {
	*common
	start    time.Time
	deadline time.Time      // end of the budget; zero: none
	unbegun  int            // tests that no exploration has begun with
	again    []*exploration // came to their deadlines, and are not reported yet
	last     bool           // no test gets a second deadline any more
}

// from makes the budget begin earlier: package initialisation and TestMain have a part of it.
func (t *timetable) from(start time.Time) {
	if !start.Before(t.start) {
		return
	}
	if !t.deadline.IsZero() {
		t.deadline = t.deadline.Add(start.Sub(t.start))
	}
	t.start = start
}

// announceModel says which channels are not what they are in Go.
func (c *common) announceModel() {
	if c.opts.Model != "go" {
		c.out.Model(c.opts.Model, c.pkg.Relaxed)
	}
}

func (c *common) complain(err error) int { return complain(c.stderr, err) }

// codeOf is the exit code that a test's result asks for.
func (l *ledger) codeOf(r *report.Test) int {
	switch {
	case r.Fails():
		return process.Finding
	case r.Verdict == report.Error && l.opts.AllowUnsupported && l.opts.Audit == 0 &&
		!(r.Audited != nil && r.Audited.Wrong):
		return process.Clean
	case r.Verdict == report.Error:
		return process.Failure
	case !r.Complete:
		return l.budget()
	}
	return process.Clean
}

// budget is the exit code of tests that are incomplete. A user who interrupts a run does not want
// to be told that all is well.
func (c *common) budget() int {
	if c.opts.AllowIncomplete && !c.watch.Interrupted() {
		return process.Clean
	}
	return process.Budget
}

// handover is what binaries of one run leave to the next.
type handover struct {
	*common
	before *handoff.Work // what an earlier binary has left; nil: there was none
	next   *handoff.Work // what is left to the next one; nil: nothing
	// how long this process took to start, if it goes on with the work of another one: that may be
	// seconds on a busy machine
	starting time.Duration
}

// outputs are the places that results go to, with a record of what was said there.
type outputs struct {
	*common
	said  said
	notes func() []string // that were printed, by this binary or before
}

// said is what the binaries of one run have told, and none of them tells again.
type said struct {
	Notes []string // that were printed
	Stale bool     // why some saved schedule is not run
}

// sharding is what a run has to do with shards (package shards): it is one, or merges them. The nil
// sharding has nothing to do with them.
type sharding struct {
	shard  shards.Shard   // the one of this run; zero: it merges
	file   string         // its part file, absolute
	tests  []shards.Test  // what it has come to
	merged *shards.Joined // what all shards have come to
}

// Package is what the generated file knows about the package under test.
type Package struct {
	Path string // import path
	Dir  string // absolute directory: tests run there, schedules are saved below it
	Root string // absolute directory of its module; empty: it is in none
	// absolute directories of modules that are known by their paths: of the module cache, and of
	// copies
	Modules []string
	// of a command without tests: its main function, explored as a test named "main"
	Main func()

	// the directory of saved schedules, relative to Dir, with slashes; empty: testdata/rehearse
	Schedules string

	Relaxes bool // it was built for delivery models other than Go's
	// the places that make the mailboxes which such a model relaxes: "server.go:12:9 mailbox of
	// Server.loop"
	Relaxed []string

	Compares bool    // it was built so that states can be compared
	Spawns   []Spawn // the go statements of loops
	// what is known of the loops of each file: see rounds.Know
	Loops map[string]string

	// what the analyses know of the program, as facts.Program.Encode writes it; empty: no facts
	// were asked for
	Facts string
	Stamp string // the fingerprint of the program's sources

	MayLeave []string // tests that may leave goroutines behind

	Carried []string // packages whose variables are not put back before each execution

	Announced []string // see world.Program

	// trusted packages of the standard library that may call guarded functions
	Unguarded []string

	// trusted functions that may call guarded functions: "example.org/p.T.M"
	TrustedFunctions []string
	WithC            []string // packages of the program that call C

	Uses []Use // what tests can reach that is not controlled
}

// Use is a place in the source that does something that is not controlled, and that some tests can
// reach. Its Pos is as the compiler has it: "/dir/file.go:12:3". The command finds such places
// before the binary is built. Tests that reach one are refused, unless the user trusts it: then
// they are explored, but never completely.
type Use = report.Use

// Reach is a test that reaches a use.
type Reach = report.Reach

// Spawn is a go statement of a loop, in a binary that was built to tell of twins.
type Spawn struct {
	Site string // "file:line"
	Why  string // why the goroutines that it starts are no twins; empty: they are
}

var (
	began      = time.Now()
	configured Package
	raceFile   string // where the race detector reports
	start      isolate.Start
	home       string        // where to go when packages are initialised; empty: nowhere
	from       string        // where the user is; empty: in the current directory
	link       *isolate.Link // to the parent of this process; nil if it is not a child
	boss       *divide.Link  // to the process that this one helps; nil if it is no helper
	carrier    *divide.Carrier
	command    struct {
		options *options.Options
		err     error
	}
)

// complain prints an error once, in the one form that errors have.
func complain(w io.Writer, err error) int {
	fmt.Fprintf(w, "rehearse: %v\n", err)
	return process.Failure
}

// withMain adds the command's main function to the tests.
func (s *suite) withMain(tests []gate.Test) []gate.Test {
	if s.pkg.Main != nil {
		tests = append(tests, gate.Test{Name: mainTest})
	}
	return tests
}

// mainTest is the name under which a command's main function is explored.
const mainTest = "main"

// count adds a test's result to the package's; nil if it is to come later.
func (l *ledger) count(r *report.Test) {
	if r == nil {
		return
	}
	l.total.Tests++
	l.noteGone(r)
	code := l.codeOf(r)
	switch {
	case code == process.Finding:
		l.total.Failed++
		l.total.Verdict = report.Fail
	case r.Verdict == report.Error:
		l.total.Unsupported++
		if code == process.Failure && l.total.Verdict == report.Pass {
			l.total.Verdict = report.Error
		}
	}
	if !r.Complete {
		l.total.Incomplete++
	}
	if !r.Complete && r.Verdict == report.Pass {
		l.total.Short++
	}
	if r.Complete && r.Verdict == report.Pass && len(r.UpTo) > 0 {
		l.total.Bordered++
		l.total.UpTo = append(l.total.UpTo, r.UpTo...)
	}
	l.worst = process.Worse(l.worst, code)
}

// postpone keeps the result of an exploration that may be begun anew.
func (t *timetable) postpone(e *exploration) bool {
	if t.last || !e.timeIsUp || len(e.result.Findings) > 0 {
		return false
	}
	t.again = append(t.again, e)
	return true
}

// isOne reports whether the run is a shard.
func (h *sharding) isOne() bool { return h != nil && h.merged == nil }

// underControl is the dependencies that were taken under control for this binary, as schedules have
// them.
func (h *handover) underControl() string {
	if h.before == nil {
		return ""
	}
	return strings.Join(h.before.Control, ",")
}

// noteGone notes the known findings of a test that were not met although all has been explored.
func (l *ledger) noteGone(r *report.Test) {
	for _, k := range l.known {
		if k.Package == l.pkg.Path && k.Test == r.Name && r.Complete &&
			!slices.Contains(l.total.Known, k) {
			l.total.Gone = report.AddKnown(l.total.Gone, k)
		}
	}
}

// trial is a test under way: its executors and its results.
type trial struct {
	suite *suite
	test  gate.Test
	study.Desk
	raw      stopper        // what the desk's executors run; it cannot be stopped
	pace     *pace.Executor // a part of raw
	claims   *explore.Claims
	isolated bool // each execution is a process, without -isolate
	result   report.Test
	start    time.Time
	end      time.Time         // of what is under way; zero: it has none
	round    int               // of -count
	warmed   bool              // the first execution was unlike the others
	timeIsUp bool              // it came to its deadline
	timed    bool              // an execution that fails reads the clock more than once
	bound    string            // what the strategy says about what it has missed
	stuck    []*depict.Finding // of executions that cannot be run once more
}

// exploration is one test, explored or replayed. Its own methods are the ways to search, and the
// work after a search.
type exploration struct {
	*trial
	remarks
	*studies
	replayed int // findings of saved schedules
	aside    int // those that are known
}

// remarks tells people what a result does not say by itself.
type remarks struct{ *trial }

// studies minimises, draws and saves the findings of a test.
type studies struct {
	*trial
	early *atOnce                     // nil: findings are not studied while the search goes on
	seen  map[string]*schedules.Saved // by identity in the search: not minimised
	hurry time.Time                   // when work on a finding has to end; zero: enoughAt says
	wrote []string                    // files of schedules that were not there before
}

// stopper is a link that may have to end the work on a test.
type stopper interface {
	explore.Executor
	Over() string // why no further execution can be run; empty: one can
	Begin(turns.Turn)
	Outlasted() bool // a step was under way at the end of the turn
	Search(*explore.Exploration) explore.Result
	Close()
}

// atOnce is an explore.Study: it makes findings presentable and saves their schedules while the
// search waits. A user sees each finding when it is found, and an interrupt of the search loses
// none. A finding that atOnce cannot show is left until the search has ended: then a test may have
// to begin anew.
type atOnce struct {
	*exploration
	points   *adapt.Points
	deadline time.Time          // of the search; zero: none
	studied  map[string]glimpse // by identity in the search
	resume   func()
}

// glimpse is a finding of the search that was studied at once.
type glimpse struct {
	found *depict.Finding // the one of the result that counts it
	rank  explore.Rank    // of the witness
	count int             // of the finding of the search at that time
}

// stopped reports whether the work on the test must end.
func (e *trial) stopped() bool { return e.suite.watch.GiveUp() || e.raw.Over() != "" }

// late reports whether what is under way must have ended.
func (e *trial) late() bool { return !e.end.IsZero() && time.Now().After(e.end) }

func (e *trial) note(format string, args ...any) {
	e.result.Notes = append(e.result.Notes, fmt.Sprintf(format, args...))
}

// noteStuck describes an execution that cannot be shown again: that would take as long again as it
// was waited for.
func (e *trial) noteStuck(x *trace.Execution) {
	kind, message, _ := explore.Judge(x)
	e.stuck = append(e.stuck, depict.NewFinding(kind, message, x, e.suite.places))
}

// load reads a schedule and checks that it is one of the named test.
func (c *common) load(file, test string) (*trace.Schedule, error) {
	sched, err := c.saved.Read(file)
	switch {
	case err != nil:
		return nil, err
	case sched.Test != test:
		return nil, fmt.Errorf("it is a schedule of %s", sched.Test)
	}
	return sched, c.fits(sched)
}

// fits reports what speaks against running the schedule in this binary at all.
func (c *common) fits(sched *trace.Schedule) error {
	if sched.Model != c.opts.Model {
		return fmt.Errorf("it was made with -model %s, and this is -model %s", sched.Model,
			c.opts.Model)
	}
	if missing := c.lacks(sched); missing != "" {
		return fmt.Errorf("it was made with -control %s", missing)
	}
	return nil
}

// progress is called between executions.
func (e *trial) progress(p *explore.Progress) {
	if e.suite.meter.Due(time.Now()) {
		e.suite.out.Progress(e.test.Name, p)
	}
}

// explorationOf is an exploration that has done nothing.
func explorationOf(t *trial) *exploration {
	return &exploration{trial: t, remarks: remarks{t},
		studies: &studies{trial: t, seen: make(map[string]*schedules.Saved)}}
}

// lacks returns the dependencies that were under control when a schedule was made and are out of
// control now; empty if there is none.
func (c *common) lacks(sched *trace.Schedule) string {
	var missing []string
	for path := range strings.SplitSeq(sched.Control, ",") {
		if slices.Contains(c.pkg.Carried, path) {
			missing = append(missing, path)
		}
	}
	return strings.Join(missing, ",")
}
