package depict

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// inCalls is an execution in which TestX waits at line 3 of the source for what a library does.
func inCalls(call string, pending trace.Op, objects []string, calls []string,
	kind trace.Kind) *trace.Execution {
	x := &trace.Execution{Objects: objects, Blocked: []int32{0}, BlockedSites: []string{"/x.go:3"},
		Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1, Call: call, Pending: pending}}}
	for _, call := range calls {
		x.Events = append(x.Events, trace.Event{Alt: trace.Alt{Partner: -1}, Kind: kind,
			Obj: pending.Obj, Op: trace.Op{Kind: kind, Obj: pending.Obj}})
		x.Calls, x.Sites = append(x.Calls, call), append(x.Sites, "/x.go:2")
	}
	return x
}

// TestLibraryCalls: what waits in a library's function is told by the call as the code has it, by
// whose channel that is, and by who has the connections of a pool.
func TestLibraryCalls(t *testing.T) {
	const errgroup, sql = "golang.org/x/sync/errgroup.(*Group).", "database/sql."
	send := trace.Op{Kind: trace.Send, Cap: 1}
	wait := trace.Op{Kind: trace.Select, Obj: -1, Side: trace.Inner,
		Cases: []trace.Case{{Kind: trace.Recv}, {Kind: trace.Recv}}}
	group := []string{"chan errgroup.token made at /x.go:1"}
	for _, c := range []struct {
		source, want string
		x            *trace.Execution
	}{
		{"g.SetLimit(1)\ng.Go(one)\ng.Go(two)",
			"TestX waits in g.Go to send to the channel of g.SetLimit (x.go:3), " +
				"which it has filled itself (x.go:2), for ever.",
			inCalls(errgroup+"Go", send, group, []string{errgroup + "Go"}, trace.Send)},
		{"c := make(chan token, 1)\nsend(c)\nsend(c)",
			"TestX waits in send to send to ch1 (x.go:3), " +
				"which it has filled itself (x.go:2), for ever.",
			inCalls("example.org/other.send", send, group, []string{""}, trace.Send)},
		{"\ntx, err := db.Begin()\ndb.Exec(query)",
			"TestX waits in db.Exec (x.go:3), for a connection of the pool, " +
				"while it has one itself by db.Begin (x.go:2), for ever.",
			inCalls(sql+"(*DB).Exec", wait, nil, []string{sql + "(*DB).Begin"}, trace.Now)},
		{"\ntx.Commit()\ndb.Exec(query)",
			"TestX waits in db.Exec (x.go:3), for a connection of the pool, for ever.",
			inCalls(sql+"(*DB).Exec", wait, nil,
				[]string{sql + "(*DB).Begin", sql + "(*Tx).Commit"}, trace.Now)},
	} {
		at := &Places{Dir: "/", Lines: map[string][]string{"/x.go": strings.Split(c.source, "\n")}}
		f := NewFinding(explore.Deadlock, "", c.x, at)
		if got, _ := Sentence(f, c.x, nil, nil, at); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestCalledAt: of several calls of a function in a line it is not clear which one is meant.
func TestCalledAt(t *testing.T) {
	for code, want := range map[string]string{"if err := a.b.Do(f(1)); err != nil {": "a.b.Do",
		"x.Do(y.Do(1))": "Do", "Do(1)": "Do", "x.Do[int](1)": "x.Do", "x.Undo(1)": "Do"} {
		at := &Places{Lines: map[string][]string{"/x.go": {code}}}
		if got := at.calledAt("example.org/m.(*T).Do", "/x.go:1"); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// TestTimerNames: a timer has the name of its variable, or that of the function that has made it.
func TestTimerNames(t *testing.T) {
	for code, want := range map[string]string{
		"s.retry = time.AfterFunc(d, f)":               "the timer s.retry",
		"beat := time.NewTicker(time.Second)":          "the ticker beat",
		"case <-time.After(time.Second):":              "the timer of time.After",
		"for range time.Tick(d) {":                     "the ticker of time.Tick",
		"ctx, cancel := context.WithTimeout(c, d)":     "the deadline of ctx",
		"ctx, _ = context.WithDeadlineCause(c, at, e)": "the deadline of ctx",
		"wait(s)": "the timer",
	} {
		x := &trace.Execution{Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1},
			{Path: "0.0", Name: "timer", Born: 1}},
			Events: []trace.Event{{Alt: trace.Alt{Partner: -1}, Kind: trace.TimerStart}},
			Sites:  []string{"/x.go:1"}}
		at := &Places{Lines: map[string][]string{"/x.go": {code}}}
		n := &teller{names: NewNames(x, at)}
		if got := n.proc(1); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		x.Events[0].Kind = trace.Yield
		if got := n.proc(1); got != "timer" {
			t.Errorf("a goroutine that runs a function of this name is %q", got)
		}
	}
}
