package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var timedPrograms = flag.Int("timed", 8, "random programs of the test of timers")

// A timed program is a few processes, each a list of operations on the clock, on shared timers and
// on channels. It runs as plain Go in a bubble of testing/synctest, where time is virtual too, and
// under control.
//
// The test checks that dpor finds the outcomes and the traces that exhaustive search finds, with
// and without early firings; and whatever plain Go did is among them.

// timedOp is one operation. Words: now, sleep, start (a timer), ticker, after (a function), stop,
// reset, recv (from a timer), poll (the same with default), either (a timer or a channel), send,
// take (channels), offer, glance (the same with default), close, meet (receive from either channel
// without a buffer), pick (from the buffered one or the last), push (send to the buffered one or
// receive from the last).
type timedOp struct {
	word  string
	timer int
	d     time.Duration
	ch    int
}

type timedProgram [][]timedOp

func randomTimed(r *rand.Rand) timedProgram {
	words := []string{"now", "now", "sleep", "sleep", "start", "start", "ticker", "after", "stop",
		"reset", "recv", "recv", "poll", "either", "send", "take"}
	var p timedProgram
	for range 2 + r.IntN(2) {
		var ops []timedOp
		for range 1 + r.IntN(3) {
			ops = append(ops, timedOp{words[r.IntN(len(words))], r.IntN(3),
				time.Duration(1 + r.IntN(3)),
				r.IntN(2)})
		}
		p = append(p, ops)
	}
	return p
}

// asPlainGo runs p in a bubble and returns what it did within a time in which all of its timers
// fire.
func (p timedProgram) asPlainGo(t *testing.T, jitter func()) (outcome string) {
	synctest.Test(t, func(*testing.T) {
		r := newTimedRun(p, true)
		r.begin(jitter)
		time.Sleep(1000)
		synctest.Wait()
		outcome = r.outcome()
		r.stop.Store(true)
		close(r.release)
		for _, timer := range append(r.own, r.timers[:]...) {
			if timer != nil {
				timer.stop()
			}
		}
	})
	return outcome
}

// explored returns the outcomes and the number of traces that s comes to; ok is false if there are
// too many.
func (p timedProgram) explored(s explore.Strategy, early world.Clock,
	most int) (outcomes map[string]bool, result explore.Result) {
	outcomes = map[string]bool{}
	c := &counting{Strategy: s}
	ex := p.controlled(early, func(outcome func() string) {
		c.end = func() { outcomes[outcome()] = true }
	})
	return outcomes, explore.Run(ex, c, explore.Limits{MaxExecutions: most},
		nil)
}

// exploredAs explores p, without early firings.
func (p timedProgram) exploredAs(a *arrivals) explore.Result {
	ex := p.controlled(world.Clock{}, func(outcome func() string) { a.outcome = outcome })
	c := world.Setup
	c.Arrives = a.arrives
	executor.Configure(c)
	return explore.Run(ex, a, explore.Limits{MaxExecutions: 4000}, nil)
}

// controlled returns an executor of p. When an execution begins, begun gets a function that returns
// its outcome.
func (p timedProgram) controlled(early world.Clock,
	begun func(outcome func() string)) explore.Executor {
	return executor.New(gate.Test{Name: "Test", Run: func(gate.TB) {
		r := newTimedRun(p, false)
		begun(r.outcome)
		r.begin(func() {})
		if early.Early == 0 {
			gate.ClockSleep(1000) // so that all timers fire
		}
	}}, world.Config{MaxSteps: 10000, Clock: early})
}

// counting calls end after every execution that was not cut off.
type counting struct {
	explore.Strategy
	end func()
}

func (c *counting) End(x *trace.Execution) {
	if x.End != trace.Cut {
		c.end()
	}
	c.Strategy.End(x)
}

