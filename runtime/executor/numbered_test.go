package executor

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestNumbered: sends have the numbers of their values, and receives say whether something that is
// shared has been touched before them, in executions that are to record that.
func TestNumbered(t *testing.T) {
	body := func(gate.TB) {
		ch := hook.Made(make(chan string, 4))
		shared := 0
		for _, v := range []string{"a", "b", "a"} {
			hook.Send(ch).V(v)
		}
		hook.Recv(ch)
		*hook.Write(&shared, "shared") = 1
		hook.Recv(ch)
		hook.Recv(ch)
	}
	for _, technique := range techniques {
		for _, c := range []struct {
			values, groups bool
			want           [6]int32
		}{
			{true, false, [6]int32{1, 2, 1, 0, trace.Touched, 0}},
			{false, true, [6]int32{0, 0, 0, 7, trace.Symmetric(7, true), 7}},
			{true, true, [6]int32{1, 2, 1, 7, trace.Symmetric(7, true), 7}},
			{false, false, [6]int32{}},
		} {
			config := world.Config{Technique: technique, Values: c.values}
			if c.groups {
				config.Group = func(string) int32 { return 7 }
			}
			e := configured(config, body)
			for range 2 {
				x := e.Execute(first{}, false)
				var got [6]int32
				n := 0
				for i := range x.Events {
					if k := x.Events[i].Kind; n < len(got) && (k == trace.Send || k == trace.Recv) {
						got[n] = x.Events[i].Op.N
						n++
					}
				}
				if got != c.want {
					t.Errorf("%s, values %v, groups %v: %v, want %v", technique, c.values, c.groups,
						got, c.want)
				}
			}
		}
	}
}
