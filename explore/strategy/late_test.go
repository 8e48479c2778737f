package strategy_test

import (
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// crowd: twelve goroutines lock one mutex.
func crowd(gate.TB) {
	m := unsafe.Pointer(new([8]uint64))
	for range 12 {
		hook.Go("locker", func() { gate.MutexLock(m); gate.MutexUnlock(m) })
	}
}

// TestLate: a search that may look for no more races counts the executions that it has run, and is
// not complete, although it knows of nothing that is left.
func TestLate(t *testing.T) {
	for _, name := range []string{"dpor", "optimal"} {
		ex := executor.New(gate.Test{Name: "Test", Run: crowd}, world.Config{})
		s, err := strategy.New(strategy.Plan{Name: name, Late: func() bool { return true }})
		if err != nil {
			t.Fatal(err)
		}
		r := explore.Run(ex, s, explore.Limits{MaxExecutions: 1000}, nil)
		if r.Complete || r.Reason != explore.TimeIsUp || r.Executions == 0 ||
			r.Executions == 1000 {
			t.Errorf("%s: %d executions, complete %v, %q", name, r.Executions, r.Complete,
				r.Reason)
		}
	}
}
