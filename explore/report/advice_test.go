package report

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestBothOrders: a pair of lines counts once, whichever of them comes first, and twice only if
// both have.
func TestBothOrders(t *testing.T) {
	f := &Filling{}
	f.seen("a.go:1", "b.go:2", false)
	f.seen("a.go:1", "b.go:2", false)
	f.seen("c.go:1", "c.go:1", false) // one line, the first goroutine first
	if f.conclude(); f.Lines != 2 || f.Both != 0 {
		t.Errorf("%d of %d pairs in both orders, want 0 of 2", f.Both, f.Lines)
	}
	f.seen("b.go:2", "a.go:1", false)
	if f.conclude(); f.Lines != 2 || f.Both != 1 {
		t.Errorf("%d of %d pairs in both orders, want 1 of 2", f.Both, f.Lines)
	}
	f.seen("c.go:1", "c.go:1", true)
	if f.conclude(); f.Lines != 2 || f.Both != 2 {
		t.Errorf("%d of %d pairs in both orders, want 2 of 2", f.Both, f.Lines)
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0.5: "50 %", 0.012: "1.2 %", 0.0004: "0.04 %",
		1e-9: "less than 0.01 %"} {
		if got := percent(share); got != want {
			t.Errorf("percent(%g) = %q, want %q", share, got, want)
		}
	}
}

// TestPolls: a process polls if it looks at the same thing again with nothing else done between.
func TestPolls(t *testing.T) {
	load, other := trace.Event{Kind: trace.AtomicLoad, Obj: 1},
		trace.Event{Kind: trace.AtomicLoad, Obj: 2}
	tick := trace.Event{Kind: trace.Recv}
	for _, e := range []*trace.Event{&load, &other, &tick} {
		e.Partner = -1
	}
	for name, test := range map[string]struct {
		events []trace.Event
		polls  int
	}{
		"poll":       {[]trace.Event{load, load, load}, 2},
		"two loads":  {[]trace.Event{load, other, load, other}, 2},
		"in a round": {[]trace.Event{tick, load, other, tick, load, other}, 0},
	} {
		w, n := polling{}, 0
		for i := range test.events {
			if w.repeats(&test.events[i]) {
				n++
			}
		}
		if n != test.polls {
			t.Errorf("%s: %d polls, want %d", name, n, test.polls)
		}
	}
}

func TestBehind(t *testing.T) {
	r := &Test{}
	r.AddCut(trace.Afterwards+" is followed for 64 firings of timers", "/m/meter.go:233")
	want := "a timer of meter.go:233 fires on after the test has returned: stop it, and what waits for it, at the end of the test"
	if got := new(Filling).behind(r); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
