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
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var timedPrograms = flag.Int("timed", 14, "random programs of the test of timers")

// A timed program is a few processes, each a list of operations on the clock, on shared timers and
// on channels. It runs as plain Go in a bubble of testing/synctest, where time is virtual too, and
// under control.
//
// The test checks that dpor finds the outcomes and the traces that exhaustive search finds, with
// and without early hook.Clock; and whatever plain Go did is among them.

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

// timedTimer is a timer of either world.
type timedTimer struct {
	real   *time.Timer
	ticker *time.Ticker
	period int64
	model  gate.Timer
	c      chan int64 // under control: the time
}

// sharedWait is how long the shared timers of a program wait.
var sharedWait = time.Duration(2)

// timedRun is one run of a program.
type timedRun struct {
	p       timedProgram
	native  bool
	start   time.Time
	timers  [2]*timedTimer // that all processes share: a timer and a ticker
	own     []*timedTimer  // the latest that each process has made
	chans   [3]chan int
	seen    []strings.Builder
	done    []bool
	fired   []bool // the function of the latest AfterFunc of each process has run
	stop    atomic.Bool
	release chan struct{}
	launch  func(i int, f func()) // starts process i
}

func newTimedRun(p timedProgram, native bool) *timedRun {
	n := len(p)
	r := &timedRun{p: p, native: native, seen: make([]strings.Builder, n), done: make([]bool, n),
		fired: make([]bool, n), own: make([]*timedTimer, n), start: time.Now(),
		release: make(chan struct{})}
	r.launch = func(_ int, f func()) { hook.Go("process", f) }
	r.chans = [3]chan int{hook.Made(make(chan int)), hook.Made(make(chan int, 1)),
		hook.Made(make(chan int))}
	for i := range r.timers {
		r.timers[i] = r.newTimer([]string{"start", "ticker"}[i], sharedWait)
	}
	return r
}

// begin starts all processes.
func (r *timedRun) begin(jitter func()) {
	for i := range r.p {
		r.launch(i, func() {
			for _, o := range r.p[i] {
				jitter()
				s := r.do(i, o)
				if r.stop.Load() {
					return
				}
				r.seen[i].WriteString(s + " ")
			}
			r.done[i] = true
		})
	}
}

func (r *timedRun) newTimer(word string, d time.Duration) *timedTimer {
	t := &timedTimer{}
	switch {
	case r.native && word == "ticker":
		t.ticker = time.NewTicker(d)
	case r.native:
		t.real = time.NewTimer(d)
	default:
		t.c = make(chan int64, 1)
		if word == "ticker" {
			t.period = int64(d)
		}
		t.model = gate.Timer{At: unsafe.Pointer(t), Chan: *(*unsafe.Pointer)(unsafe.Pointer(&t.c)),
			Send: func(now int64) { t.c <- now }, Empty: func() bool { <-t.c; return true }}
		gate.TimerStart(&t.model, int64(d), t.period)
	}
	return t
}

func (r *timedRun) after(i int, d time.Duration) {
	f := func() {
		if !r.stop.Load() {
			r.fired[i] = true
		}
	}
	if r.native {
		time.AfterFunc(d, f)
		return
	}
	t := new(timedTimer)
	t.model = gate.Timer{At: unsafe.Pointer(t), Func: func() { hook.Gosched(); f() }}
	gate.TimerStart(&t.model, int64(d), 0)
}

func (t *timedTimer) stop() bool {
	switch {
	case t.ticker != nil:
		t.ticker.Stop()
		return true
	case t.real != nil:
		return t.real.Stop()
	}
	return gate.TimerStop(t.model.At) || t.period > 0
}

func (t *timedTimer) reset(d time.Duration) bool {
	switch {
	case t.ticker != nil:
		t.ticker.Reset(d)
		return true
	case t.real != nil:
		return t.real.Reset(d)
	case t.period > 0:
		gate.TimerReset(t.model.At, int64(d), int64(d))
		return true
	}
	return gate.TimerReset(t.model.At, int64(d), 0)
}

func (r *timedRun) now() string {
	if r.native {
		return fmt.Sprint(int64(time.Since(r.start)))
	}
	return fmt.Sprint(gate.ClockNow())
}

