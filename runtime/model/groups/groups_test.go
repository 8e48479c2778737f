package groups_test

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
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// A random program is a bubble whose first process starts the others and then does operations of
// its own. It runs as plain Go in a bubble of testing/synctest, and under control. The test checks
// that dpor finds the outcomes and the traces that exhaustive search finds, and that these include
// every outcome of plain Go.
var (
	programs   = flag.Int("programs", 120, "random programs")
	nativeRuns = flag.Int("native", 25, "plain runs of each program")
)

// op is one operation. Words: add, load (a variable), sleep, now, after (a function of a timer),
// send, recv, poll (channels), count (goroutines), start (one that ends at once), and wait (until
// the bubble is still).
type op struct {
	word string
	ch   int
	d    time.Duration
}

type program [][]op

func random(r *rand.Rand) program {
	words := []string{"add", "add", "load", "load", "sleep", "sleep", "sleep", "now", "after",
		"after",
		"send", "recv", "poll", "count", "start"}
	var p program
	for i := range 2 + r.IntN(2) {
		var ops []op
		for range 1 + r.IntN(3) {
			o := op{words[r.IntN(len(words))], min(1, r.IntN(4)), time.Duration(1 + r.IntN(3))}
			switch {
			case i == 0 && r.IntN(3) == 0:
				o.word = "wait"
			case i > 0 && o.word == "count":
				o.word = "add" // plain Go has a goroutine more, which ends with the first process
			}
			ops = append(ops, o)
		}
		if i == 0 && r.IntN(4) > 0 {
			// so that the others can end
			ops = append(ops, op{word: "sleep", d: 100}, op{word: "wait"}, op{word: "load"})
		}
		p = append(p, ops)
	}
	return p
}

// run is one run of a program.
type run struct {
	p      program
	native bool
	start  time.Time
	base   int
	n      int32
	chans  [2]chan int
	seen   []strings.Builder
	over   bool // the bubble has ended
}

func newRun(p program, native bool) *run {
	return &run{p: p, native: native, seen: make([]strings.Builder, len(p))}
}

// bubble is the function of the bubble's first process.
func (r *run) bubble(jitter func()) {
	r.chans = [2]chan int{hook.Made(make(chan int)), hook.Made(make(chan int, 1))}
	r.start, r.base = time.Now(), hook.NumGoroutine()
	for i := 1; i < len(r.p); i++ {
		hook.Go("process", func() { r.process(i, jitter) })
	}
	r.process(0, jitter)
}

func (r *run) process(i int, jitter func()) {
	for _, o := range r.p[i] {
		jitter()
		s := r.do(o)
		r.seen[i].WriteString(s + " ")
	}
	r.seen[i].WriteString("end")
}

func (r *run) do(o op) string {
	switch o.word {
	case "add":
		return fmt.Sprint(hook.AddInt32(&r.n, 1))
	case "load":
		return fmt.Sprint(hook.LoadInt32(&r.n))
	case "send":
		hook.Send(r.chans[o.ch]).V(int(o.d))
	case "recv":
		return fmt.Sprint(hook.Recv(r.chans[o.ch]))
	case "poll":
		return fmt.Sprint(hook.Select(true, hook.R(r.chans[o.ch])))
	case "count":
		return fmt.Sprint(hook.NumGoroutine() - r.base)
	case "start":
		hook.Go("short", func() { hook.AddInt32(&r.n, 10) })
	default:
		return r.timed(o)
	}
	return "."
}

// timed does an operation that plain Go does with package time or testing/synctest.
func (r *run) timed(o op) string {
	f := func() { hook.AddInt32(&r.n, 100) }
	switch {
	case o.word == "now" && r.native:
		return fmt.Sprint(int64(time.Since(r.start)))
	case o.word == "now":
		return fmt.Sprint(gate.ClockNow())
	case o.word == "sleep" && r.native:
		time.Sleep(o.d)
	case o.word == "sleep":
		gate.ClockSleep(int64(o.d))
	case o.word == "after" && r.native:
		time.AfterFunc(o.d, f)
	case o.word == "after":
		t := &gate.Timer{Func: f}
		t.At = unsafe.Pointer(t)
		gate.TimerStart(t, int64(o.d), 0)
	case r.native:
		synctest.Wait()
	default:
		gate.BubbleWait()
	}
	return "."
}

