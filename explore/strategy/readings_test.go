package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var readingPrograms = flag.Int("readings", 24,
	"random programs of the test of readings of the clock")

// A reading program is a few processes, each a list of operations on shared objects, between
// readings of the clock. Words: now, sleep, tick (wait for a timer), load, store, swap, add
// (blind), total (its sum), lock, rlock and shout (RWMutex.Lock), each with a reading inside, wait
// and signal (a Cond), done and all (a WaitGroup), put and get (a Pool), once, log; and send0,
// send1, send4, take0, ... on channels of that capacity.
type readingProgram [][]string

// families of words that have to do with each other.
var families = [][]string{{"lock"}, {"rlock", "shout"}, {"load", "store", "swap"},
	{"store", "load", "store"}, {"add", "total", "add"}, {"wait", "signal", "signal"},
	{"done", "all"}, {"put", "get"}, {"once"}, {"log"}, {"sleep", "tick"}, {"send0", "take0"},
	{"send1", "take1"}, {"send4", "take4"}, {"send4", "take4", "send0", "take0"}}

func randomReading(r *rand.Rand) readingProgram {
	some := slices.Concat([]string{"now"}, families[r.IntN(len(families))],
		families[r.IntN(len(families))])
	var p readingProgram
	for range 2 + r.IntN(2) {
		var ops []string
		for range 1 + r.IntN(4) {
			ops = append(ops, some[r.IntN(len(some))])
		}
		p = append(p, append(ops, "now"))
	}
	return p
}

// attacks are programs in which a lead would go a way that equivalent executions do not share.
var attacks = []readingProgram{
	// a joint meeting
	{{"now", "send0", "now"}, {"now", "now", "send0", "now"}, {"take0", "take0", "now"}},
	// a joint receive
	{{"now", "send4", "now"}, {"now", "now", "send4", "now"}, {"take4", "take4", "now"}},
	// each Signal wakes one
	{{"wait", "now"}, {"wait", "now"}, {"now", "signal", "now", "now", "signal"}},
	// readers in any order
	{{"now", "rlock", "now"}, {"now", "now", "rlock", "now"}, {"shout"}},
	{{"now", "add", "now"}, {"now", "now", "add", "now"}, {"total", "now"}},
	{{"now", "done", "now"}, {"now", "now", "done", "now"}, {"all", "now"}},
}

// readingRun is one run of a program.
type readingRun struct {
	seen  []strings.Builder
	chans map[string]chan int
	mu    sync.Mutex
	rw    sync.RWMutex
	wg    sync.WaitGroup
	cond  sync.Cond
	pool  sync.Pool
	once  sync.Once
	plain int32
	sum   int32
	last  []int64 // by process: its latest reading
}

func (p readingProgram) run(t gate.TB, begun func(r *readingRun)) {
	r := &readingRun{seen: make([]strings.Builder, len(p)), last: make([]int64, len(p))}
	r.chans = map[string]chan int{"0": hook.Made(make(chan int)), "1": hook.Made(make(chan int, 1)),
		"4": hook.Made(make(chan int, 4))}
	hook.Sealed(&r.plain)
	begun(r)
	end := new(sync.WaitGroup) // who logs after the end of the test panics
	gate.WaitGroupAdd(unsafe.Pointer(end), len(p))
	gate.WaitGroupAdd(unsafe.Pointer(&r.wg), 1)
	for i, ops := range p {
		hook.Go("process", func() {
			for _, o := range ops {
				fmt.Fprint(&r.seen[i], r.do(t, i, o), " ")
			}
			gate.WaitGroupAdd(unsafe.Pointer(end), -1)
		})
	}
	gate.WaitGroupWait(unsafe.Pointer(end))
}

func (r *readingRun) now(i int) int64 {
	r.last[i] = gate.ClockNow()
	return r.last[i]
}

func (r *readingRun) do(t gate.TB, i int, word string) any {
	switch word {
	case "now":
		return r.now(i)
	case "sleep":
		gate.ClockSleep(int64(1 + i))
	case "tick":
		c := make(chan int64, 1)
		gate.TimerStart(&gate.Timer{At: unsafe.Pointer(&c),
			Chan:  *(*unsafe.Pointer)(unsafe.Pointer(&c)),
			Send:  func(now int64) { c <- now },
			Empty: func() bool { <-c; return true }}, 2, 0)
		return hook.Recv(c)
	case "log":
		t.Log("line")
	case "once":
		pc, _, _, _ := runtime.Caller(0)
		gate.OnceDo(unsafe.Pointer(&r.once), func() { r.now(i) }, pc)
		return r.last[i]
	}
	switch {
	case strings.HasPrefix(word, "send"):
		hook.Send(r.chans[word[4:]]).V(0)
	case strings.HasPrefix(word, "take"):
		return hook.Recv(r.chans[word[4:]])
	default:
		return r.synchronise(i, word)
	}
	return "."
}

