package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
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
	return (&replaying{e, sched, file}).run()
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

// replaying is the replay of one schedule for people.
type replaying struct {
	*exploration
	sched *trace.Schedule
	file  string
}

// run runs the schedule -count times and reports.
func (e *replaying) run() int {
	unmute := process.Mute()
	defer unmute()
	defer e.suite.Use(e.sched)()
	defer e.follows()()
	e.result.Choices = options.ChoicesOf(e.sched.Hidden)
	_, f := schedules.Follow(e.Exec, e.sched)
	if e.stopped() {
		return e.suite.complain(errors.New(cmp.Or(e.raw.Over(), e.suite.watch.Why())))
	}
	if f.Err != nil {
		return e.suite.complain(fmt.Errorf("%s no longer applies: %w", e.file, f.Err))
	}
	if drift := f.Drift(); drift != "" {
		e.note("%s: %s", e.file, drift)
	}
	same, differs, logs := e.repeat(f.Done, e.suite.opts.Count)
	e.conclude(f.Done, differs, unmute)
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
func (e *replaying) repeat(alts []trace.Alt, n int) (same int, differs string, logs int) {
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
// one whose output the user sees. All that runs other executions comes before it, muted.
func (e *replaying) conclude(alts []trace.Alt, differs string, unmute func()) {
	partings, beside, racing := e.Partings(&explore.Finding{Choices: alts})
	passing := e.Passing(beside, partings)
	at := e.stopsAt(alts, partings, beside)
	m := &explore.Measured{Executor: e.raw, Claims: e.claims}
	m.Delay(m.Execute(&explore.Script{Alts: alts}, false))
	m.Settle(alts)
	unmute()
	seen := &study.Seeing{Script: explore.Script{Alts: alts}}
	e.stopAt(at, len(alts))
	x := m.Execute(seen, true)
	shown, fails := explore.Showing(x, schedules.ProblemOf(e.sched))
	role := record.Failing
	if !fails {
		partings, passing, role = nil, nil, record.Passing
	}
	failing := e.TraceOf(x, seen, partings, role)
	traces := study.Present(failing, passing)
	e.enter(x, partings)
	kind, message := shown.Kind, shown.Message
	switch {
	case differs != "":
		kind = explore.Nondeterminism
		message = "the same schedule gave different executions: " + differs
	case !fails:
		e.result.Examples = traces
		e.notePasses()
		return
	}
	found := depict.NewFinding(kind, message, x, e.suite.places)
	found.SetDelay(m.Delay(x), x, e.suite.places)
	found.Away, found.Count, found.Racing = beside.Steps(), 1, racing
	e.Tell(found, x, partings, beside, failing)
	found.Causes, found.Traces = e.Causes(alts, partings), traces
	if rel, err := filepath.Rel(e.suite.pkg.Dir, absolute(e.suite.places.Cwd, e.file)); err == nil {
		found.Schedule = filepath.ToSlash(rel)
	}
	e.result.Findings = append(e.result.Findings, found)
}

// stopAt makes the next execution stop for a debugger behind step at of so many; 0: it does not.
func (e *replaying) stopAt(at, steps int) {
	if at > 0 {
		fmt.Fprintf(os.Stderr, "stops for a debugger behind step %d of %d\n", at, steps)
		executor.Debug(e.test.Name, at, labelled)
	}
}

// enter makes x the only execution of the result.
func (e *replaying) enter(x *trace.Execution, partings []depict.Parting) {
	e.result.Result = explore.Result{Complete: true, Executions: 1, Transitions: len(x.Events),
		Traces: 1, MaxDepth: len(x.Events), Outcomes: []explore.Outcome{explore.OutcomeOf(x)}}
	e.result.Trace = depict.Trace(x, partings, e.suite.places)
	e.result.Steps = report.Steps(x, e.suite.places)
}

// notePasses says that the schedule shows nothing wrong.
func (e *replaying) notePasses() {
	if e.sched.Finding == "" {
		e.note("%s passes, as it did when it was saved", e.file)
		return
	}
	e.note("%s passes now; it was saved for: %s %s", e.file, e.sched.Finding, e.sched.Message)
}

// stopsAt is the step, from 1, at which the replay stops for a debugger; 0: it does not. If no
// passing execution tells which step decides, that is the last step of a process that waits, or the
// last of all.
func (e *replaying) stopsAt(alts []trace.Alt, partings []depict.Parting,
	b *depict.Beside) int {
	switch n, err := strconv.Atoi(e.suite.opts.At); {
	case e.suite.opts.At == "":
		return 0
	case err == nil:
		return min(n, len(alts))
	}
	x := e.Show(alts)
	shown, _ := explore.Showing(x, schedules.ProblemOf(e.sched))
	f := depict.NewFinding(shown.Kind, shown.Message, x, e.suite.places)
	return depict.Deciding(f, x, partings, b, e.suite.places)
}

// resaved runs the schedules that earlier explorations of a test have saved, before the test is
// explored.
type resaved struct{ *exploration }

// replay runs the schedules that earlier explorations saved.
func (e resaved) replay() {
	var stale []string
	for _, file := range e.suite.saved.List(e.test.Name) {
		if e.stopped() {
			break
		}
		sched, err := e.suite.load(file, e.test.Name)
		if err == nil && e.asks(sched) {
			err = e.replayOne(sched, file)
		}
		if err != nil {
			stale = append(stale, fmt.Sprintf("%s: %v", file, err))
		}
	}
	e.noteStale(stale)
}

// asks reports whether a saved schedule has to do with the subtests that the user asks for.
func (e resaved) asks(sched *trace.Schedule) bool {
	run, skip := options.Subtests(e.suite.opts.Run), options.Subtests(e.suite.opts.Skip)
	return run+skip == "" || run == sched.Run && skip == sched.Skip
}

// replayOne runs one saved schedule. It is an error if the schedule does not apply any more.
func (e resaved) replayOne(sched *trace.Schedule, file string) error {
	defer e.suite.Use(sched)()
	defer e.follows()()
	defer e.measured()()
	x, f := schedules.Follow(e.Exec, sched)
	if e.stopped() {
		return nil
	}
	if f.Err != nil {
		return fmt.Errorf(
			"no longer applies (%v); if the change was meant, rehearse replay -prune removes all such schedules",
			f.Err)
	}
	if drift := f.Drift(); drift != "" {
		e.note("%s: %s", file, drift)
	}
	if p, ok := explore.Showing(x, schedules.ProblemOf(sched)); ok {
		e.studySaved(&explore.Finding{Problem: p, Choices: f.Done}, file)
	}
	return nil
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