func (r *run) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintf(&b, "%d: %s\n", i, r.seen[i].String())
	}
	if !r.over {
		b.WriteString("deadlock\n")
	}
	return b.String()
}

// goroutines is how many there are in between plain runs. Those that are left behind in a deadlock
// stay.
var goroutines = runtime.NumGoroutine() + 1 // the test itself

// asPlainGo runs p in a bubble, whose deadlock is a panic.
func (p program) asPlainGo(t *testing.T, jitter func()) string {
	for runtime.NumGoroutine() != goroutines {
		runtime.Gosched()
	}
	r := newRun(p, true)
	defer func() { goroutines += r.leftBehind() }()
	func() {
		defer func() { recover() }()
		synctest.Test(t, func(*testing.T) { r.bubble(jitter) })
		r.over = true
	}()
	return r.outcome()
}

// leftBehind counts the goroutines of a plain run that wait for ever: one for each process, and one
// that waits for the first.
func (r *run) leftBehind() (n int) {
	for i := range r.seen {
		if !strings.HasSuffix(r.seen[i].String(), "end") {
			n++
			if i == 0 {
				n++
			}
		}
	}
	return n
}

// explored returns the outcomes that s comes to.
func (p program) explored(s explore.Strategy, early, most int) (outcomes map[string]bool,
	result explore.Result) {
	outcomes = map[string]bool{}
	var r *run
	ex := executor.New(gate.Test{Name: "Test", Run: func(tb gate.TB) {
		r = newRun(p, false)
		tb.Bubble(func(gate.TB) { r.bubble(func() {}) })
		r.over = true
	}}, world.Config{MaxSteps: 10000, Clock: world.Clock{Early: early}})
	c := &collecting{Strategy: s, end: func() { outcomes[r.outcome()] = true }}
	return outcomes, explore.Run(ex, c, explore.Limits{MaxExecutions: most}, nil)
}

// collecting calls end after every execution that was not cut off.
type collecting struct {
	explore.Strategy
	end func()
}

func (c *collecting) End(x *trace.Execution) {
	if x.End != trace.Cut {
		c.end()
	}
	c.Strategy.End(x)
}

// did is what plain Go did with each program. It is found out before any exploration, whose
// goroutines would be counted: with -count, once.
var did [][]string

func runPlainly(t *testing.T) {
	for seed := range uint64(*programs) {
		var outcomes []string
		for n := range *nativeRuns {
			outcomes = append(outcomes,
				random(rand.New(rand.NewPCG(seed, 11))).asPlainGo(t, jitter(uint64(n))))
		}
		did = append(did, outcomes)
	}
}

func TestBubbles(t *testing.T) {
	if did == nil {
		runPlainly(t)
	}
	hook.CountsGoroutines()
	compared, outcomes, deadlocks := 0, 0, 0
	for seed := range uint64(*programs) {
		p := random(rand.New(rand.NewPCG(seed, 11)))
		early := int(seed%2) - 1 // a bubble's timers are never early
		all, full := p.explored(exhaustive.New(), early, 6000)
		if !full.Complete {
			continue
		}
		compared++
		outcomes += len(all)
		got, reduced := p.explored(dpor.New(true), early, 6000)
		if !slices.Equal(keys(all), keys(got)) || full.Traces != reduced.Traces {
			t.Fatalf(
				"seed %d: %v\nexhaustive: %d executions, %d traces, %q\ndpor: %d executions, %d traces, %q",
				seed, p,
				full.Executions, full.Traces, keys(all), reduced.Executions, reduced.Traces,
				keys(got))
		}
		for _, did := range did[seed] {
			if !all[did] {
				t.Fatalf("seed %d: %v\nplain Go did what no order does:\n%s\nall:\n%s", seed,
					p, did,
					strings.Join(keys(all), "\n"))
			}
			deadlocks += strings.Count(did, "deadlock")
		}
	}
	t.Logf("%d programs compared, %d outcomes, %d plain runs ended in a deadlock", compared,
		outcomes,
		deadlocks)
	if compared < *programs/4 {
		t.Errorf("only %d programs compared", compared)
	}
}

func keys(m map[string]bool) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// jitter returns a function that yields now and then, so that plain runs differ.
func jitter(seed uint64) func() {
	var state atomic.Uint64
	state.Store(seed * 0x9e3779b97f4a7c15)
	return func() {
		for x := state.Add(0x9e3779b97f4a7c15) >> 60; x > 8; x-- {
			runtime.Gosched()
		}
	}
}
