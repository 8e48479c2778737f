package strategy_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var memory = flag.Int("memory", 4_000, "executions of TestMemory")

// TestMemory: neither what an exploration holds nor what the process gets from the system grows
// beyond twice of what it is after 10,000 executions, and neither do goroutines, however many
// traces and outcomes there are. go test -run Memory -v -memory 1000000 prints the numbers.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, p := range []struct {
		name string
		body func(gate.TB)
	}{{"nsenders", senders(10)}, {"leaking", leaking}, {"logging", logging}} {
		for name, s := range map[string]explore.Strategy{"dpor": dpor.New(true),
			"optimal": optimal.New(),
			"random":  sample.NewRandom(1), "exhaustive": exhaustive.New()} {
			t.Run(p.name+"/"+name, func(t *testing.T) { testMemory(t, p.body, s) })
		}
	}
}

func testMemory(t *testing.T, body func(gate.TB), s explore.Strategy) {
	debug.FreeOSMemory()
	m := &meter{Executor: executor.New(gate.Test{Name: "Test", Run: body}, world.Config{}),
		at: min(*memory/10, 10_000), last: *memory}
	r := explore.Run(m, s, explore.Limits{MaxExecutions: *memory}, nil)
	t.Logf("after %d executions %v, after %d with %d traces and %d outcomes %v", m.at, m.then,
		r.Executions+r.Blocked, r.Traces, len(r.Outcomes), m.now)
	if m.now.resident > 2*m.then.resident {
		t.Errorf("the resident size has grown from %d to %d bytes", m.then.resident, m.now.resident)
	}
	if m.now.goroutines > m.then.goroutines+10 {
		t.Errorf("%d goroutines, then %d", m.then.goroutines, m.now.goroutines)
	}
}

// logging logs the order of ten senders: as many outcomes as traces.
func logging(tb gate.TB) {
	const n = 10
	ch, got := hook.Made(make(chan int, n)), make([]int, n)
	for i := range n {
		hook.Go("sender", func() { hook.Send(ch).V(i) })
	}
	for i := range got {
		got[i] = hook.Recv(ch)
	}
	tb.Log(fmt.Sprint(got))
}

// leaking leaves processes behind, which have to be unwound.
func leaking(tb gate.TB) {
	ch := hook.Made(make(chan int))
	for range 9 {
		hook.Go("waiter", func() { hook.Recv(ch) })
	}
	for range 8 {
		hook.Send(ch).V(1)
	}
}

// meter measures after some executions.
type meter struct {
	explore.Executor
	n         int
	at, last  int // executions before which to measure
	then, now usage
}

func (m *meter) Execute(c trace.Chooser, sites bool) *trace.Execution {
	switch m.n++; m.n {
	case m.at:
		m.then = measure()
	case m.last:
		m.now = measure()
	}
	return m.Executor.Execute(c, sites)
}

func (u usage) String() string {
	return fmt.Sprintf("heap %d kB, resident %d kB, %d goroutines", u.heap>>10, u.resident>>10,
		u.goroutines)
}

// usage is heap and resident memory in bytes, and goroutines.
type usage struct {
	heap       uint64
	resident   int
	goroutines int
}

func measure() (u usage) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.heap, u.goroutines = m.HeapAlloc, runtime.NumGoroutine()
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := strings.Fields(string(text)); len(f) > 1 {
			pages, _ := strconv.Atoi(f[1])
			u.resident = pages * os.Getpagesize()
		}
	}
	return u
}

// weigher weighs the trees of a strategy now and then.
type weigher struct {
	explore.Executor
	trees func() int // bytes
	n     int
	most  int
}

func (w *weigher) Execute(c trace.Chooser, sites bool) *trace.Execution {
	const often = 16
	if w.n++; w.n%often == 0 {
		w.most = max(w.most, w.trees())
	}
	return w.Executor.Execute(c, sites)
}

// TestTrees: what the wakeup trees of programs with many independent races take. Of indexer, an
// event has few pasts, and the trees stay as they are; of lastzero, it has exponentially many. go
// test -run Trees -v -whole also explores the largest of package bench.
func TestTrees(t *testing.T) {
	for _, c := range []struct {
		name       string
		body       func(gate.TB)
		executions int
		most       int // kB
	}{
		{"indexer(13)", indexer(13), 64, 100}, {"indexer(14)", indexer(14), 512, 100},
		{"indexer(15)", indexer(15), 4096, 100},
		{"lastzero(8)", lastZero(8), 704, 250}, {"lastzero(10)", lastZero(10), 3328, 1000},
		{"lastzero(12)", lastZero(12), 15360, 4000},
	} {
		if c.executions > 4000 && !*whole {
			continue
		}
		s := optimal.New()
		w := &weigher{Executor: executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{}),
			trees: s.Held}
		r := explore.Run(w, s, explore.Limits{}, nil)
		t.Logf("%s: %d executions, %d kB of trees at most", c.name, r.Executions, w.most>>10)
		if !r.Complete || r.Executions != c.executions || r.Blocked != 0 || w.most>>10 > c.most {
			t.Errorf("%s: %d executions, %d blocked, %d kB (%s); want %d, none, and %d kB at most",
				c.name,
				r.Executions, r.Blocked, w.most>>10, r.Reason, c.executions, c.most)
		}
	}
}

// TestTreesOutgrown: beyond their bound the trees are given up for pop, which runs one execution
// for each trace.
func TestTreesOutgrown(t *testing.T) {
	const bound = 1 << 16
	defer setEffort(0, 0, bound)()
	s := newExact()
	w := &weigher{Executor: executor.New(gate.Test{Name: "Test", Run: lastZero(9)}, world.Config{}),
		trees: s.Held}
	r := explore.Run(w, s, explore.Limits{}, nil)
	total := s.Summary().Total
	t.Logf("%s: %d executions, %d of them of pop, %d kB of trees at most; about %.0f estimated",
		s.Summary().Name, r.Executions, s.Ran(), w.most>>10, total)
	if s.Summary().Name != "optimal, then pop" || !r.Complete || r.Traces != 1536 ||
		s.Ran() != 1536 ||
		r.Blocked != 0 || w.most > 2*bound {
		t.Errorf("%s: %d executions of pop, %d blocked, of %d traces (%s), %d bytes of trees",
			s.Summary().Name, s.Ran(), r.Blocked, r.Traces, r.Reason, w.most)
	}
	if total < float64(r.Executions) {
		t.Errorf("%d executions, and %.0f were estimated", r.Executions, total)
	}
}
