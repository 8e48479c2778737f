package depict

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestKindOfCase: a case sends if its arrow stands behind an expression, whatever that is.
func TestKindOfCase(t *testing.T) {
	for code, want := range map[string]trace.Kind{
		"case news <- v:": trace.Send, "case s.out() <- 1:": trace.Send,
		"case m[f(i)] <- <-c:": trace.Send, "case <-quit:": trace.Recv,
		"case v := <-in:": trace.Recv, "case v, ok = <-m[i]:": trace.Recv, "": trace.Select,
	} {
		if got := kindOfCase(code, 0); got != want {
			t.Errorf("%q is a %v, want %v", code, got, want)
		}
	}
}

// TestAddedBeside: a WaitGroup that is added to is told of in the race of Add and Wait, and not in
// that of two variables of which no accesses are known.
func TestAddedBeside(t *testing.T) {
	x := &trace.Execution{Procs: []trace.Proc{{Path: "0", Name: "TestX"}, {Path: "0.0", Name: "f"}},
		Events: []trace.Event{
			{Alt: trace.Alt{Proc: 1, Partner: -1}, Kind: trace.WgAdd, Seq: 1,
				Op: trace.Op{Kind: trace.WgAdd, N: 1}},
			{Alt: trace.Alt{Partner: -1}, Kind: trace.WgWait, Op: trace.Op{Kind: trace.WgWait}},
		}}
	for text, told := range map[string]bool{trace.AddBesideWait: true, "data race: x": false} {
		got, _ := Sentence(&Finding{Kind: explore.Race, Message: text}, x, nil, nil, &Places{})
		if strings.Contains(got, "nothing orders the two") != told {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestWaitsInside: a client that has given up a request waits for what it calls now.
func TestWaitsInside(t *testing.T) {
	x := &trace.Execution{
		Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1,
			Pending: trace.Op{Kind: trace.Select, Side: trace.Inner}},
			{Path: "0.0", Name: "serve", Born: 1, Ours: true}},
		Events: []trace.Event{{Alt: trace.Alt{Partner: -1}, Kind: trace.Lock},
			{Alt: trace.Alt{Proc: 1, Partner: -1}, Kind: trace.Yield}},
		Sites: []string{"/x_test.go:7", ""}, Calls: []string{"net/http.Get", ""},
		Requests: []trace.Request{{Event: 1, Line: "GET /"}},
		Blocked:  []int32{0}, BlockedSites: []string{"/x_test.go:7"},
	}
	for call, want := range map[string]string{"net/http.Get": "waits for the answer to GET /",
		"net/http.(*Server).Shutdown": "waits in Shutdown"} {
		x.Procs[0].Call = call
		if got := NewNames(x, &Places{}).waitsInside(0); got != want {
			t.Errorf("in %s it %s, want %s", call, got, want)
		}
	}
}

// TestOperand: a line that starts a goroutine and has its operation, too, is about the operation.
func TestOperand(t *testing.T) {
	for _, test := range []struct {
		code string
		kind trace.Kind
		want string
	}{
		{`wg.Go(func() { m.Store("a", 1); m.Store("b", 2) })`, trace.AtomicStore, "m"},
		{"wg.Go(func() { m.Clear() })", trace.AtomicStore, ""},
		{"wg.Go(func() { mu.Lock(); n++; mu.Unlock() })", trace.Lock, "mu"},
		{"wg.Go(func() { work() })", trace.WgAdd, "wg"},
		{"wg.Go(func() { m.Load(1) })", trace.WgAdd, "wg"},
	} {
		if got := operand(test.code, test.kind); got != test.want {
			t.Errorf("%s: %v of %q, want %q", test.code, test.kind, got, test.want)
		}
	}
}
