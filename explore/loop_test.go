package explore_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func machine(text string) *micro.Machine { return micro.New(micro.Parse(text)) }

func auto(t *testing.T, m explore.Executor, lim explore.Limits) explore.Result {
	t.Helper()
	s, err := strategy.New(strategy.Plan{Name: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	return explore.Run(m, s, lim, nil)
}

const race = `
chan c 2
T0: c<-1; c<-2; <-c; <-c; <-c; if 3 1; fail
T1: yield; c<-3
`

func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"pass", "chan c 1\nT0: c<-1; <-c", ""},
		{"deadlock", "chan c\nT0: <-c", "deadlock: 1 process is blocked for ever: T0 (recv)"},
		{"leak", "chan c\nT0: yield\nT1: <-c\nT2: select <-c | <-c", "leak: 2 processes"},
		{"none left behind", "chan c\nT0: yield\nT1: <-c\nT2: c<-1", ""},
		{"several of a name", "chan c\nT0: go W; go W\n*W: c<-1",
			"leak: 2 processes are blocked for ever: 2 W (send)"},
		{"nil channel", "chan c\nT0: <-nil", "deadlock"},
		{"panic", "chan c\nT0: close c; close c", "panic: close of closed channel"},
		{"fail", "T0: log wrong; fail", "fail: wrong"},
		{"failed and left behind", "chan c\nT0: fail\nT1: <-c", "fail: "},
		{"exit", "T0: yield; exit 3", "fail: exit status 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := auto(t, machine(c.text), explore.Limits{})
			got := ""
			for _, f := range r.Findings {
				got += string(f.Kind) + ": " + f.Message
			}
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !r.Complete || r.Reason != "" {
				t.Errorf("not complete: %s", r.Reason)
			}
		})
	}
}

// refiner begins another search after the first executions, and one more when it has been shown
// some that count.
type refiner struct {
	ahead, back int
	make        func() explore.Strategy
}

func (r *refiner) Ahead(*trace.Execution) explore.Strategy {
	if r.ahead--; r.ahead < 0 {
		return nil
	}
	return r.make()
}

func (r *refiner) Back(*trace.Execution) explore.Strategy {
	if r.back--; r.back != 0 {
		return nil
	}
	return r.make()
}

// TestRefiner: what is looked at ahead does not count, and what is run before the search goes back
// is redundant.
func TestRefiner(t *testing.T) {
	text := "chan c 3\nT: <-c; <-c; <-c\nA: c<-1\nB: c<-2\nC: c<-3"
	for _, c := range []struct{ ahead, back, blocked int }{{0, 0, 0}, {2, 0, 0}, {0, 4, 4},
		{1, 2, 2}} {
		r := auto(t, machine(text),
			explore.Limits{Refine: &refiner{c.ahead, c.back,
				func() explore.Strategy { return optimal.New() }}})
		if r.Executions != 6 || r.Blocked != c.blocked || !r.Complete {
			t.Errorf("%+v: %d executions and %d redundant ones, complete: %v; want 6 and %d", c,
				r.Executions, r.Blocked, r.Complete, c.blocked)
		}
	}
}

func TestOutcomesAreDistinct(t *testing.T) {
	r := auto(t, machine("chan c 2\nT0: <-c; if 1 1; log one; <-c; log end\nT1: c<-1\nT2: c<-2"),
		explore.Limits{})
	var logs []string
	for _, o := range r.Outcomes {
		logs = append(logs, o.Verdict+" "+o.Log)
	}
	if want := []string{"pass one\nend", "pass end"}; !slices.Equal(logs, want) {
		t.Errorf("got %q, want %q", logs, want)
	}
	if r.Executions != 2 || r.Traces != 2 || r.Outcomes[0].Count != 1 {
		t.Errorf("%+v", r)
	}
}

