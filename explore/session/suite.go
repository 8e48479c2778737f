package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	testmodel "github.com/rehearse-go/rehearse/runtime/model/tests"
)

// suite is one run of the binary. It decides the order and the turns of the tests. Its other
// knowledge and work are divided by subject, and each subject knows the common part only. Its own
// methods are the commands that a binary obeys, and the rounds in which it explores.
type suite struct {
	*common
	advisor
	handover
	journals
	ledger
	outputs
	refusals
	settings
	timetable
	races  *racelog.Log
	shards *sharding // nil: the run has nothing to do with shards
}

// common is what all parts of a run know.
type common struct {
	pkg    Package
	opts   *options.Options
	places *depict.Places
	out    report.Reporter
	meter  *report.Meter
	saved  schedules.Store
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
	if !t.deadline.IsZero() {
		t.deadline = t.deadline.Add(start.Sub(t.start))
	}
	t.start = start
}

func newSuite(pkg Package, o *options.Options) (*suite, error) {
	if pkg.Path == "" {
		return nil, errors.New("internal error: the binary does not know its package")
	}
	if _, _, err := strategyOf(o, advice{}); err != nil {
		return nil, err
	}
	built := func(setting string) bool {
		return setting == "relaxed" && pkg.Relaxes || setting == "comparing" && pkg.Compares
	}
	if err := o.Against(strategy.Built, built); err != nil {
		return nil, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	stderr := process.Keep(os.Stderr)
	s := suiteOf(&common{
		pkg: pkg, opts: o, now: time.Now,
		places: placesOf(pkg, o, cwd),
		meter:  report.NewMeter(stderr),
		saved:  schedules.NewStore(pkg.Dir, pkg.Schedules),
		stdout: printed(o), stderr: stderr,
	})
	s.start, s.total = time.Now(), report.Package{Path: pkg.Path, Verdict: report.Pass}
	s.races = racelog.New(raceFile, s.places)
	if o.Timeout > 0 {
		s.deadline = s.start.Add(o.Timeout)
	}
	if s.checkpoint = o.Checkpoint; s.checkpoint != "" && !filepath.IsAbs(s.checkpoint) {
		s.checkpoint = filepath.Join(cwd, s.checkpoint)
	}
	if err := s.takeOver(); err != nil {
		return nil, err
	}
	if err := s.readBaseline(); err != nil {
		return nil, err
	}
	if err := s.learn(); err != nil {
		return nil, err
	}
	if s.shards, err = s.newSharding(o, cwd); err != nil {
		return nil, err
	}
	s.config = s.configOf(o)
	return s, nil
}

// suiteOf is a suite that has done nothing.
func suiteOf(c *common) *suite {
	return &suite{
		common:    c,
		advisor:   advisor{common: c},
		handover:  handover{common: c},
		journals:  journals{common: c},
		ledger:    ledger{common: c},
		outputs:   outputs{common: c},
		refusals:  refusals{c},
		settings:  settings{common: c},
		timetable: timetable{common: c},
	}
}

// run explores or replays, and returns the exit code.
func (s *suite) run(tests []gate.Test) int {
	var err error
	if s.out, err = s.recorded(s.reporter()); err != nil {
		return s.complain(err)
	}
	if s.before == nil && !s.opts.Refine && !s.opts.Explorer {
		s.out.Begin()
	}
	tests = s.withMain(tests)
	s.addLoose(library.LooseServices(), tests)
	s.addOutside(hook.MetOutside(), tests)
	if s.opts.Refine {
		return s.refine(tests, os.Stdin)
	}
	if s.opts.Explorer {
		return s.explorer(tests, os.Stdin)
	}
	if s.opts.Replay != "" {
		return s.replay(tests)
	}
	if s.opts.List != "" {
		return s.list(tests)
	}
	selected, err := s.selected(tests)
	if err != nil {
		return s.complain(err)
	}
	if err := errors.Join(s.explainPair(), s.checkJournals(selected)); err != nil {
		return s.complain(err)
	}
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return s.complain(err)
	}
	if s.opts.Prune {
		return s.prune(selected)
	}
	if s.shards.isOne() {
		defer library.RemoveLeftovers(false)
		defer process.Mute()()
		return s.shard(selected)
	}
	if s.before == nil {
		s.announce(selected)
		s.announceModel()
	}
	if carrier != nil {
		s.hello(os.Args[1:])
	}
	unmute := process.Mute()
	s.explore(selected)
	unmute()
	library.RemoveLeftovers(false)
	return s.conclude()
}

// conclude reports on the package, unless another build goes on.
func (s *suite) conclude() int {
	s.total.Elapsed += time.Since(s.start)
	s.total.PeakMemory, s.total.Processor = max(s.total.PeakMemory, process.PeakMemory()),
		s.total.Processor+process.ProcessorTime()
	if s.next != nil && (s.next.Fresh || !s.watch.Stopped()) && !s.watch.Interrupted() {
		if err := errors.Join(s.tell(), s.handOver()); err != nil {
			return s.complain(err)
		}
		return process.Again
	}
	if s.next != nil {
		s.skip()
	}
	s.out.Package(&s.total)
	if err := errors.Join(s.tell(), s.addTotals()); err != nil {
		return s.complain(err)
	}
	return s.worst
}

