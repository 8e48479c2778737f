package explore_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var minimised = flag.Int("minimised", 60, "random programs whose findings are minimised")

// size is how complex a schedule is.
type size struct{ deviations, events int }

func (s size) less(t size) bool {
	return s.deviations < t.deviations || s.deviations == t.deviations && s.events < t.events
}

// measured counts the deviations of another Chooser.
type measured struct {
	trace.Chooser
	deviations int
}

func (c *measured) Choose(s *trace.State) int {
	i := c.Chooser.Choose(s)
	if s.Depth == 0 {
		c.deviations = 0
	}
	if i >= 0 && i != explore.Onward(s) {
		c.deviations++
	}
	return i
}

// example is one problem of a program: the least size of all schedules that show it, and the
// largest schedule.
type example struct {
	problem        explore.Problem
	least, largest size
	worst          []trace.Alt
}

// examples runs every schedule of m; nil if there are more than limit, or events that go on after
// the finding.
func examples(m *micro.Machine, limit int) (list []*example) {
	s := exhaustive.New()
	for c := (&measured{Chooser: s}); s.Begin(); limit-- {
		x := m.Execute(c, false)
		s.End(x)
		if limit == 0 {
			return nil
		}
		here := size{c.deviations, len(x.Events)}
		for _, p := range explore.Problems(x) {
			i := slices.IndexFunc(list, func(e *example) bool {
				return e.problem.Identity == p.Identity
			})
			if i < 0 {
				i, list = len(list), append(list, &example{problem: p, least: here})
			}
			e := list[i]
			if here.less(e.least) {
				e.least = here
			}
			if e.largest.less(here) {
				e.largest, e.worst = here, explore.Choices(x)
			}
		}
	}
	return list
}

// minimise is of e's largest schedule.
func minimise(t *testing.T, m *micro.Machine, e *example) size {
	f := explore.Minimise(m, explore.Finding{Problem: e.problem, Choices: e.worst}, nil)
	c := &measured{Chooser: &explore.Script{Alts: f.Choices}}
	x := m.Execute(c, false)
	if !slices.ContainsFunc(explore.Problems(x), func(p explore.Problem) bool {
		return p.Identity == e.problem.Identity
	}) {
		t.Errorf("%q is no longer shown", e.problem.Message)
	}
	if c.deviations != len(f.Deviations) {
		t.Errorf("%d deviations, and it says %v", c.deviations, f.Deviations)
	}
	return size{c.deviations, len(x.Events)}
}

// TestMinimiseRandom compares with all schedules of random programs: what needs one deviation or
// none becomes the simplest that there is, from the largest schedule that shows it.
func TestMinimiseRandom(t *testing.T) {
	simplest, several, least := 0, 0, 0
	for n := range uint64(*minimised) {
		text := micro.Random(rand.New(rand.NewPCG(n, 21)))
		m := micro.New(micro.Parse(text))
		for _, e := range examples(m, 5000) {
			switch got := minimise(t, m, e); {
			case e.least.deviations <= 1 && got != e.least:
				t.Errorf("program %d, %q: %v, the simplest schedule has %v\n%s", n,
					e.problem.Message, got,
					e.least, text)
			case got.less(e.least):
				t.Errorf("program %d, %q: %v is simpler than all schedules, %v\n%s", n,
					e.problem.Message, got,
					e.least, text)
			case e.least.deviations <= 1:
				simplest++
			case got == e.least:
				several, least = several+1, least+1
			default:
				several++
			}
		}
	}
	t.Logf(
		"%d findings that need one deviation or none; of %d that need more %d became the simplest",
		simplest, several, least)
	if simplest < *minimised/3 {
		t.Error("too few to compare")
	}
}

// TestMinimiseReplaces: no deviation of the largest schedule can be left out, but others in their
// places do with fewer deviations, or with fewer events.
func TestMinimiseReplaces(t *testing.T) {
	for _, c := range []struct {
		text string
		want size
	}{
		// T1 waits for ever, as T2 has taken the value, and T2 for the mutex that T0 has.
		{"chan a 1\nmutex m\nT0: trylock m\nT1: <-a; if 1 1; yield; trylock m\nT2: <-a; lock m\nT3: a<-3",
			size{1, 3}},
		// T1 and T2 wait for ever, after one way through T1's select or another.
		{"chan a 2\nwg w\nT0: add w 1; add w -1; a<-3\nT1: select a<-0 | a<-0 | <-a | default; <-a; if 2 1; a<-$\n" +
			"T2: <-a; if 1 1; a<-3; <-a; <-a\nT3: add w 1", size{1, 5}},
	} {
		m := machine(c.text)
		list := examples(m, 100000)
		i := slices.IndexFunc(list, func(e *example) bool { return e.least == c.want })
		if i < 0 {
			t.Fatalf("no problem whose simplest schedule has %v\n%s", c.want, c.text)
		}
		if got := minimise(t, m, list[i]); got != c.want {
			t.Errorf("%q: from %v to %v, want %v", list[i].problem.Message, list[i].largest, got,
				c.want)
		}
	}
}

// counting is an executor that counts the choices of all executions.
type counting struct {
	explore.Executor
	chooser trace.Chooser
	choices int
}

func (c *counting) Execute(ch trace.Chooser, sites bool) *trace.Execution {
	c.chooser = ch
	return c.Executor.Execute(c, sites)
}

func (c *counting) Choose(s *trace.State) int {
	c.choices++
	return c.chooser.Choose(s)
}

// TestMinimiseEarly ends the search at each time at which it asks, which is often: no execution
// goes on then, what was found until then shows the problem, and is no larger than what is found
// earlier; and once it is not ended any more, it says so.
func TestMinimiseEarly(t *testing.T) {
	m := machine(race + "T2: " + strings.Repeat("yield; ", 200) + "yield\nT3: " +
		strings.Repeat("yield; ", 200) + "yield\n")
	r := explore.Run(m, sample.NewRandom(5), explore.Limits{MaxExecutions: 200}, nil)
	i := slices.IndexFunc(r.Findings, func(f explore.Finding) bool {
		return f.Kind == explore.Fail
	})
	if i < 0 {
		t.Fatalf("nothing to minimise: %+v", r.Findings)
	}
	before := len(r.Findings[i].Choices) + 1 // deviations
	for asks := 1; ; asks++ {
		ex, asked, last, between := &counting{Executor: m}, 0, 0, 0
		f := explore.Minimise(ex, r.Findings[i], func() bool {
			last, between = ex.choices, max(between, ex.choices-last)
			asked++
			return asked >= asks
		})
		w := &measured{Chooser: &explore.Script{Alts: f.Choices}}
		x := m.Execute(w, false)
		if !slices.ContainsFunc(explore.Problems(x), func(p explore.Problem) bool {
			return p.Identity == f.Identity
		}) {
			t.Fatalf("ended after %d: %q is no longer shown", asks, f.Message)
		}
		if w.deviations > before {
			t.Errorf("ended after %d: %d deviations, and %d before", asks, w.deviations, before)
		}
		before = w.deviations
		if between > 200 {
			t.Fatalf("%d choices, and it has not asked", between)
		}
		if asked < asks {
			if f.Early || before != 0 || asks < 20 {
				t.Errorf("asked %d times: early %v, %d deviations", asked, f.Early, before)
			}
			return
		}
		if !f.Early && f.Deviations == nil || ex.choices-last > 200 {
			t.Errorf("ended after %d: early %v, and %d choices after that", asks, f.Early,
				ex.choices-last)
		}
	}
}
