package report

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

func TestMeterIsDue(t *testing.T) {
	start := time.Now()
	for _, terminal := range []bool{false, true} {
		m := &Meter{terminal: terminal, start: start}
		var shown []time.Duration
		for at := time.Duration(0); at < 8*time.Second; at += 100 * time.Millisecond {
			if m.Due(start.Add(at)) {
				shown = append(shown, at)
			}
		}
		want := 3 // at 1 s, 4 s and 7 s
		if terminal {
			want = 35 // five times a second, from 1 s on
		}
		if len(shown) != want || shown[0] != time.Second {
			t.Errorf("terminal %t: shown %d times, first at %v; want %d", terminal, len(shown), shown[0], want)
		}
	}
}

func TestMeterRewritesItsLine(t *testing.T) {
	var b strings.Builder
	m := &Meter{out: &b, terminal: true}
	p := &explore.Progress{Result: explore.Result{Executions: 100, Blocked: 7, Elapsed: 2 * time.Second}, Planned: 12}
	m.Show("TestX", p)
	p.Planned = -1
	m.Show("TestX", p)
	m.Clear()
	m.Clear()
	long := "TestX  100 explored, 7 redundant, 12 planned, 54/s, 2s"
	short := "TestX  100 explored, 7 redundant, 54/s, 2s"
	want := "\r" + long + "\r" + pad(short, len(long)) + "\r" + strings.Repeat(" ", len(short)) + "\r"
	if b.String() != want {
		t.Errorf("got %q\nwant %q", b.String(), want)
	}
}

func TestMeterWritesLinesToAFile(t *testing.T) {
	var b strings.Builder
	m := &Meter{out: &b}
	m.Show("TestX", &explore.Progress{Result: explore.Result{Findings: make([]explore.Finding, 2)}, Planned: -1})
	m.Clear()
	if want := "TestX  0 explored, 0 redundant, 0s, 2 findings\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
