package hook

import (
	"runtime"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

func init() {
	gate.BubbleWait = bubbleWait
	gate.InBubble = func() bool {
		p := w.Current()
		return p != nil && p.Bubble != nil
	}
}

// counting says that some code in the binary calls NumGoroutine. Only then are the beginnings and
// ends of processes steps of their own.
var counting bool

// CountsGoroutines is called by package initialisation of code that calls NumGoroutine.
func CountsGoroutines() { counting = true }

// NumGoroutine is runtime.NumGoroutine. It counts the processes of the execution and the goroutine
// that runs the tests.
func NumGoroutine() int {
	p := w.Enter()
	if p == nil {
		return runtime.NumGoroutine()
	}
	n := w.groups.Count(p)
	p.Leave()
	return n
}

func bubbleWait() {
	p := w.Enter()
	w.groups.Wait(p, w.clock.Object())
	p.Leave()
}