func TestLimits(t *testing.T) {
	m := machine("chan c 5\nT0: <-c\nA: c<-1\nB: c<-2\nC: c<-3\nD: c<-4\nE: c<-5")
	for _, c := range []struct {
		name string
		lim  explore.Limits
		want string
	}{
		{"executions", explore.Limits{MaxExecutions: 7}, "the limit of 7 executions is reached"},
		{"one execution", explore.Limits{MaxExecutions: 1}, "the limit of 1 execution is reached"},
		{"deadline", explore.Limits{Deadline: time.Now().Add(-time.Second)}, "the time is up"},
		{"stop", explore.Limits{Stop: func() bool { return true }}, "stopped"},
	} {
		if r := auto(t, m, c.lim); r.Complete || r.Reason != c.want || r.Executions > 7 {
			t.Errorf("%s: %v, %q after %d", c.name, r.Complete, r.Reason, r.Executions)
		}
	}
	r := auto(t, machine(race), explore.Limits{FailFast: true})
	if r.Complete || len(r.Findings) != 1 || r.Reason != "stopped at the first finding" {
		t.Errorf("fail fast: %+v", r)
	}
}

// TestLaterDeadlines: the first execution may have more time, and so may a search that has found
// something.
func TestLaterDeadlines(t *testing.T) {
	past, later := time.Now().Add(-time.Second), time.Now().Add(time.Hour)
	for _, c := range []struct {
		name, program string
		lim           explore.Limits
		executions    int
		complete      bool
	}{
		{"neither", race, explore.Limits{Deadline: past}, 0, false},
		{"first", race, explore.Limits{Deadline: past, First: later}, 1, false},
		{"extended without a finding",
			"chan c 4\nT0: <-c; <-c\nT1: c<-1\nT2: c<-2\nT3: c<-3\nT4: c<-4",
			explore.Limits{Deadline: past, First: later, Extended: later}, 1, false},
		{"extended with a finding", "chan c 2\nT0: <-c; <-c; fail\nT1: c<-1\nT2: c<-2",
			explore.Limits{Deadline: past, First: later, Extended: later}, 2, true},
		{"extended into the past", "chan c 2\nT0: <-c; <-c; fail\nT1: c<-1\nT2: c<-2",
			explore.Limits{Deadline: past, First: later, Extended: past}, 1, false},
	} {
		r := auto(t, machine(c.program), c.lim)
		if r.Executions != c.executions || r.Complete != c.complete {
			t.Errorf("%s: %d executions, complete %v, %q; want %d, %v", c.name, r.Executions,
				r.Complete,
				r.Reason, c.executions, c.complete)
		}
	}
}

func TestStepBound(t *testing.T) {
	m := machine("T0: yield; yield; yield")
	m.MaxSteps = 2
	r := auto(t, m, explore.Limits{})
	if r.Complete || len(r.Findings) != 1 || r.Findings[0].Kind != explore.Livelock {
		t.Errorf("%+v", r)
	}
}

// fickle is an executor that changes its program from some execution on.
type fickle struct {
	*micro.Machine
	after int
	then  *micro.Machine
}

func (f *fickle) Execute(c trace.Chooser, sites bool) *trace.Execution {
	if f.after--; f.after < 0 {
		return f.then.Execute(c, sites)
	}
	return f.Machine.Execute(c, sites)
}

func TestNondeterminism(t *testing.T) {
	const program = "chan c 3\nmutex m\nT0: lock m; c<-1\nT1: c<-2\nT2: c<-3"
	for _, c := range []struct {
		name, then string
		after      int
		want       string
	}{
		{"repeated", strings.Replace(program, "lock m", "yield", 1), 1,
			"T0 does lock; the next time, after the same steps: T0 does yield"},
		{"replayed", strings.Replace(program, "lock m", "yield", 1), 2, "process 0 does lock"},
		{"shorter", strings.Replace(program, "T2: c<-3", "T2: yield", 1), 1, "T2 does send"},
		{"longer", program + "; yield", 1,
			"the end; the next time, after the same steps: T2 does yield"},
		{"log", strings.Replace(program, "lock m", "log here", 1), 1,
			"T0 does lock; the next time, after the same steps: T0 does log"},
	} {
		r := auto(t, &fickle{machine(program), c.after, machine(c.then)}, explore.Limits{})
		if len(r.Findings) != 1 || r.Findings[0].Kind != explore.Nondeterminism || r.Complete {
			t.Errorf("%s: %+v", c.name, r)
		} else if !strings.Contains(r.Findings[0].Message, c.want) {
			t.Errorf("%s: %s", c.name, r.Findings[0].Message)
		}
	}
}

