package session

import (
	"bytes"
	"cmp"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

func TestFailFast(t *testing.T) {
	got := runSuite(t, t.TempDir(), append(tests("TestA", race), tests("TestB", race)...), "-json",
		"-failfast")
	if n := len(results(t, got.stdout, "result")); n != 1 || got.code != process.Finding {
		t.Errorf("%d results, exit code %d", n, got.code)
	}
	if sums := results(t, got.stdout, "package")[0]; sums["Unbegun"] != 1.0 ||
		sums["Complete"] != false {
		t.Errorf("nothing is said of the test that was not begun: %v", sums)
	}
}

// TestStudiesShareTheBudget: what a failing test may take for its findings leaves the tests after
// it their parts of the budget.
func TestStudiesShareTheBudget(t *testing.T) {
	for _, c := range []struct {
		budget  time.Duration // that is left; 0: there is none
		unbegun int
		want    time.Duration // until it is enough
	}{
		{0, 9, patience},
		{time.Hour, 9, patience},
		{5 * time.Second, 9, 500 * time.Millisecond},
		{5 * time.Second, 0, 5 * time.Second},
	} {
		e := explorationOf(&trial{suite: &suite{timetable: timetable{unbegun: c.unbegun}}})
		now := time.Now()
		if c.budget > 0 {
			e.suite.deadline = now.Add(c.budget)
		}
		if got := e.enoughAt(now).Sub(now); got != c.want {
			t.Errorf("with %v left and %d tests to come: %v, want %v", c.budget, c.unbegun, got,
				c.want)
		}
	}
}

// TestSecondDeadline: a test that came to its deadline is begun anew when others have left some of
// the budget.
func TestSecondDeadline(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, c := range []struct {
		spent time.Duration // on the first try
		want  string
	}{
		{0, "1 execution, complete"},
		{time.Hour, "(3600.00s)  0 executions, incomplete: the time is up"},
	} {
		s, err := newSuite(Package{Path: "example.org/p", Dir: dir}, options.Default())
		if err != nil {
			t.Fatal(err)
		}
		s.watch = watch.New(s.places, s.stderr, s.opts.Timeout, s.deadline)
		var out bytes.Buffer
		s.stdout = &out
		s.opts.Verbose = true
		s.out = s.reporter()
		e := s.newExploration(tests("TestX", fine)[0], 1000)
		e.explore(turns.Turn{End: time.Now().Add(-time.Second)})
		e.finish()
		e.result.Elapsed = c.spent
		if !s.postpone(e) {
			t.Fatalf("not postponed: %s", e.result.Reason)
		}
		s.exploreAgain()
		if text := out.String(); s.total.Tests != 1 || !strings.Contains(text, c.want) ||
			strings.Contains(text, "=== RUN") { // that was said in the first turn
			t.Errorf("after %v: no %q in\n%s", c.spent, c.want, text)
		}
		s.watch.End()
	}
}

func TestInterruptEndsALongExecution(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, err := newSuite(Package{Path: "example.org/p", Dir: dir}, options.Default())
	if err != nil {
		t.Fatal(err)
	}
	s.watch = watch.New(s.places, s.stderr, s.opts.Timeout, s.deadline)
	defer s.watch.End()
	var out bytes.Buffer
	s.stdout = &out
	code := s.run(tests("TestX", func(tb gate.TB) {
		syscall.Kill(os.Getpid(), syscall.SIGINT)
		for !s.watch.Stopped() {
			runtime.Gosched()
		}
		endless(tb) // of which the bound on steps would make a finding
	}))
	if code != process.Budget || !strings.Contains(out.String(), "interrupted") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

// long fails when the second sender is received first, and takes many steps then. steps has those
// of each execution.
func long(tb gate.TB, steps *[]int) {
	race(tb)
	i := len(*steps)
	*steps = append(*steps, 0)
	for range 10_000 {
		hook.Gosched()
		(*steps)[i]++
	}
}

// studied runs f with a strategy that finds something after some executions. now is the clock of
// what studies take, in hours.
func studied(t *testing.T, f func(*suite, gate.TB), now func() int) (code int, out string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	o := options.Default()
	o.FailFast, o.Strategy = true, "random"
	s, err := newSuite(Package{Path: "example.org/p", Dir: dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	s.watch = watch.New(s.places, s.stderr, 0, time.Time{})
	defer s.watch.End()
	var b bytes.Buffer
	s.stdout = &b
	s.now = func() time.Time { return time.Unix(3600*int64(now()), 0) }
	code = s.run(tests("TestX", func(tb gate.TB) { f(s, tb) }))
	return code, b.String()
}

// TestStudyIsBounded: an execution of the study of a finding ends when that has taken long enough.
// The finding is reported as it was found.
func TestStudyIsBounded(t *testing.T) {
	var steps []int
	looks := 0
	code, out := studied(t, func(_ *suite, tb gate.TB) { long(tb, &steps) }, func() int {
		looks++
		return looks / 10
	})
	const want = "the order that fails, not minimised to the end: its part of -timeout, at most 10s, is over:\n"
	if n := len(steps); n < 3 || steps[n-3] != 10_000 || steps[n-2] > 1000 || steps[n-1] != 10_000 {
		t.Errorf(
			"steps of the executions: %v; want those of a search, of one that is ended, and of one that shows the finding",
			steps)
	}
	if code != process.Finding || !strings.Contains(out, want) ||
		!strings.Contains(out, "replay   rehearse replay") {
		t.Errorf("exit code %d, want %q in\n%s", code, want, out)
	}
}

// TestInterruptDuringStudy sends a signal in executions of the search, of the study of what it
// finds, and in the one that shows that: the user waits for none of them, and is told what was
// found, with a schedule.
func TestInterruptDuringStudy(t *testing.T) {
	var steps []int
	searched := 0 // executions
	_, whole := studied(t, func(_ *suite, tb gate.TB) { long(tb, &steps) }, func() int {
		searched = cmp.Or(searched, len(steps))
		return 0
	})
	last := len(steps)
	if strings.Contains(whole, "minimised") || searched == 0 || last < searched+3 {
		t.Errorf("%d executions, %d of them before the study\n%s", last, searched, whole)
	}
	for _, at := range []int{1, searched + 1, searched + 2, last - 1, last} {
		n := 0
		steps = nil
		code, out := studied(t, func(s *suite, tb gate.TB) {
			if n++; n == at {
				syscall.Kill(os.Getpid(), syscall.SIGINT)
				for !s.watch.Hurried() {
					time.Sleep(time.Millisecond)
				}
			}
			long(tb, &steps)
		}, func() int { return 0 })
		for i, n := range steps[at-1:] {
			if n > 100 {
				t.Errorf("interrupted in execution %d of %d: %d steps of execution %d", at, last,
					n, at+i)
			}
		}
		want := "the order that fails is not minimised to the end: interrupted\n    replay   rehearse replay "
		if at <= searched {
			want = "interrupted\n"
		}
		if found := at > searched; found != (code == process.Finding) ||
			found != strings.Contains(out, "fail  second came first") ||
			!strings.Contains(out, want) {
			t.Errorf("interrupted in execution %d of %d, exit code %d, want %q in\n%s", at, last,
				code, want,
				out)
		}
	}
}

// TestNeeds looks at the order in which tests get more time.
func TestNeeds(t *testing.T) {
	need := func(done int, total float64, elapsed time.Duration) *exploration {
		e := explorationOf(&trial{})
		e.result.Executions, e.result.Total, e.result.Elapsed = done, total, elapsed
		return e
	}
	some, many, unknown, slow := need(90, 100, time.Second), need(90, 1e6, time.Second),
		need(90, 0, time.Second), need(1, 2, time.Hour)
	all := []*exploration{unknown, many, slow, some}
	slices.SortStableFunc(all, func(a, b *exploration) int {
		return cmp.Compare(a.need(), b.need())
	})
	if !slices.Equal(all, []*exploration{some, slow, many, unknown}) {
		t.Errorf("needs are %v, %v, %v and %v seconds", some.need(), slow.need(), many.need(),
			unknown.need())
	}
}