func TestTimed(t *testing.T) {
	for _, early := range []world.Clock{
		{Early: -1}, {}, {Early: -1, Within: 2}, {Early: -1, Turns: 1},
		{Early: -1, Within: 2, Turns: 1}, {Early: -1, Ahead: 2}, {Early: -1, Turns: 2, Ahead: 2},
	} {
		t.Run(fmt.Sprint("early", early), func(t *testing.T) {
			compared, outcomes, blocked := 0, 0, 0
			for seed := range uint64(*timedPrograms) {
				p := randomTimed(rand.New(rand.NewPCG(seed, 7)))
				all, full := p.explored(exhaustive.New(), early, 4000)
				if !full.Complete {
					continue
				}
				compared++
				outcomes += len(all)
				d := dpor.New(true)
				got, reduced := p.explored(d, early, 4000)
				if d.Last().Distinct && reduced.Traces != reduced.Executions {
					t.Errorf("seed %d: %v\n%d executions of %d traces", seed, p, reduced.Executions,
						reduced.Traces)
				}
				if !slices.Equal(keysOf(all), keysOf(got)) || full.Traces != reduced.Traces {
					t.Fatalf(
						"seed %d: %v\nexhaustive: %d executions, %d traces\ndpor: %d executions, %d traces (%s)\nmissed:\n%s",
						seed, p,
						full.Executions, full.Traces, reduced.Executions, reduced.Traces,
						reduced.Reason,
						notIn(all, got))
				}
				o := optimal.New()
				got, reduced = p.explored(o, early, 4000)
				if !slices.Equal(keysOf(all), keysOf(got)) || full.Traces != reduced.Traces {
					t.Fatalf(
						"seed %d: %v\nexhaustive: %d executions, %d traces\noptimal: %d executions, %d traces (%s)\nmissed:\n%s",
						seed, p,
						full.Executions, full.Traces, reduced.Executions, reduced.Traces,
						reduced.Reason,
						notIn(all, got))
				}
				blocked += reduced.Blocked
				for n := range 15 {
					if early.Within > 0 || early.Turns > 0 || early.Ahead > 0 {
						break // plain Go may do more
					}
					if got := p.asPlainGo(t, timedJitter(uint64(n))); !all[got] {
						t.Fatalf("seed %d: %v\nplain Go did what no order does:\n%s\nall:\n%s",
							seed, p, got,
							strings.Join(keysOf(all), "\n"))
					}
				}
			}
			t.Logf("%d programs compared, %d outcomes; optimal was cut off %d times", compared,
				outcomes,
				blocked)
		})
	}
}

// TestForeseenInVain has two processes, which poll a ticker and a timer. When the ticker has fired,
// a branch waits in which the first process misses it, for the events do not tell that this is
// impossible. The miss of the second process, which commutes with the first one's, must not be left
// to that branch.
func TestForeseenInVain(t *testing.T) {
	p := timedProgram{{{word: "poll", timer: 1}}, {{word: "start", d: 1}, {word: "poll", timer: 0}}}
	all, full := p.explored(exhaustive.New(), world.Clock{Early: -1}, 4000)
	o := optimal.New()
	got, reduced := p.explored(o, world.Clock{Early: -1}, 4000)
	if !full.Complete || !slices.Equal(keysOf(all), keysOf(got)) || full.Traces != reduced.Traces {
		t.Errorf("exhaustive: %d executions, %d traces; optimal: %d traces (%s); missed:\n%s",
			full.Executions, full.Traces, reduced.Traces,
			reduced.Reason, notIn(all, got))
	}
	if reduced.Executions != reduced.Traces || !o.Last().Distinct {
		t.Errorf("optimal: %d executions of %d traces", reduced.Executions, reduced.Traces)
	}
}

// notIn lists what is in a and not in b.
func notIn(a, b map[string]bool) string {
	var list []string
	for _, k := range keysOf(a) {
		if !b[k] {
			list = append(list, k)
		}
	}
	return strings.Join(list, "\n")
}

func keysOf(m map[string]bool) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// timedJitter returns a function that yields now and then, so that plain runs differ.
func timedJitter(seed uint64) func() {
	var state atomic.Uint64
	state.Store(seed * 0x9e3779b97f4a7c15)
	return func() {
		for x := state.Add(0x9e3779b97f4a7c15) >> 60; x > 8; x-- {
			runtime.Gosched()
		}
	}
}