// late is an executor whose second execution begins when the deadline has passed.
type late struct {
	counting
	deadline time.Time
	n        int
	second   int // choices of the second execution
}

func (l *late) Execute(c trace.Chooser, sites bool) *trace.Execution {
	if l.n++; l.n == 2 {
		time.Sleep(time.Until(l.deadline))
	}
	before := l.choices
	x := l.counting.Execute(c, sites)
	l.second = l.choices - before
	return x
}

// TestRepetitionEnds: the deadline ends also an execution that is done once more, and that is no
// difference.
func TestRepetitionEnds(t *testing.T) {
	l := &late{counting: counting{Executor: machine("T0: " + strings.Repeat("yield; ", 500) +
		"yield")}, deadline: time.Now().Add(time.Second)}
	r := auto(t, l, explore.Limits{Deadline: l.deadline})
	// l.n is less on a machine that stands still
	if r.Complete || r.Reason != explore.TimeIsUp || len(r.Findings) > 0 || l.n > 2 ||
		l.second > 100 {
		t.Errorf("%d executions, %d choices of the last: %+v", l.n, l.second, r)
	}
}

func TestProgress(t *testing.T) {
	m := machine("chan c 9\nT0: <-c\nA: c<-1; c<-2\nB: c<-2; c<-1\nC: c<-3; c<-1\nD: c<-4; c<-1")
	calls, last := 0, time.Duration(0)
	explore.Run(slow{m}, dpor.New(true), explore.Limits{MaxExecutions: 300},
		func(p *explore.Progress) {
			calls++
			if p.Planned < 1 || p.Executions == 0 || p.Elapsed-last < 100*time.Millisecond {
				t.Errorf("after %v: %+v", last, p)
			}
			last = p.Elapsed
		})
	if calls == 0 {
		t.Error("no calls")
	}
}

// shuffled is a search with a sample after each execution.
type shuffled struct {
	*dpor.Search
	sample *sample.Random
	odd    bool
	order  depend.Order
}

func (s *shuffled) Begin() bool {
	if s.odd = !s.odd; s.odd {
		return s.Search.Begin()
	}
	return s.sample.Begin()
}

func (s *shuffled) Choose(st *trace.State) int {
	if s.odd {
		return s.Search.Choose(st)
	}
	return s.sample.Choose(st)
}

func (s *shuffled) End(x *trace.Execution) {
	if s.odd {
		s.Search.End(x)
	}
	s.order.Rewind(0)
	for range x.Events {
		s.order.Add(x)
	}
}

func (s *shuffled) Last() explore.Last {
	l := s.Search.Last()
	if l.Hash = s.order.Hash(); !s.odd {
		l.Sampler = "random"
	}
	return l
}

