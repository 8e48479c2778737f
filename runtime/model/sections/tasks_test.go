package sections

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// exchange is an execution in which processes 1 and 2 send to process 3, which serves channel 7;
// process 0 has started all of them.
func exchange(change ...func(*trace.Execution)) *trace.Execution {
	x := &trace.Execution{Procs: []trace.Proc{{Parent: -1, Ended: true}, {Parent: 0, Ended: true},
		{Parent: 0, Ended: true}, {Parent: 0}}}
	for p := range int32(2) {
		op := trace.Op{Kind: trace.Send, Obj: 7, Cap: trace.Served}
		x.Events = append(x.Events, trace.Event{Alt: trace.Alt{Proc: p + 1, Partner: -1}, Op: op,
			Kind: op.Kind, Obj: 7, Cap: trace.Served, Seq: 3})
	}
	x.Procs[3].Pending = trace.Op{Kind: trace.Recv, Obj: 7, Cap: trace.Served}
	for _, f := range change {
		f(x)
	}
	return x
}

func event(proc int32, kind trace.Kind) trace.Event {
	return trace.Event{Alt: trace.Alt{Proc: proc, Partner: -1}, Op: trace.Op{Kind: kind, Obj: 7},
		Kind: kind, Obj: 7}
}

// added is an event by which a process adds to group 8.
func added(proc int32) trace.Event {
	e := event(proc, trace.WgAdd)
	e.Obj, e.Op.Obj, e.Op.N = 8, 8, 1
	return e
}

// TestLook: what stands in the way of serving a channel, by what an execution shows.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		name   string
		room   int32
		change func(x *trace.Execution)
		ok     bool
	}{
		{"nothing", 0, func(*trace.Execution) {}, true},
		{"it is closed", 0, func(x *trace.Execution) {
			x.Events = append(x.Events, event(0, trace.Close))
		}, true},
		{"len", 0, func(x *trace.Execution) {
			x.Events = append(x.Events, event(1, trace.Len))
		}, false},
		{"another receiver", 0, func(x *trace.Execution) {
			x.Events = append(x.Events, event(1, trace.Recv))
		}, false},
		{"another receiver waits", 0, func(x *trace.Execution) {
			x.Procs[1].Ended, x.Procs[1].Pending = false, x.Procs[3].Pending
		}, false},
		{"its server receives elsewhere", 0, func(x *trace.Execution) {
			x.Events = append(x.Events, event(3, trace.Recv))
		}, false},
		{"a sender is left", 0, func(x *trace.Execution) {
			x.Procs[1].Ended, x.Procs[1].Pending = false, x.Events[0].Op
		}, true},
		{"one meets the server", 0, func(x *trace.Execution) {
			x.Events[0].Partner, x.Events[0].Cap = 3, 0
		}, true},
		{"one has a task, and meets the server", 0, func(x *trace.Execution) {
			x.Events[0].Partner, x.Events[0].Cap, x.Events[0].Op.N = 3, 0, trace.Section
		}, false},
		{"a select", 0, func(x *trace.Execution) {
			x.Procs[1].Ended, x.Procs[1].Pending = false,
				trace.Op{Kind: trace.Select, Obj: -1,
					Cases: []trace.Case{{Kind: trace.Send, Obj: 7}}}
		}, false},
		{"room for all", 2, func(*trace.Execution) {}, true},
		{"room for some", 1, func(*trace.Execution) {}, true},
		{"room, and the server is started last", 2,
			func(x *trace.Execution) { x.Procs[3].Born = 1 },
			false},
		{"no room, and the server is started last", 0,
			func(x *trace.Execution) { x.Procs[3].Born = 1 },
			true},
		{"room, and the server has done something before", 2, func(x *trace.Execution) {
			e := event(3, trace.Lock)
			e.Obj = 8
			x.Events = append([]trace.Event{e}, x.Events...)
		}, false},
		{"room, and the server has added to a group before", 2, func(x *trace.Execution) {
			x.Events = append([]trace.Event{added(3)}, x.Events...)
		}, true},
		{"room, and somebody waits for that group", 2, func(x *trace.Execution) {
			x.Events = append([]trace.Event{added(3)}, x.Events...)
			x.Procs[0].Ended, x.Procs[0].Pending = false, trace.Op{Kind: trace.WgWait, Obj: 8}
		}, false},
		{"room, and the server starts one of those who send", 2, func(x *trace.Execution) {
			e := event(3, trace.Lock)
			e.Obj = 8
			x.Events = append([]trace.Event{e}, x.Events...)
			x.Procs[1].Parent, x.Procs[1].Born = 3, 1
			x.Procs[2].Parent, x.Procs[2].Born = 1, 1
		}, true},
	} {
		w := &tasks{in: &sections{patient: func() bool { return true }}}
		w.loops = []loop{{Channel: Channel{ID: 7, Turn: 1, Room: c.room, Served: true}, server: 3}}
		(&judge{w, exchange(c.change), 0}).look()
		if l := &w.loops[0]; (l.why == "" && !l.early) != c.ok {
			t.Errorf("%s: %q, early: %v", c.name, l.why, l.early)
		}
	}
}
