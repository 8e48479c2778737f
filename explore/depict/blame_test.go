package depict

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// forgotten is an execution in which worker 1 ends, or not, with a lock that worker 2 waits for.
func forgotten(kind trace.Kind, ended bool) *trace.Execution {
	return &trace.Execution{
		Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1, Ended: true},
			{Path: "0.0", Name: "a", Ended: ended, Pending: trace.Op{Kind: trace.Send}},
			{Path: "0.1", Name: "b", Pending: trace.Op{Kind: kind}}},
		Events: []trace.Event{{Alt: trace.Alt{Proc: 1, Partner: -1}, Kind: kind, OK: true,
			Op: trace.Op{Kind: kind}}},
		Sites: []string{"/x.go:7"}, Blocked: []int32{2}, BlockedSites: []string{"/x.go:9"},
	}
}

// TestWhose: who waits for a lock or a Once is told who has it, and whether that one has ended.
func TestWhose(t *testing.T) {
	for _, c := range []struct {
		kind  trace.Kind
		ended bool
		want  string
	}{
		{trace.Lock, true,
			"b waits to lock mu1 (x.go:9), which a has left locked (x.go:7), for ever."},
		{trace.Lock, false, "b waits to lock mu1 (x.go:9), which a has locked (x.go:7), for ever."},
		{trace.WLock, false, "b waits to lock rw1 (x.go:9), which a has locked (x.go:7), for ever."},
		{trace.Once, false,
			"b waits for once1 (x.go:9), which a is still doing (x.go:7), for ever."},
	} {
		x := forgotten(c.kind, c.ended)
		f := NewFinding(explore.Deadlock, "", x, &Places{Dir: "/"})
		if got, _ := Sentence(f, x, nil, nil, &Places{Dir: "/"}); got != c.want {
			t.Errorf("%v: %q, want %q", c.kind, got, c.want)
		}
	}
}

// TestClosedBefore: a send to a closed channel is told with the close, if the send has panicked.
func TestClosedBefore(t *testing.T) {
	event := func(p int32, k trace.Kind, failed bool) trace.Event {
		return trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Kind: k, Closed: failed,
			Op: trace.Op{Kind: k}}
	}
	x := &trace.Execution{Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1},
		{Path: "0.0", Name: "a"}},
		Events: []trace.Event{event(0, trace.Close, false), event(1, trace.Send, true)},
		Crash:  &trace.Crash{Proc: 1, Text: "send on closed channel"}}
	f := &Finding{Kind: explore.Panic, Message: "send on closed channel"}
	got, decision := Sentence(f, x, nil, nil, &Places{})
	if !strings.HasPrefix(got, "TestX closed ch1 before a sent to ch1.") || decision == nil {
		t.Errorf("%q, %v", got, decision)
	}
	x.Crash.Proc = 0
	if got, _ := Sentence(f, x, nil, nil, &Places{}); strings.Contains(got, "closed ch1") {
		t.Errorf("another one has panicked: %q", got)
	}
}
