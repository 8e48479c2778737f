package depend

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestExceeds: a long execution of one process that never has a choice is known in full; it is not
// if anybody else moves, or could, or there is a select.
func TestExceeds(t *testing.T) {
	alone := func() *trace.Execution {
		x := &trace.Execution{Procs: []trace.Proc{{Ended: true}, {Ended: true}}}
		for range MaxEvents + 2 {
			x.Events = append(x.Events, trace.Event{Alt: trace.Alt{Partner: -1}, Kind: trace.Lock,
				Op: trace.Op{Kind: trace.Lock}})
		}
		return x
	}
	for _, c := range []struct {
		name   string
		change func(x *trace.Execution)
		want   bool
	}{
		{"one process", func(*trace.Execution) {}, false},
		{"another one moves", func(x *trace.Execution) { x.Events[3].Proc = 1 }, true},
		{"another one moves at the end", func(x *trace.Execution) {
			x.Events[MaxEvents+1].Proc = 1
		}, true},
		{"another one meets it", func(x *trace.Execution) { x.Events[7].Partner = 1 }, true},
		{"another one waits", func(x *trace.Execution) {
			x.Procs[1] = trace.Proc{Pending: trace.Op{Kind: trace.Lock}}
		}, true},
		{"a timer is left that is not armed",
			func(x *trace.Execution) { x.Procs[1] = trace.Proc{} },
			false},
		{"a select", func(x *trace.Execution) {
			x.Events[MaxEvents+1].Op.Kind = trace.Select
		}, true},
		{"a random number", func(x *trace.Execution) {
			x.Events[MaxEvents+1].Kind = trace.Draw
		}, true},
		{"a short one of two", func(x *trace.Execution) {
			x.Events = x.Events[:2]
			x.Events[1].Proc = 1
		}, false},
	} {
		x := alone()
		if c.change(x); Exceeds(x) != c.want {
			t.Errorf("%s: %v, want %v", c.name, !c.want, c.want)
		}
	}
}
