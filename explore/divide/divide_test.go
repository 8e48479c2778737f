package divide_test

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// start is how the helpers are started: they are this test.
var start = isolate.Self()

func TestMain(m *testing.M) {
	if !divide.IsHelper() {
		os.Exit(m.Run())
	}
	how := os.Getenv("DIVIDE_TEST")
	if how == "silent" {
		select {}
	}
	n := 0
	divide.Join().Work(func(t divide.Task) divide.Report {
		switch n++; {
		case how == "odd" && n%3 == 0:
			return divide.Report{Odd: true}
		case how == "mortal" && n == 5:
			os.Exit(1)
		case how == "stopped" && n == 3:
			select {}
		}
		r := piece(micro.New(micro.Parse(t.Test)), t, explore.Limits{})
		if how == "unlike" {
			r.Check++
		}
		return r
	})
}

// few is a search that ends after a few executions, with something left.
type few struct {
	explore.Strategy
	left int
}

func (f *few) Begin() bool {
	f.left--
	return f.left >= 0 && f.Strategy.Begin()
}

// piece does a task of an item on m.
func piece(m *micro.Machine, t divide.Task, lim explore.Limits) divide.Report {
	d := dpor.Below(t.Item)
	most := 5
	if t.Most > 0 {
		most = min(most, t.Most)
	}
	seen := &divide.Seen{Strategy: &few{d, most}}
	x := explore.PreparePart(m, seen, lim)
	x.Run()
	return divide.Report{Part: x.Part(), Left: d.Leave(t.Hungry), Check: seen.Sum}
}

// trying is the sample of a search of text.
func trying(text string, lim explore.Limits) func(divide.Task) divide.Report {
	return func(t divide.Task) divide.Report { return piece(micro.New(micro.Parse(text)), t, lim) }
}

// byItems explores text by items, by this process and two helpers. slow is for others to have a
// turn, also on a machine with other work.
func byItems(text string, lim explore.Limits, slow time.Duration) (r explore.Result, here int) {
	m := micro.New(micro.Parse(text))
	d := &divide.Search{Start: start, Helpers: 2, Test: text, Stop: func() bool { return false },
		Try: trying(text, lim)}
	d.Do = func(t divide.Task) divide.Report {
		within := lim
		within.MaxExecutions = 0
		time.Sleep(slow)
		r := piece(m, t, within)
		here += r.Part.Executions
		return r
	}
	d.BeginItems(items.New(), lim.MaxExecutions)
	defer d.Close()
	r = explore.Prepare(m, dpor.New(true), lim, nil).Gather(d.Next)
	r.Elapsed = 0
	r.Sort()
	return r, here
}

// TestItems: what several processes find by items is what one finds, also if helpers give items
// back, or die; and where a bound on executions ends the search, it ends exactly there.
func TestItems(t *testing.T) {
	usual := start
	defer func() { start = usual }()
	// five philosophers, of whom one takes the other fork first
	forks := "mutex a\nmutex b\nmutex c\nmutex d\nP0: lock a; lock b; unlock b; unlock a\nP1: lock b; lock c; unlock c; unlock b\n" +
		"P2: lock c; lock d; unlock d; unlock c\nP3: lock a; lock d; unlock d; unlock a; log end"
	defer divide.SetOverdue(200 * time.Millisecond)()
	for _, text := range []string{senders, forks} {
		want := explore.Run(micro.New(micro.Parse(text)), optimal.New(), explore.Limits{}, nil)
		want.Sort()
		for _, how := range []string{"", "odd", "mortal", "missing", "silent", "stopped"} {
			start.Path = usual.Path
			start.Env = append(usual.Env[:len(usual.Env):len(usual.Env)], "DIVIDE_TEST="+how)
			if how == "missing" {
				start.Path = "/nowhere"
			}
			got, here := byItems(text, explore.Limits{}, 8*time.Millisecond)
			if got.Executions != want.Executions || got.Traces != want.Traces ||
				got.Complete != want.Complete {
				t.Errorf("%q: %d executions, %d traces, complete %v, want %d, %d, %v", how,
					got.Executions,
					got.Traces, got.Complete, want.Executions, want.Traces, want.Complete)
			}
			if counts(got) != counts(want) {
				t.Errorf("%q: %s, want %s", how, counts(got), counts(want))
			}
			all, nobody := got.Executions, how == "missing" || how == "silent"
			// a search of a few executions may end before a helper has begun
			if nobody && here < all || !nobody && here == all && all > 100 {
				t.Errorf("%q: %d of %d executions are made here", how, here, all)
			}
		}
		start.Path, start.Env = usual.Path, usual.Env
		for _, most := range []int{1, 7, want.Executions / 2} {
			got, _ := byItems(text, explore.Limits{MaxExecutions: most}, 0)
			if got.Executions+got.Blocked != most || got.Complete {
				t.Errorf("at most %d executions: %d, and %d redundant, complete %v", most,
					got.Executions,
					got.Blocked, got.Complete)
			}
		}
	}
}