func (r *timedRun) do(i int, o timedOp) string {
	t := r.own[i]
	if o.timer < 2 || t == nil {
		t = r.timers[o.timer%2]
	}
	switch o.word {
	case "now":
		return r.now()
	case "sleep":
		if r.native {
			time.Sleep(o.d)
		} else {
			gate.ClockSleep(int64(o.d))
		}
	case "start", "ticker":
		r.own[i] = r.newTimer(o.word, o.d)
	case "after":
		r.after(i, o.d)
	case "stop":
		return fmt.Sprint(t.stop())
	case "reset":
		return fmt.Sprint(t.reset(o.d))
	case "send", "take":
		return r.comm(o)
	case "offer", "glance":
		return r.try(o)
	case "meet":
		return r.meet(r.chans[0])
	case "pick":
		return r.meet(r.chans[1])
	case "push":
		return r.push(int(o.d))
	case "close":
		return r.close(o.ch)
	default:
		return r.wait(t, o)
	}
	return "."
}

func (r *timedRun) comm(o timedOp) string {
	ch := r.chans[o.ch]
	switch {
	case r.native && o.word == "send":
		select {
		case ch <- int(o.d):
		case <-r.release:
		}
	case r.native:
		select {
		case v := <-ch:
			return fmt.Sprint("v", v)
		case <-r.release:
		}
	case o.word == "send":
		hook.Send(ch).V(int(o.d))
	default:
		return fmt.Sprint("v", hook.Recv(ch))
	}
	return "."
}

// try is comm with default.
func (r *timedRun) try(o timedOp) string {
	ch, did := r.chans[o.ch], false
	switch {
	case r.native && o.word == "offer":
		select {
		case ch <- int(o.d):
			did = true
		default:
		}
	case r.native:
		select {
		case <-ch:
			did = true
		default:
		}
	case o.word == "offer":
		did = hook.Select(true, hook.S(ch).Case(int(o.d))) == 0
	default:
		did = hook.Select(true, hook.R(ch)) == 0
	}
	return fmt.Sprint(did)
}

func (r *timedRun) close(ch int) string {
	if r.native {
		close(r.chans[ch])
	} else {
		hook.Close(r.chans[ch])
	}
	return "."
}

// meet receives from a or from the last channel.
func (r *timedRun) meet(a chan int) string {
	b := r.chans[2]
	if !r.native {
		from, other := hook.R(a), hook.R(b)
		if hook.Select(false, from, other) == 0 {
			return fmt.Sprint("a", from.V)
		}
		return fmt.Sprint("b", other.V)
	}
	select {
	case v := <-a:
		return fmt.Sprint("a", v)
	case v := <-b:
		return fmt.Sprint("b", v)
	case <-r.release:
		return ""
	}
}

// push sends v to the buffered channel, or receives from the last.
func (r *timedRun) push(v int) string {
	a, b := r.chans[1], r.chans[2]
	if !r.native {
		to, from := hook.S(a).Case(v), hook.R(b)
		if hook.Select(false, to, from) == 0 {
			return "s"
		}
		return fmt.Sprint("b", from.V)
	}
	select {
	case a <- v:
		return "s"
	case v := <-b:
		return fmt.Sprint("b", v)
	case <-r.release:
		return ""
	}
}

// wait receives from a timer in one of three ways.
func (r *timedRun) wait(t *timedTimer, o timedOp) string {
	if !r.native {
		return r.waitControlled(t, o)
	}
	var c <-chan time.Time
	if t.ticker != nil {
		c = t.ticker.C
	} else {
		c = t.real.C
	}
	var other chan int
	if o.word == "either" {
		other = r.chans[o.ch]
	}
	if o.word == "poll" {
		select {
		case at := <-c:
			return fmt.Sprint("t", int64(at.Sub(r.start)))
		default:
			return "no"
		}
	}
	select {
	case at := <-c:
		return fmt.Sprint("t", int64(at.Sub(r.start)))
	case v := <-other:
		return fmt.Sprint("v", v)
	case <-r.release:
		return ""
	}
}

func (r *timedRun) waitControlled(t *timedTimer, o timedOp) string {
	cases := []hook.Case{hook.R(t.c)}
	if o.word == "either" {
		cases = append(cases, hook.R(r.chans[o.ch]))
	}
	switch k := hook.Select(o.word == "poll", cases...); k {
	case 0:
		return fmt.Sprint("t", cases[0].(*hook.RecvCase[int64]).V)
	case 1:
		return fmt.Sprint("v", cases[1].(*hook.RecvCase[int]).V)
	}
	return "no"
}

func (r *timedRun) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintf(&b, "%d: %s", i, r.seen[i].String())
		if !r.done[i] {
			b.WriteString("waits")
		}
		if r.fired[i] {
			b.WriteString("fired")
		}
		b.WriteByte('\n')
	}
	return b.String()
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

// exploredAs explores p, without early hook.Clock.
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
