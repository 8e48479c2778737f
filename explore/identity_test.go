package explore_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestIdentityOfMessages: names count, numbers do not.
func TestIdentityOfMessages(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"got 3, want 4", "got 17, want 4", true},
		{"after 1h2m3s", "after 2h30m0s", true},
		{"1.5e3 at 0x1f", "2.25e7 at 0xffa", true},
		{"got 3", "got x", false},
		{"worker1 failed", "worker2 failed", false},
		{"node_1: 5", "node_1: 6", true},
		{"node_1: 5", "node_2: 5", false},
		{"größe1 5", "größe2 5", false},
		{"", "0", false},
		{"got [1 2 3]", "got [3]", true},
		{"[[0 1 2] [5 6]]", "[[0] [1 -2] [5, 6] [7]]", true},
		{"got [1], want [2]", "got [1 2], want []", false},
		{"got [a 1]", "got [1 a]", false},
	}
	for _, tt := range tests {
		a, b := explore.NewProblem(explore.Fail, tt.a, nil).Identity,
			explore.NewProblem(explore.Fail, tt.b, nil).Identity
		if same := a == b; same != tt.same {
			t.Errorf("%q and %q: %q and %q, want same %v", tt.a, tt.b, a, b, tt.same)
		}
	}
	if explore.NewProblem(explore.Fail, "x", nil).Identity == explore.NewProblem(explore.Panic, "x",
		nil).Identity {
		t.Error("kinds make no difference")
	}
}

// leak is an execution that leaves processes behind: a word each, of the function, where it waits,
// and s for a send.
func leak(procs ...[3]string) *trace.Execution {
	x := &trace.Execution{MainDone: true, Procs: []trace.Proc{{Ended: true}}}
	for i, p := range procs {
		kind := trace.Recv
		if p[2] == "s" {
			kind = trace.Send
		}
		x.Procs = append(x.Procs, trace.Proc{Name: p[0], Pending: trace.Op{Kind: kind, Obj: 1}})
		x.Blocked, x.BlockedSites = append(x.Blocked, int32(i+1)), append(x.BlockedSites, p[1])
	}
	return x
}

// TestIdentityOfLeaks: functions, lines and operations count, the number of processes does not.
func TestIdentityOfLeaks(t *testing.T) {
	one := leak([3]string{"worker1", "a.go:1"})
	tests := map[string]struct {
		x    *trace.Execution
		same bool
	}{
		"two processes": {leak([3]string{"worker1", "a.go:1"}, [3]string{"worker1", "a.go:1"}),
			true},
		"another function":  {leak([3]string{"worker2", "a.go:1"}), false},
		"another line":      {leak([3]string{"worker1", "a.go:2"}), false},
		"another operation": {leak([3]string{"worker1", "a.go:1", "s"}), false},
		"one more": {leak([3]string{"worker1", "a.go:1"}, [3]string{"worker2", "a.go:2"}),
			false},
	}
	for name, tt := range tests {
		a, b := explore.Problems(one)[0].Identity, explore.Problems(tt.x)[0].Identity
		if same := a == b; same != tt.same {
			t.Errorf("%s: %q and %q, want same %v", name, a, b, tt.same)
		}
	}
}