func (r *readingRun) synchronise(i int, word string) any {
	mu, rw, cond := unsafe.Pointer(&r.mu), unsafe.Pointer(&r.rw), unsafe.Pointer(&r.cond)
	switch word {
	case "load":
		return hook.LoadInt32(&r.plain)
	case "store":
		hook.StoreInt32(&r.plain, int32(i))
	case "swap":
		return hook.SwapInt32(&r.plain, int32(i))
	case "add":
		hook.Blind.AddInt32(&r.sum, 1)
	case "total":
		return hook.LoadInt32(&r.sum)
	case "lock":
		gate.MutexLock(mu)
		defer gate.MutexUnlock(mu)
		return r.now(i)
	case "rlock":
		gate.RWMutexRLock(rw)
		defer gate.RWMutexRUnlock(rw)
		return r.now(i)
	case "shout":
		gate.RWMutexLock(rw)
		defer gate.RWMutexUnlock(rw)
		return r.now(i)
	case "wait":
		gate.CondWait(cond, gate.CondEnter(cond))
	case "signal":
		gate.CondSignal(cond)
	case "done":
		gate.WaitGroupAdd(unsafe.Pointer(&r.wg), 1)
		gate.WaitGroupAdd(unsafe.Pointer(&r.wg), -1)
	case "all":
		if i == 0 {
			gate.WaitGroupAdd(unsafe.Pointer(&r.wg), -1)
		}
		gate.WaitGroupWait(unsafe.Pointer(&r.wg))
	case "put":
		gate.PoolPut(unsafe.Pointer(&r.pool), i)
	case "get":
		v, _ := gate.PoolGet(unsafe.Pointer(&r.pool))
		return v
	}
	return "."
}

func (r *readingRun) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintln(&b, r.seen[i].String())
	}
	return b.String()
}

// executor returns an executor of p. When an execution begins, begun gets its run.
func (p readingProgram) executor(begun func(r *readingRun), early bool) explore.Executor {
	c := world.Config{MaxSteps: 10000, Values: true, Clock: world.Clock{Flows: true}}
	if early {
		c.Clock.Early = -1
	}
	return executor.New(gate.Test{Name: "Test", Run: func(t gate.TB) { p.run(t, begun) }}, c)
}

// classes has, of the executions of a search, the outcome of each trace: of the order of all
// events, and of that of events that somebody sees.
type classes struct {
	explore.Strategy
	run          *readingRun
	fine, coarse map[uint64]string
	order, sight depend.Order
	outcomes     map[string]bool
	differ       string
}

func (c *classes) End(x *trace.Execution) {
	if x.End != trace.Cut {
		c.look(x)
	}
	c.Strategy.End(x)
}

func (c *classes) look(x *trace.Execution) {
	c.order.Rewind(0)
	for range x.Events {
		c.order.Add(x)
	}
	outcome := c.run.outcome()
	c.outcomes[outcome] = true
	c.enter(c.fine, c.order.Hash(), outcome)
	var least int32
	for narrow := int32(1); narrow > 0; least = max(least, narrow) {
		narrow = c.sight.Observe(x, least, depend.Together)
	}
	c.enter(c.coarse, c.sight.Hash()*31+uint64(least), outcome)
}

func (c *classes) enter(m map[uint64]string, hash uint64, outcome string) {
	if before, ok := m[hash]; ok && before != outcome && c.differ == "" {
		c.differ = before + "and\n" + outcome
	}
	m[hash] = outcome
}

func (p readingProgram) classes(s explore.Strategy, early bool) (*classes, explore.Result) {
	c := &classes{Strategy: s, fine: map[uint64]string{}, coarse: map[uint64]string{},
		outcomes: map[string]bool{}}
	ex := p.executor(func(r *readingRun) { c.run = r }, early)
	return c, explore.Run(ex, c, explore.Limits{MaxExecutions: 3000}, nil)
}

// TestReadings: equivalent executions read the same times, and so the strategies find all outcomes.
func TestReadings(t *testing.T) {
	compared, outcomes := 0, 0
	for seed := range uint64(*readingPrograms) {
		p, early := randomReading(rand.New(rand.NewPCG(seed, 13))), seed%3 == 0
		if seed < uint64(len(attacks)) {
			p, early = attacks[seed], false
		}
		all, full := p.classes(exhaustive.New(), early)
		if all.differ != "" {
			t.Fatalf("seed %d: %v\nexecutions of one class read different times:\n%s", seed, p,
				all.differ)
		}
		if !full.Complete {
			continue
		}
		compared, outcomes = compared+1, outcomes+len(all.outcomes)
		observing := optimal.New()
		observing.Equal()
		for name, s := range map[string]explore.Strategy{"dpor": dpor.New(true),
			"optimal": optimal.New(),
			"equal":   observing} {
			got, reduced := p.classes(s, early)
			if missed := notIn(all.outcomes, got.outcomes); missed != "" || !reduced.Complete {
				t.Fatalf("seed %d: %v\n%s: complete %v; missed:\n%s", seed, p, name,
					reduced.Complete, missed)
			}
		}
	}
	t.Logf("%d programs compared, %d outcomes", compared, outcomes)
}
