package executor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// TestStop checks that what others do may come before the end of a program, although it is no
// operation.
func TestStop(t *testing.T) {
	for _, test := range []struct {
		name string
		main func(gate.TB)
		want []string
	}{
		{"panic", func(tb gate.TB) {
			hook.Go("f", func() { tb.Log("x") })
			panic("p")
		}, []string{"p []", "p [x]"}},
		{"panics", func(gate.TB) {
			hook.Go("f", func() { panic("q") })
			panic("p")
		}, []string{"p []", "q []"}},
		{"exit", func(tb gate.TB) {
			hook.Go("f", func() { tb.Log("x") })
			hook.Exit(1)
		}, []string{"exit 1 []", "exit 1 [x]"}},
		{"late failure", func(tb gate.TB) {
			hook.Go("f", func() {
				hook.Gosched()
				tb.Fail()
			})
		}, []string{"Fail in goroutine after TestProgram has completed []", "exit 0 []"}},
		{"cleanup", func(tb gate.TB) {
			tb.Cleanup(func() { tb.Log("cleanup") })
			panic("p")
		}, []string{"p [cleanup]"}},
	} {
		e := program("coroutine", test.main)
		var got []string
		for d, more := new(dfs), true; more; more = d.next() {
			x := e.Execute(d, false)
			how := fmt.Sprint("exit ", x.ExitCode)
			if x.Crash != nil {
				how = x.Crash.Text
			}
			got = append(got, fmt.Sprint(how, " ", x.Log))
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
