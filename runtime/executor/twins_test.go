package executor_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

type leftmost struct{}

func (leftmost) Choose(*trace.State) int { return 0 }

// twinsOf returns Proc.Twin of each process that the test starts.
func twinsOf(run func()) (list []int32) {
	ex := executor.New(gate.Test{Name: "Test", Run: func(gate.TB) { run() }}, world.Config{})
	for _, p := range ex.Execute(leftmost{}, false).Procs[1:] {
		list = append(list, p.Twin)
	}
	return list
}

func nothing() {}

// startTwin is the k-th go statement of a loop.
func startTwin(k int, name string, f func()) { func() { hook.Twin(k); hook.Go(name, f) }() }

// startNamed panics between Twin and Go if there is no such name.
func startNamed(names []string, i int) { func() { hook.Twin(0); hook.Go(names[i], nothing) }() }

func startLoop(n int, body func()) {
	hook.Twins()
	for range n {
		startTwin(0, "body", body)
	}
}

// TestTwins: a process is the twin of the last one that the same statement of the same run of a
// loop has started.
func TestTwins(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func()
		want []int32
	}{
		{"a loop", func() { startLoop(3, nothing) }, []int32{0, 2, 3}},
		{"two loops", func() { startLoop(2, nothing); startLoop(2, nothing) }, []int32{0, 2, 0, 4}},
		{"a loop and another go statement",
			func() { startLoop(2, nothing); hook.Go("other", nothing) }, []int32{0, 2, 0}},
		{"two statements", func() {
			hook.Twins()
			for range 2 {
				startTwin(0, "a", nothing)
				startTwin(1, "b", nothing)
			}
		}, []int32{0, 0, 2, 3}},
		{"who starts others at once", func() { startLoop(2, func() { hook.Go("child", nothing) }) },
			[]int32{0, 0, 0, 0}},
		{"who starts others later", func() {
			startLoop(2, func() {
				hook.Gosched()
				hook.Go("child", nothing)
			})
		}, []int32{0, 2, 0, 0}},
		{"a panic before the second one", func() {
			defer func() {
				recover()
				hook.Go("other", nothing)
			}()
			hook.Twins()
			for i := range 2 {
				startNamed([]string{"body"}, i)
			}
		}, []int32{0, 0}},
	} {
		if got := twinsOf(c.run); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
