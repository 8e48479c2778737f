package depict

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestSecretRequest: without values, of a request only its method is shown.
func TestSecretRequest(t *testing.T) {
	x := &trace.Execution{
		Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1},
			{Path: "0.0", Name: "serve", Ours: true}},
		Events:   []trace.Event{{Alt: trace.Alt{Proc: 1, Partner: -1}, Kind: trace.Yield}},
		Requests: []trace.Request{{Line: "GET /users/hunter2"}},
	}
	for secret, want := range map[bool]string{false: "GET /users/hunter2", true: "GET"} {
		n := NewNames(x, &Places{Secret: secret})
		if got := n.did(0); got != "serve "+want || !strings.HasPrefix(n.proc(1), want) {
			t.Errorf("secret: %v: %q by %q", secret, got, n.proc(1))
		}
	}
}

// TestSecretNames: without values, files and addresses have no names.
func TestSecretNames(t *testing.T) {
	for what, want := range map[string]string{
		"file hunter2 first used at /x.go:7":   "file first used at x.go:7",
		"file hunter2":                         "file",
		"address hunter2:80 first used at y:1": "address first used at y:1",
		"chan int made at /x.go:7":             "chan int made at x.go:7",
	} {
		x := &trace.Execution{Procs: []trace.Proc{{Path: "0", Name: "TestX", Parent: -1}},
			Objects: []string{what}}
		if got := NewNames(x, &Places{Dir: "/", Secret: true}).description(0); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
