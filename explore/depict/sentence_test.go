package depict

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

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