// announceModel says which channels are not what they are in Go.
func (c *common) announceModel() {
	if c.opts.Model != "go" {
		c.out.Model(c.opts.Model, c.pkg.Relaxed)
	}
}

func (c *common) complain(err error) int { return complain(c.stderr, err) }

// withMain adds the command's main function to the tests.
func (s *suite) withMain(tests []gate.Test) []gate.Test {
	if s.pkg.Main != nil {
		tests = append(tests, gate.Test{Name: mainTest})
	}
	return tests
}

// mainTest is the name under which a command's main function is explored.
const mainTest = "main"

// selected picks the tests that -run names, except for those that -skip names.
func (s *suite) selected(tests []gate.Test) ([]gate.Test, error) {
	only, err := testmodel.NewFilter(s.opts.Run, s.opts.Skip)
	if err != nil {
		return nil, err
	}
	all, err := testmodel.NewFilter(s.opts.Run, "")
	if err != nil {
		return nil, err
	}
	var found []gate.Test
	var names []string
	left := 0
	for _, t := range tests {
		names = append(names, t.Name)
		switch {
		case only.Picks(t.Name):
			found = append(found, t)
		case all.Picks(t.Name):
			left++
		}
	}
	switch {
	case len(found) > 0 || left > 0:
	case len(names) == 0 || s.opts.Several:
		fmt.Fprintln(s.stderr, "testing: warning: no tests to run")
	default:
		return nil, fmt.Errorf("-run %s matches no test of %s; it has %s", s.opts.Run, s.pkg.Path,
			strings.Join(names, ", "))
	}
	return found, nil
}

// list prints the names of the tests that -list names, as go test does.
func (s *suite) list(tests []gate.Test) int {
	match, err := regexp.Compile(s.opts.List)
	if err != nil {
		return s.complain(fmt.Errorf("-list: %v", err))
	}
	for _, t := range tests {
		if match.MatchString(t.Name) {
			s.out.Listed(t.Name)
		}
	}
	s.total.Listed = true
	s.total.Elapsed = time.Since(s.start)
	s.out.Package(&s.total)
	return s.worst
}

// explore runs the tests one after the other, each for a fraction of its part of the budget, and
// for at least one execution. So each test runs before any gets more. At the end, the tests that
// came to their deadlines share the remaining time.
func (s *suite) explore(tests []gate.Test) {
	s.postponed(tests)
	rounds := s.rounds(tests)
	s.unbegun = len(slices.Concat(rounds...))
	for i, tests := range rounds {
		s.round = s.opts.Count - len(rounds) + i
		for i, t := range tests {
			if s.over() {
				s.skip()
				s.exploreAgain()
				return
			}
			only := s.unbegun == 1 && len(s.again) == 0
			turn := turns.Next(time.Now(), s.deadline, s.unbegun, only)
			s.unbegun--
			s.count(s.test(t, turn, nil))
			if s.next != nil {
				s.leaveRest(tests[i+1:])
				return
			} else if s.renews(tests[i+1:], s.again) {
				return
			}
		}
	}
	s.exploreAgain()
}

// exploreAgain begins tests that came to their deadlines anew, if a second turn is worth while, and
// reports the others. The tests that need the least time go first: the time that they leave goes to
// the others.
func (s *suite) exploreAgain() {
	s.last = true
	slices.SortStableFunc(s.again, func(a, b *exploration) int {
		return cmp.Compare(a.need(), b.need())
	})
	for i, e := range s.again {
		turn := turns.Again(time.Now(), s.deadline, len(s.again)-i)
		if s.over() || !turn.Worth(time.Now(), e.result.Elapsed, e.result.Executions) {
			s.out.Result(&e.result)
			s.count(&e.result)
			continue
		}
		s.round = e.round
		s.count(s.test(e.test, turn, &e.result))
		s.round = s.opts.Count - 1 // all rounds are over
		if s.renews(nil, s.again[i+1:]) {
			return
		}
	}
}

// need is the time that a search still needs, in seconds, as far as that is known.
func (e *exploration) need() float64 {
	done := float64(e.result.Executions + e.result.Blocked)
	if e.result.Total <= 0 || done == 0 {
		return math.Inf(1)
	}
	return max(e.result.Total-done, 0) * e.result.Elapsed.Seconds() / done
}

// postpone keeps the result of an exploration that may be begun anew.
func (t *timetable) postpone(e *exploration) bool {
	if t.last || !e.timeIsUp || len(e.result.Findings) > 0 {
		return false
	}
	t.again = append(t.again, e)
	return true
}

// skip counts the tests that were not begun.
func (s *suite) skip() {
	s.total.Tests += s.unbegun
	s.total.Incomplete += s.unbegun
	s.total.Unbegun += s.unbegun
	s.total.Short += s.unbegun
	s.worst = process.Worse(s.worst, s.budget())
}

// over reports whether no further test is to be started.
func (s *suite) over() bool {
	return s.watch.Stopped() || s.watch.Crowded() || s.opts.FailFast && s.worst == process.Finding
}

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
