package explore_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestJudgeIdle leaves one process behind that waits at object 0, which package initialisation
// made, or at object 1.
func TestJudgeIdle(t *testing.T) {
	recv := func(obj int32) trace.Case { return trace.Case{Kind: trace.Recv, Obj: obj} }
	send := func(obj int32) trace.Case { return trace.Case{Kind: trace.Send, Obj: obj} }
	tests := map[string]struct {
		op   trace.Op
		leak bool
	}{
		"receives from the package's channel": {trace.Op{Kind: trace.Recv, Obj: 0}, false},
		"receives from another channel":       {trace.Op{Kind: trace.Recv, Obj: 1}, true},
		"receives from a nil channel":         {trace.Op{Kind: trace.Recv, Obj: -1}, true},
		"sends on the package's channel":      {trace.Op{Kind: trace.Send, Obj: 0}, true},
		"selects from the package's channel": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(0)}}, false},
		"selects from both": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(0), recv(1)}}, true},
		"selects a send on the package's": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{send(0)}}, true},
		"selects without cases":              {trace.Op{Kind: trace.Select, Obj: -1}, true},
		"waits for a mutex with that number": {trace.Op{Kind: trace.Lock, Obj: 0}, true},
		"sleeps":                             {trace.Op{Kind: trace.Fire, Obj: 2}, true},

		"receives signals for another module": {trace.Op{Kind: trace.Recv, Obj: 3}, false},
		"selects signals and another channel": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(1), recv(-1), recv(3)}}, false},
		"selects signals and a send": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(3), send(1)}}, true},
		"selects a send where signals come": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{send(3), recv(1)}}, true},
		"sends where signals come": {trace.Op{Kind: trace.Send, Obj: 3}, true},

		"service receives from another channel": {trace.Op{Kind: trace.Recv, Obj: 1}, false},
		"service selects from both": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(0), recv(1)}}, false},
		"service selects a send": {trace.Op{Kind: trace.Select, Obj: -1,
			Cases: []trace.Case{recv(0), send(1)}}, true},
		"service selects without cases": {trace.Op{Kind: trace.Select, Obj: -1}, false},
		"service sends":                 {trace.Op{Kind: trace.Send, Obj: 1}, true},
		"service waits for a mutex":     {trace.Op{Kind: trace.Lock, Obj: 1}, true},
		"accepts":                       {trace.Op{Kind: trace.StreamAccept, Obj: 1}, true},
		"service accepts":               {trace.Op{Kind: trace.StreamAccept, Obj: 1}, false},
		"service waits for a Cond":      {trace.Op{Kind: trace.CondWait, Obj: 1}, false},
		"service sleeps":                {trace.Op{Kind: trace.Fire, Obj: 2}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			x := &trace.Execution{MainDone: true, Blocked: []int32{1}, Static: []int32{0},
				Signals: []int32{3}, Procs: []trace.Proc{{Ended: true},
					{Name: "server", Pending: test.op,
						Service: strings.HasPrefix(name, "service")}}}
			kind, message, ok := explore.Judge(x)
			if leak := kind == explore.Leak && strings.Contains(message,
				"server"); leak != test.leak ||
				ok == test.leak {
				t.Errorf("kind %q, message %q, ok %v", kind, message, ok)
			}
			x.MainDone = false
			if kind, _, _ := explore.Judge(x); kind != explore.Deadlock {
				t.Errorf("before the test has returned: %q, want a deadlock", kind)
			}
		})
	}
}

// TestJudgeEndlessStep: only a step that the library keeps busy is cut, and is no livelock.
func TestJudgeEndlessStep(t *testing.T) {
	x := &trace.Execution{End: trace.Steps, MainDone: true, Procs: []trace.Proc{{}}}
	if kind, message, ok := explore.Judge(x); kind != explore.Livelock || ok {
		t.Errorf("without a cut: %q, %q, %v; want a livelock", kind, message, ok)
	}
	x.Limits.AddCut(trace.EndlessStep)
	if kind, message, ok := explore.Judge(x); !ok {
		t.Errorf("with the cut: %q, %q, want none", kind, message)
	}
}

// TestJudgeFinalizer: a goroutine that is left behind may wait for what a finalizer does.
func TestJudgeFinalizer(t *testing.T) {
	x := &trace.Execution{End: trace.Quiet, MainDone: true, Procs: []trace.Proc{{}, {}},
		Blocked: []int32{1}}
	x.Procs[1].Pending = trace.Op{Kind: trace.Send, Obj: 0}
	if kind, _, _ := explore.Judge(x); kind != explore.Leak {
		t.Errorf("without a finalizer: %q, want a leak", kind)
	}
	x.Finalizes = true
	if kind, message, ok := explore.Judge(x); kind != explore.Suspect || ok {
		t.Errorf("with a finalizer: %q, %q, %v; want it suspect", kind, message, ok)
	}
	x.MainDone = false
	if kind, _, _ := explore.Judge(x); kind != explore.Deadlock {
		t.Errorf("before the test has returned: %q, want a deadlock", kind)
	}
}