// TestTracesBesideSamples: the traces of samples are not counted twice, also when there are more
// than can be kept.
func TestTracesBesideSamples(t *testing.T) {
	m := machine("chan c 5\nT0: <-c\nA: c<-1\nB: c<-2\nC: c<-3\nD: c<-4\nE: c<-5")
	for _, most := range []int{1000, 100, 30} {
		before := explore.SetMaxTraces(most)
		r := explore.Run(m, &shuffled{Search: dpor.New(true), sample: sample.NewRandom(1)},
			explore.Limits{}, nil)
		cut := explore.Run(m, &shuffled{Search: dpor.New(true), sample: sample.NewRandom(1)},
			explore.Limits{MaxExecutions: 150}, nil)
		explore.SetMaxTraces(before)
		if !r.Complete || r.Executions != 120 || r.Blocked < 120 || r.Sampled != 0 ||
			r.Traces != 120 || r.MoreTraces {
			t.Errorf("%d kept: %+v", most, r)
		}
		if cut.Complete || cut.Traces > 120 || cut.Traces < min(most, 75) ||
			cut.MoreTraces != (most < 75) {
			t.Errorf("%d kept, cut off: %d traces, more %v", most, cut.Traces, cut.MoreTraces)
		}
	}
}

type slow struct{ explore.Executor }

func (s slow) Execute(c trace.Chooser, sites bool) *trace.Execution {
	time.Sleep(time.Millisecond)
	return s.Executor.Execute(c, sites)
}

// TestMinimise: random exploration fails after many switches; the finding needs one.
func TestMinimise(t *testing.T) {
	m := machine(race + "T2: yield; yield\nT3: yield; yield\n")
	r := explore.Run(m, sample.NewRandom(5), explore.Limits{MaxExecutions: 200}, nil)
	i := slices.IndexFunc(r.Findings, func(f explore.Finding) bool {
		return f.Kind == explore.Fail
	})
	if i < 0 {
		t.Fatalf("nothing to minimise: %+v", r.Findings)
	}
	// The default order: T0 sends twice and cannot go on receiving before T1 has sent: 1, 2, 3 is
	// what fails.
	f := explore.Minimise(m, r.Findings[i], nil)
	if len(f.Deviations) != 0 {
		t.Errorf("%d deviations: %v of %v", len(f.Deviations), f.Deviations, f.Choices)
	}
	c := &explore.Script{Alts: f.Choices}
	if kind, _, _ := explore.Judge(m.Execute(c, false)); kind != explore.Fail || c.Missed != 0 {
		t.Errorf("the minimised schedule does not fail: %v", kind)
	}
}

// TestNeighbour: a failure that needs one deviation has a passing neighbour without it.
func TestNeighbour(t *testing.T) {
	m := machine(
		"chan c 2\nT0: yield; c<-1; <-c; if 2 1; fail; <-c\nT1: yield; c<-2\nT2: yield; yield\n")
	r := auto(t, m, explore.Limits{})
	i := slices.IndexFunc(r.Findings, func(f explore.Finding) bool {
		return f.Kind == explore.Fail
	})
	f := explore.Minimise(m, r.Findings[i], nil)
	if len(f.Deviations) != 1 || f.Passing == nil {
		t.Fatalf("deviations %v, passing %v", f.Deviations, f.Passing)
	}
	c := &explore.Script{Alts: f.Passing}
	if kind, _, ok := explore.Judge(m.Execute(c, false)); !ok || c.Missed != 0 {
		t.Errorf("the neighbour does not pass: %v", kind)
	}
}

// boundless is a strategy whose estimate is no number.
type boundless struct {
	explore.Strategy
	total, spread float64
}

func (b boundless) Summary() explore.Summary {
	return explore.Summary{Total: b.total, Spread: b.spread}
}

// TestEstimate: what cannot be written down is no estimate.
func TestEstimate(t *testing.T) {
	for _, c := range []struct{ total, spread, want float64 }{
		{10, 2, 10}, {math.Inf(1), 2, 0}, {1e300, math.Inf(1), 0}, {math.NaN(), math.NaN(), 0},
	} {
		r := explore.Run(machine(race), boundless{exhaustive.New(), c.total, c.spread},
			explore.Limits{MaxExecutions: 2}, nil)
		if r.Complete || r.Total != c.want {
			t.Errorf("of %v and %v: complete %v, %v executions in all, want %v", c.total, c.spread,
				r.Complete, r.Total, c.want)
		}
	}
}
