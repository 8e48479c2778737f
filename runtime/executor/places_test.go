package executor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// listed chooses by a list, and then the first alternative.
type listed []int

func (p listed) Choose(s *trace.State) int {
	if s.Depth < len(p) {
		return p[s.Depth] % len(s.Alts)
	}
	return 0
}

// TestPlaces runs a program in many orders with one notebook, so that places are taken over, and
// each time with a new one: every receive from a mailbox must be at the same stack. Two calls of
// one function that receives are two places.
func TestPlaces(t *testing.T) {
	c := world.Config{Model: trace.Bag, Places: true}
	defer Configure(world.Config{})
	e := New(gate.Test{Name: "Test", Run: func(gate.TB) {
		box := hook.Mailbox(make(chan string))
		for _, m := range [...]string{"a", "b", "c"} {
			hook.Go("sender", func() { hook.Send(box).V(m) })
		}
		next := func() string { return hook.Recv(box) }
		if next() == "a" {
			next()
		}
		hook.Recv(box)
	}}, c)
	kept := notes.Book
	numbers := map[int32]bool{}
	for n := range 200 {
		choices := listed{n % 7, n % 5, n % 3, n % 4, n % 2, n % 3}
		notes.Book = kept
		took := receivedAt(t, e, choices, numbers)
		Configure(world.Config{})
		Configure(c)
		if again := receivedAt(t, e, choices, nil); again != took {
			t.Fatalf("choices %v: places %s, with a new notebook %s", choices, took, again)
		}
	}
	if len(numbers) != 3 {
		t.Errorf("%d places, want 3: %v", len(numbers), numbers)
	}
}

// receivedAt lists what was received where. The numbers of places must be those seen before.
func receivedAt(t *testing.T, e *Executor, c trace.Chooser, numbers map[int32]bool) string {
	t.Helper()
	var b strings.Builder
	x := e.Execute(c, false)
	for i := range x.Events {
		ev := &x.Events[i]
		if ev.Kind != trace.Recv {
			continue
		}
		v, ok := notes.Sent(ev.Takes)
		if !ok || ev.Op.N <= 0 {
			t.Fatalf("event %d: message %v, %v, place %d", i, v, ok, ev.Op.N)
		}
		fmt.Fprintf(&b, "%v at %x; ", v, notes.Book.Stacks[ev.Op.N])
		if numbers != nil {
			numbers[ev.Op.N] = true
		}
	}
	return b.String()
}
