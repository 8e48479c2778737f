package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// replay runs the schedule of -replay, prints its trace, and returns the exit code.
func (s *suite) replay(tests []gate.Test) int {
	file := s.opts.Replay
	sched, err := schedules.ReadFile(file)
	if err != nil {
		return s.complain(inFile(file, err))
	}
	t, err := s.testOf(sched, tests)
	if err == nil {
		err = os.Chdir(s.pkg.Dir)
	}
	if err != nil {
		return s.complain(inFile(file, err))
	}
	// no bound may end it early, also not the one after the test's end
	maxSteps := max(s.opts.MaxSteps, 10*len(sched.Choices))
	if sched.MaxSteps > 0 {
		maxSteps = sched.MaxSteps
	}
	e := s.newExploration(t, maxSteps)
	defer e.raw.Close()
	return e.replayFile(sched, file)
}

// inFile puts the file before an error that does not name it already.
func inFile(file string, err error) error {
	if pathErr := (*os.PathError)(nil); errors.As(err, &pathErr) {
		return err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// testOf finds the test that sched belongs to.
func (c *common) testOf(sched *trace.Schedule, tests []gate.Test) (gate.Test, error) {
	if sched.Package != c.pkg.Path {
		return gate.Test{}, fmt.Errorf("it is a schedule of package %s, and this is %s",
			sched.Package,
			c.pkg.Path)
	}
	i := slices.IndexFunc(tests, func(t gate.Test) bool { return t.Name == sched.Test })
	if i < 0 {
		return gate.Test{}, fmt.Errorf("it is a schedule of %s, which %s does not have", sched.Test,
			c.pkg.Path)
	}
	return tests[i], c.fits(sched)
}

// replayFile runs sched -count times and reports.
func (e *exploration) replayFile(sched *trace.Schedule, file string) int {
	unmute := process.Mute()
	defer unmute()
	defer e.suite.Use(sched)()
	defer e.follows()()
	e.result.Choices = options.ChoicesOf(sched.Hidden)
	_, f := schedules.Follow(e.Exec, sched)
	if e.stopped() {
		return e.suite.complain(errors.New(cmp.Or(e.raw.Over(), e.suite.watch.Why())))
	}
	if f.Err != nil {
		return e.suite.complain(fmt.Errorf("%s no longer applies: %w", file, f.Err))
	}
	if drift := f.Drift(); drift != "" {
		e.note("%s: %s", file, drift)
	}
	same, differs, logs := e.repeat(f.Done, e.suite.opts.Count)
	e.conclude(sched, f.Done, file, differs, unmute)
	if logs > 1 {
		e.note("the log is not the same in all %d runs, although the steps are", e.suite.opts.Count)
	}
	e.finish()
	e.suite.out.Run(e.test.Name)
	e.suite.out.Result(&e.result)
	if !e.suite.opts.JSON {
		fmt.Fprintf(e.suite.stdout, "replayed %d of %d\n", same, e.suite.opts.Count)
	}
	e.suite.count(&e.result)
	return e.suite.worst
}

// repeat runs the choices n times and demands that all runs are the same; differs says how one
// differs. logs is the number of different logs.
func (e *exploration) repeat(alts []trace.Alt, n int) (same int, differs string, logs int) {
	first, seen := "", map[string]bool{}
	for i := range n {
		c := &explore.Script{Alts: alts}
		x := e.Exec.Execute(c, false)
		seen[words.Stable(strings.Join(x.Log, "\n"))] = true
		switch print := study.Fingerprint(x); {
		case c.Missed > 0:
			return same, fmt.Sprintf("run %d of %d: step %d is not possible", i+1, n, c.Missed),
				len(seen)
		case e.stopped():
			return same, "", len(seen)
		case i == 0:
			first = print
		case print != first:
			return same, fmt.Sprintf("run %d of %d differs from the first", i+1, n), len(seen)
		}
		same++
	}
	return same, "", len(seen)
}

// conclude runs the choices once more, with sites, and fills in the result. This execution is the
// one whose output the user sees.
func (e *exploration) conclude(sched *trace.Schedule, alts []trace.Alt, file, differs string,
	unmute func()) {
	partings, beside, racing := e.Partings(&explore.Finding{Choices: alts})
	passing := e.Passing(beside, partings)
	at := e.stopsAt(sched, alts, partings, beside)
	m := &explore.Measured{Executor: e.raw, Claims: e.claims}
	m.Delay(m.Execute(&explore.Script{Alts: alts}, false))
	m.Settle(alts)
	unmute()
	seen := &study.Seeing{Script: explore.Script{Alts: alts}}
	if at > 0 {
		fmt.Fprintf(os.Stderr, "stops for a debugger behind step %d of %d\n", at, len(alts))
		executor.Debug(e.test.Name, at, labelled)
	}
	x := m.Execute(seen, true)
	shown, fails := explore.Showing(x, schedules.ProblemOf(sched))
	kind, message, role := shown.Kind, shown.Message, record.Failing
	if !fails {
		partings, passing, role = nil, nil, record.Passing
	}
	failing := e.TraceOf(x, seen, partings, role)
	traces := study.Present(failing, passing)
	e.result.Result = explore.Result{Complete: true, Executions: 1, Transitions: len(x.Events),
		Traces: 1, MaxDepth: len(x.Events)}
	e.result.Result.Outcomes = []explore.Outcome{explore.OutcomeOf(x)}
	e.result.Trace, e.result.Steps = depict.Trace(x, partings, e.suite.places),
		report.Steps(x, e.suite.places)
	switch {
	case differs != "":
		kind, message = explore.Nondeterminism,
			"the same schedule gave different executions: "+differs
	case !fails && sched.Finding == "":
		e.result.Examples = traces
		e.note("%s passes, as it did when it was saved", file)
		return
	case !fails:
		e.result.Examples = traces
		e.note("%s passes now; it was saved for: %s %s", file, sched.Finding, sched.Message)
		return
	}
	found := depict.NewFinding(kind, message, x, e.suite.places)
	found.SetDelay(m.Delay(x), x, e.suite.places)
	found.Away, found.Count, found.Racing = beside.Steps(), 1, racing
	e.Tell(found, x, partings, beside, failing)
	found.Causes, found.Traces = e.Causes(alts, partings), traces
	if rel, err := filepath.Rel(e.suite.pkg.Dir, absolute(e.suite.places.Cwd, file)); err == nil {
		found.Schedule = filepath.ToSlash(rel)
	}
	e.result.Findings = append(e.result.Findings, found)
}

// stopsAt is the step, from 1, at which the replay stops for a debugger; 0: it does not. If no
// passing execution tells which step decides, that is the last step of a process that waits, or the
// last of all.
func (e *exploration) stopsAt(sched *trace.Schedule, alts []trace.Alt, partings []depict.Parting,
	b *depict.Beside) int {
	switch n, err := strconv.Atoi(e.suite.opts.At); {
	case e.suite.opts.At == "":
		return 0
	case err == nil:
		return min(n, len(alts))
	}
	x := e.Show(alts)
	shown, _ := explore.Showing(x, schedules.ProblemOf(sched))
	f := depict.NewFinding(shown.Kind, shown.Message, x, e.suite.places)
	return depict.Deciding(f, x, partings, b, e.suite.places)
}

// labelled gives the calling goroutine labels, which debuggers show.
func labelled(name, path string) {
	labels := pprof.Labels("process", name, "path", path)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), labels))
}

