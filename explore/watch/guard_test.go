package watch

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// idOf returns the id of the calling goroutine.
func idOf() uint64 {
	buf := make([]byte, 64)
	fields := strings.Fields(string(buf[:runtime.Stack(buf, false)]))
	id, _ := strconv.ParseUint(fields[1], 10, 64)
	return id
}

// waitFor waits until a goroutine is in the given state.
func waitFor(goid uint64, state string) {
	for stateOf(goroutineOf(stacks(), goid)) != state {
		runtime.Gosched()
	}
}

// TestDisturbed: a goroutine that was left behind disturbs nobody until it goes on.
func TestDisturbed(t *testing.T) {
	id, first, second := make(chan uint64), make(chan bool), make(chan bool)
	go func() {
		id <- idOf()
		<-first
		<-second
	}()
	p := &Stuck{goid: <-id}
	waitFor(p.goid, "chan receive")
	text := goroutineOf(stacks(), p.goid)
	p.state, p.stack = stateOf(text), withoutState(text)
	g := &Guard{left: []*Stuck{p}}
	if !p.resting() || g.disturbed() {
		t.Errorf("%s: resting %v, disturbed %v", p.state, p.resting(), g.disturbed())
	}
	first <- true
	waitFor(p.goid, "chan receive")
	if !g.disturbed() {
		t.Error("it has gone on, and that is not noticed")
	}
	close(second)
}

func TestResting(t *testing.T) {
	for state, want := range map[string]bool{"running": false, "runnable": false, "": false,
		"preempted": false, "copystack": false, "GC assist wait": false,
		"syscall": true, "IO wait": true, "chan send": true} {
		if got := (&Stuck{state: state}).resting(); got != want {
			t.Errorf("%q: resting %v", state, got)
		}
	}
	if got := stateOf(
		"goroutine 7 [IO wait, 2 minutes, locked to thread]:\nf()"); got != "IO wait" {
		t.Errorf("state %q", got)
	}
}