// TestUnlike: a helper that does something else ends the search, and nothing of it counts.
func TestUnlike(t *testing.T) {
	start := start
	start.Env = append(start.Env[:len(start.Env):len(start.Env)], "DIVIDE_TEST=unlike")
	m := micro.New(micro.Parse(senders))
	d := &divide.Search{Start: start, Helpers: 1, Test: senders,
		Stop: func() bool { return false }, Try: trying(senders, explore.Limits{})}
	d.Do = func(t divide.Task) divide.Report {
		time.Sleep(20 * time.Millisecond) // 720 executions, five at a time, take 3 s
		return piece(m, t, explore.Limits{})
	}
	d.BeginItems(items.New(), 0)
	defer d.Close()
	explore.Prepare(m, dpor.New(true), explore.Limits{}, nil).Gather(d.Next)
	if !d.Unlike() {
		t.Error("nobody has noticed")
	}
}

// counts are the outcomes and findings of r, with how many executions show each.
func counts(r explore.Result) (s string) {
	for _, o := range r.Outcomes {
		s += fmt.Sprintf("%s%q %d; ", o.Kind, o.Log, o.Count)
	}
	for _, f := range r.Findings {
		s += fmt.Sprintf("%s %d; ", f.Identity, f.Count)
	}
	return s
}

const senders = "chan a 6\nmain: <-a; <-a; <-a; <-a; <-a; <-a\nS0: a<-0\nS1: a<-1\nS2: a<-2\nS3: a<-3\nS4: a<-4\nS5: a<-5"

// many has 10! executions.
var many = fmt.Sprintf("chan a 10\nmain: %s\n%s", strings.Repeat("<-a; ", 10), func() (all string) {
	for i := range 10 {
		all += fmt.Sprintf("S%d: a<-%d\n", i, i)
	}
	return all
}())

// TestStopped: a search that is stopped, or comes to its deadline, counts what has been reported,
// says so, and is not complete.
func TestStopped(t *testing.T) {
	var asked atomic.Int32
	in := func(ms time.Duration) time.Time { return time.Now().Add(ms * time.Millisecond) }
	for _, c := range []struct {
		lim    explore.Limits
		reason string
	}{
		{explore.Limits{Stop: func() bool { return asked.Add(1) > 40 }}, explore.Stopped},
		{explore.Limits{Deadline: in(50)}, explore.TimeIsUp},
		// the deadline is moved until there is an execution
		{explore.Limits{Deadline: in(1), First: in(3_600_000)}, explore.TimeIsUp},
		{explore.Limits{Deadline: in(1), Extended: in(100)}, explore.TimeIsUp},
	} {
		m := micro.New(micro.Parse(many))
		x := explore.Prepare(m, dpor.New(true), c.lim, nil)
		d := &divide.Search{Helpers: 2, Start: start, Test: many, Deadline: c.lim.Last(),
			Stop: x.Ends, Try: trying(many, c.lim)}
		d.Do = func(t divide.Task) divide.Report {
			return piece(m, t, c.lim.OfTask(t.Deadline))
		}
		d.BeginItems(items.New(), 0)
		r := x.Gather(d.Next)
		d.Close()
		if r.Complete || r.Reason != c.reason || c.reason == explore.Stopped && r.Executions == 0 {
			t.Errorf("%+v: %d executions, complete: %v, %s", c.lim, r.Executions, r.Complete,
				r.Reason)
		}
	}
}