func absolute(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// prune runs the saved schedules of tests, and removes those that no longer apply: the changed
// program has no such order any more, or the test has gone. Schedules that were made with other
// flags stay.
func (s *suite) prune(tests []gate.Test) int {
	defer process.Mute()()
	removed, kept := 0, 0
	for _, t := range tests {
		e := s.newExploration(t, s.opts.MaxSteps)
		for _, file := range s.saved.List(t.Name) {
			if why := e.stale(file); why == nil {
				kept++
			} else if s.remove(file, why) {
				removed++
			}
		}
		e.raw.Close()
	}
	if s.opts.Run == "" && s.opts.Skip == "" {
		removed += s.removeOrphans(tests)
	}
	fmt.Fprintf(s.stdout, "%s\t%d of %d schedules removed\n", s.pkg.Path, removed, removed+kept)
	return s.worst
}

// stale says why a schedule no longer applies; nil if it applies, or if the present flags do not
// let it run.
func (e *exploration) stale(file string) error {
	sched, err := e.suite.saved.Read(file)
	switch {
	case err != nil:
		return err
	case sched.Test != e.test.Name:
		return fmt.Errorf("it is a schedule of %s", sched.Test)
	case e.suite.fits(sched) != nil, e.stopped():
		return nil
	}
	defer e.suite.Use(sched)()
	defer e.follows()()
	_, f := schedules.Follow(e.Exec, sched)
	if e.stopped() {
		return nil
	}
	return f.Err
}

// remove removes a schedule and says why; it reports whether that could be done.
func (s *suite) remove(file string, why error) bool {
	full := s.saved.Path(file)
	if err := os.Remove(full); err != nil {
		s.worst = process.Worse(s.worst, s.complain(err))
		return false
	}
	os.Remove(filepath.Dir(full)) // if it is empty now
	fmt.Fprintf(s.stdout, "removed %s: %v\n", file, why)
	return true
}

// removeOrphans removes the schedules of tests that the package does not have any more, and returns
// their number.
func (s *suite) removeOrphans(tests []gate.Test) (removed int) {
	root := s.saved.DirOf("")
	// none: nothing is saved
	entries, _ := os.ReadDir(s.saved.Path(root))
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() ||
			slices.ContainsFunc(tests, func(t gate.Test) bool { return t.Name == name }) {
			continue
		}
		for _, file := range s.saved.List(path.Join(name)) {
			if s.remove(file, fmt.Errorf("there is no test %s", name)) {
				removed++
			}
		}
	}
	return removed
}
