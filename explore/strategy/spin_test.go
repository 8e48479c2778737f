package strategy_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// poll waits for the close of stop with a select that has a default branch.
func poll(stop chan int, body func()) {
	for hook.Select(true, hook.R(stop)) < 0 {
		body()
	}
}

// polling: the test function closes what a process polls.
func polling(gate.TB) {
	stop := hook.Made(make(chan int))
	hook.Go("poller", func() { poll(stop, func() {}) })
	hook.Close(stop)
}

// yielding: likewise with Gosched, and the other way round.
func yielding(gate.TB) {
	stop := hook.Made(make(chan int))
	hook.Go("closer", func() { hook.Close(stop) })
	poll(stop, hook.Gosched)
}

// tryingLock: TryLock until the holder unlocks.
func tryingLock(gate.TB) {
	m := unsafe.Pointer(new([8]uint64))
	gate.MutexLock(m)
	hook.Go("trier", func() {
		for !gate.MutexTryLock(m) {
		}
	})
	gate.MutexUnlock(m)
}

// locking: a variable is polled under a mutex. No step of it is idle.
func locking(gate.TB) {
	m := unsafe.Pointer(new([8]uint64))
	done := false
	hook.Go("setter", func() { gate.MutexLock(m); done = true; gate.MutexUnlock(m) })
	for over := false; !over; {
		gate.MutexLock(m)
		over = done
		gate.MutexUnlock(m)
	}
}

// starving: two processes exchange messages until a third one, which polls first, tells them to
// stop.
func starving(gate.TB) {
	a, b, stop := hook.Made(make(chan int)), hook.Made(make(chan int)), hook.Made(make(chan int))
	hook.Go("echo", func() {
		for {
			if _, ok := hook.Recv2(a); !ok {
				return
			}
			hook.Send(b).V(1)
		}
	})
	hook.Go("stopper", func() { hook.Gosched(); hook.Gosched(); hook.Close(stop) })
	poll(stop, func() { hook.Send(a).V(1); hook.Recv(b) })
	hook.Close(a)
}

// stuck: two processes poll what nobody does.
func stuck(gate.TB) {
	never := hook.Made(make(chan int))
	hook.Go("poller", func() { poll(never, func() {}) })
	poll(never, func() {})
}

// TestSpinning: loops that poll end as soon as others have their turn. Only the last one is a
// livelock.
func TestSpinning(t *testing.T) {
	for _, c := range []struct {
		name     string
		body     func(gate.TB)
		livelock bool
		partial  bool // some number of polls is left out
	}{
		{"polling", polling, false, true},
		{"yielding", yielding, false, true},
		{"tryingLock", tryingLock, false, true},
		{"locking", locking, false, true},
		{"starving", starving, false, true},
		{"stuck", stuck, true, false},
	} {
		for name, most := range map[string]int{"auto": 1100, "exhaustive": 30, "random": 30,
			"pct": 30,
			"pos": 30, "surw": 30} {
			ex := executor.New(gate.Test{Name: "Test", Run: c.body}, world.Config{MaxSteps: 10000})
			s, err := strategy.New(strategy.Plan{Name: name, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			r := explore.Run(ex, s, explore.Limits{MaxExecutions: most}, nil)
			livelock := len(r.Findings) > 0
			if livelock != c.livelock || livelock && r.Findings[0].Kind != explore.Livelock {
				t.Errorf("%s, %s: livelock %v after %d executions", c.name, name, livelock,
					r.Executions)
			}
			if name == "auto" && c.partial && !strings.HasPrefix(r.Reason, "spin bound") {
				t.Errorf("%s: %q after %d executions", c.name, r.Reason, r.Executions)
			}
			t.Logf("%s, %s: %d executions (%d), %s", c.name, name, r.Executions, r.Blocked,
				r.Reason)
		}
	}
}

// late: a process is woken by any of many signals, unless it begins to wait after all of them. It
// leaks then.
func late(gate.TB) {
	m, cond := unsafe.Pointer(new([8]uint64)), unsafe.Pointer(new([8]uint64))
	hook.Go("waiter", func() {
		gate.MutexLock(m)
		n := gate.CondEnter(cond)
		gate.MutexUnlock(m)
		gate.CondWait(cond, n)
	})
	for range 3000 {
		gate.CondSignal(cond)
	}
}

// TestPatience: pct keeps a process waiting for longer than Fair would by itself, where a whole
// execution is longer.
func TestPatience(t *testing.T) {
	leaks := func(s explore.Strategy) int {
		ex := executor.New(gate.Test{Name: "Test", Run: late}, world.Config{})
		r := explore.Run(ex, s, explore.Limits{MaxExecutions: 40}, nil)
		if len(r.Findings) == 0 {
			return 0
		}
		return r.Findings[0].Count
	}
	if n := leaks(sample.NewPCT(1)); n < 5 {
		t.Errorf("pct finds the leak %d times", n)
	}
	if n := leaks(sample.NewRandom(1)); n > 0 {
		t.Errorf("random finds the leak %d times: the program is too simple for this test", n)
	}
}
