package executor

import (
	"iter"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// BenchmarkExecution shows what a step costs with a chooser that does nothing; and how many times
// as much as the bare switch an operation costs (x-switch), if each needs that control goes to a
// process once and comes back. A rendezvous is two operations in one step, and the start of a
// process is one, too.
func BenchmarkExecution(b *testing.B) {
	for _, technique := range techniques {
		for _, p := range []struct {
			name string
			body func(gate.TB)
		}{{"nsenders5", nsenders(5)}, {"pingpong100", pingpong(100)},
			{"buffered100", buffered(100)}} {
			b.Run(technique+"/"+p.name, func(b *testing.B) { benchmark(b, technique, p.body) })
		}
	}
	b.Run("coroutine/watched", func(b *testing.B) { // for data races
		defer func(before bool) { hook.Accessed = before }(hook.Accessed)
		hook.Accessed = true
		benchmark(b, "coroutine", buffered(100))
	})
}

func benchmark(b *testing.B, technique string, body func(gate.TB)) {
	e := program(technique, body)
	bare := bareSwitch[technique]()
	each := operations(e.Execute(first{}, false))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	steps := 0
	for b.Loop() {
		steps += len(e.Execute(first{}, false).Events)
	}
	runtime.ReadMemStats(&after)
	step := float64(b.Elapsed().Nanoseconds()) / float64(steps)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
	b.ReportMetric(step, "ns/step")
	b.ReportMetric(bare, "ns/switch")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*each)/bare, "x-switch")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(steps), "allocs/step")
}

func operations(x *trace.Execution) int {
	n := len(x.Procs) + len(x.Events)
	for i := range x.Events {
		if x.Events[i].Partner >= 0 {
			n++
		}
	}
	return n
}

// buffered passes n messages one by one from a process to another, through a buffer.
func buffered(n int) func(gate.TB) {
	return func(gate.TB) {
		ch := hook.Made(make(chan int, 1))
		hook.Go("sender", func() {
			for i := range n {
				hook.Send(ch).V(i)
			}
		})
		for range n {
			hook.Recv(ch)
		}
	}
}

// bareSwitch measures, for each technique, the nanoseconds from one side to the other and back.
var bareSwitch = map[string]func() float64{
	"coroutine": func() float64 {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
			}
		})
		defer stop()
		return timed(func() { next() })
	},
	"goroutine": func() float64 {
		there, back := make(chan struct{}, 1), make(chan struct{}, 1)
		defer close(there)
		go func() {
			for range there {
				back <- struct{}{}
			}
		}()
		return timed(func() { there <- struct{}{}; <-back })
	},
}

// timed returns the nanoseconds that a call of f takes.
func timed(f func()) float64 {
	const times = 300_000
	start := time.Now()
	for range times {
		f()
	}
	return float64(time.Since(start).Nanoseconds()) / times
}

// chain passes a value along n processes, all but one of which wait.
func chain(n int) func(gate.TB) {
	return func(gate.TB) {
		first := hook.Made(make(chan int))
		in := first
		for range n {
			from, to := in, hook.Made(make(chan int))
			hook.Go("link", func() { hook.Send(to).V(hook.Recv(from) + 1) })
			in = to
		}
		hook.Send(first).V(0)
		hook.Recv(in)
	}
}

// BenchmarkChain shows what a step costs when many processes wait.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{10, 50, 100, 1000, 10000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			e := program("coroutine", chain(n))
			steps := 0
			for b.Loop() {
				steps += len(e.Execute(first{}, false).Events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}
