package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	testmodel "github.com/rehearse-go/rehearse/runtime/model/tests"

	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/reach"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/resume"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/settings"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
)

func newSuite(pkg Package, o *options.Options) (*suite, error) {
	if pkg.Path == "" {
		return nil, errors.New("internal error: the binary does not know its package")
	}
	if _, _, err := advise.Strategy(o, advise.Advice{}); err != nil {
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
	s.uses = reach.New(pkg.Uses, len(pkg.TrustedFunctions) > 0, s.places)
	s.journals = resume.New(o, pkg.Path, start.Path, cwd)
	if err := s.takeOver(); err != nil {
		return nil, err
	}
	if err := s.readBaseline(); err != nil {
		return nil, err
	}
	if s.facts, err = advise.Read(pkg.Facts, pkg.Stamp, o); err != nil {
		return nil, err
	}
	if s.shards, err = s.newSharding(o, cwd); err != nil {
		return nil, err
	}
	s.Config = settings.Of(o, s.facts, pkg.Root, pkg.Modules)
	return s, nil
}

// suiteOf is a suite that has done nothing.
func suiteOf(c *common) *suite {
	return &suite{
		common:    c,
		handover:  handover{common: c},
		ledger:    ledger{common: c},
		outputs:   outputs{common: c},
		timetable: timetable{common: c},
	}
}

// run explores or replays, and returns the exit code.
func (s *suite) run(tests []gate.Test) int {
	defer library.FreeLater()
	var err error
	if s.out, err = s.recorded(s.reporter()); err != nil {
		return s.complain(err)
	}
	if s.before == nil && !s.opts.Refine && !s.opts.Explorer {
		s.out.Begin()
	}
	tests = s.withMain(tests)
	s.uses.AddLoose(library.LooseServices(), tests)
	s.uses.AddOutside(hook.MetOutside(), tests)
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
		return s.decline(err)
	}
	if err := errors.Join(s.explainPair(), s.journals.Check(selected)); err != nil {
		return s.decline(err)
	}
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return s.complain(err)
	}
	if s.opts.Prune {
		return pruner{s}.prune(selected)
	}
	if s.shards.isOne() {
		defer library.RemoveLeftovers(false)
		defer process.Mute()()
		return s.shard(selected)
	}
	if s.before == nil {
		if uses := s.uses.Of(selected, s.opts.Verbose); len(uses) > 0 {
			s.out.Uncontrolled(uses)
		}
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

// explainPair says what the facts say on the pair of -why. Of several packages, those that have the
// actor say it.
func (s *suite) explainPair() error {
	if !s.opts.WhyTasks() {
		return nil
	}
	var text strings.Builder
	switch err := facts.Why(&text, s.facts.Program, s.opts.Why); {
	case err != nil && s.opts.Several:
	case err != nil:
		return fmt.Errorf("-why: %v", err)
	default:
		s.out.Why(s.opts.Why, text.String())
	}
	return nil
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
			now := time.Now()
			turn := turns.Next(now, turns.Spare(now, s.deadline, s.starting, s.unbegun-1),
				s.unbegun, only)
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

// shard explores the shard's items of each test, and writes the results to the part file.
func (s *suite) shard(tests []gate.Test) int {
	h, executions := s.shards, 0
	s.unbegun = len(tests)
	for _, t := range tests {
		deadline := turns.Share(time.Now(), s.deadline, s.unbegun)
		s.unbegun--
		one := s.shardOf(t, deadline)
		executions += one.Part.Executions
		h.tests = append(h.tests, one)
	}
	if why := s.watch.Why(); why == watch.Interrupted {
		return s.complain(fmt.Errorf("%s: no part is written", why))
	}
	flags := append(s.opts.Deciding(), s.opts.Picking()...)
	part := shards.Section{Key: s.journals.Key(s.opts, ""), Flags: flags, Args: os.Args[1:],
		Tests: h.tests}
	if err := shards.Add(h.file, shards.Header{Shard: h.shard}, part); err != nil {
		return s.complain(err)
	}
	fmt.Fprintf(s.stdout, "part %v of %s: %s, %s\n", h.shard, s.pkg.Path,
		words.Plural(len(tests), "test"), words.Plural(executions, "execution"))
	return process.Clean
}

// shardOf explores the shard's items of a test.
func (s *suite) shardOf(t gate.Test, deadline time.Time) shards.Test {
	if s.uses.Refuse(&report.Test{Name: t.Name}) || s.watch.Stopped() {
		return shards.Test{Name: t.Name, Whole: cmp.Or(s.watch.Why(), "it cannot be explored")}
	}
	e := s.newExploration(t, s.opts.MaxSteps)
	defer e.raw.Close()
	e.explore(turns.Turn{End: deadline})
	one := s.shards.tests[len(s.shards.tests)-1]
	s.shards.tests = s.shards.tests[:len(s.shards.tests)-1]
	switch {
	case one.Whole == few && !s.opts.Verbose:
	case one.Whole != "":
		fmt.Fprintf(s.stdout, "part %v: %s is not divided, rehearse merge explores it: %s\n",
			s.shards.shard, t.Name, one.Whole)
	case s.opts.Verbose:
		fmt.Fprintf(s.stdout, "part %v: %s, %s\n", s.shards.shard, t.Name,
			words.Plural(one.Part.Executions, "execution"))
	}
	return one
}
