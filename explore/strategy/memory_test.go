package strategy_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var memory = flag.Int("memory", 100_000, "executions of TestMemory")

// TestMemory: what an exploration holds does not grow with its executions, but for 16 bytes a trace (see the LIMITS of
// package explore), and neither do goroutines. go test -run Memory -v -memory 1000000 prints the numbers.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for name, body := range map[string]func(gate.TB){"nsenders": senders(10), "leaking": leaking} {
		for _, s := range []explore.Strategy{strategy.NewDPOR(true), strategy.NewRandom(1)} {
			m := &meter{Executor: hook.NewExecutor(gate.Test{Name: "Test", Run: body}, "coroutine", 0), at: min(*memory/10, 10_000), last: *memory}
			r := explore.Run(m, s, explore.Limits{MaxExecutions: *memory}, nil)
			traces := 32 * uint64(r.Traces) // a table that is at most half full, and the one it grew from
			t.Logf("%s, %T: after %d executions %v, after %d of %d traces %v", name, s, m.at, m.then, r.Executions, r.Traces, m.now)
			if m.now.heap > 2*m.then.heap+traces {
				t.Errorf("%s, %T: the heap has grown from %d to %d bytes", name, s, m.then.heap, m.now.heap)
			}
			if m.now.goroutines > m.then.goroutines+10 {
				t.Errorf("%s, %T: %d goroutines, then %d", name, s, m.then.goroutines, m.now.goroutines)
			}
		}
	}
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
	return fmt.Sprintf("heap %d kB, resident %d kB, %d goroutines", u.heap>>10, u.resident>>10, u.goroutines)
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
