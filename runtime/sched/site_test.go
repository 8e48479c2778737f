package sched

import "testing"

// TestInternalFrame: a site is in the program's own code, whatever its module is called.
func TestInternalFrame(t *testing.T) {
	for function, want := range map[string]bool{
		"sync.(*Mutex).Lock":                              true,
		"os.(*File).Write":                                true,
		"fmt.Fprintln":                                    true,
		"math/rand/v2.IntN":                               true,
		"rehearse/runtime/hook.Send[...]":                 true,
		"github.com/rehearse-go/rehearse/runtime/hook.Go": true,
		"sync_test.TestMutex":                             false,
		"net.example.org/p.(*T).f":                        false,
		"io.example/p.f[net.Conn]":                        false,
		"example.org/p.f[example.org/q/sync.T]":           false,
		"time_machine.f":                                  false,
	} {
		if got := internalFrame(function); got != want {
			t.Errorf("%s: %v, want %v", function, got, want)
		}
	}
}
