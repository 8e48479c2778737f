package executor

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestVain: an execution ends where processes only wait, unless one of them sleeps for longer than
// the others, and may be in no loop.
func TestVain(t *testing.T) {
	poll := func(c chan int) bool {
		i := hook.Select(true, hook.R(c))
		gate.ClockSleep(1)
		return i == 0
	}
	run := func(name string, body func(c chan int), end trace.EndKind, steps int) {
		e := New(gate.Test{Name: "TestProgram", Run: func(gate.TB) {
			body(hook.Made(make(chan int)))
		}}, world.Config{Seed: 1, MaxSteps: 100_000})
		x := e.Execute(first{}, false)
		if x.End != end || steps > 0 && len(x.Events) != steps {
			t.Errorf("%s: ends with %v after %d steps", name, x.End, len(x.Events))
		}
	}
	run("for ever", func(c chan int) {
		for !poll(c) {
		}
	}, trace.Steps, 30_002)
	run("beside a sleeper", func(c chan int) {
		hook.Go("sleeper", func() {
			gate.ClockSleep(100)
			gate.ClockSleep(9800)
			gate.ClockSleep(5000)
			hook.Close(c)
		})
		for !poll(c) {
		}
	}, trace.Quiet, 0)
}
