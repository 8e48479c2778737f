package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/words"
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
			t.Errorf("terminal %t: shown %d times, first at %v; want %d", terminal, len(shown),
				shown[0],
				want)
		}
	}
}

func TestMeterRewritesItsLine(t *testing.T) {
	var b strings.Builder
	columns := 0
	m := &Meter{out: &b, terminal: true, width: func() int { return columns }}
	p := &explore.Progress{Result: explore.Result{Executions: 100, Blocked: 7,
		Elapsed: 2 * time.Second}, Planned: 12}
	m.Show("TestX", p)
	p.Planned = -1
	m.Show("TestX", p)
	m.Clear()
	m.Clear()
	long := "TestX  100 explored, 7 redundant, 12 planned, 54/s, 2s"
	short := "TestX  100 explored, 7 redundant, 54/s, 2s"
	want := "\r" + long + "\r" + words.Pad(short, len(long)) + "\r" +
		strings.Repeat(" ", len(short)) + "\r"
	columns = 20 // a line that wraps could not be written again
	m.Show("TestX", p)
	want += "\rTestX  100 explo..."
	if b.String() != want {
		t.Errorf("got %q\nwant %q", b.String(), want)
	}
}

func TestMeterWritesLinesToAFile(t *testing.T) {
	var b strings.Builder
	m := &Meter{out: &b}
	m.Show("TestX", &explore.Progress{Result: explore.Result{Findings: make([]explore.Finding, 2)},
		Planned: -1})
	m.Clear()
	if want := "TestX  0 explored, 0 redundant, 0s, 2 findings\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestMeterShowsEstimate(t *testing.T) {
	p := &explore.Progress{Result: explore.Result{Executions: 2500, Sampled: 500,
		Elapsed: 10 * time.Second, Total: 15836.3, Spread: 1.27}, Planned: 7}
	const want = "2500 explored, 0 redundant, 7 planned, 250/s, 10s, about 15800 in all (within a factor of 1.3), 1m left"
	if got := progressText(p); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for total, want := range map[float64]string{
		2000: "about 2000 in all (within a factor of 1.3), 1s left",
		1e6:  "about 1000000 in all (within a factor of 1.3), 1h left",
		3e8:  "about 3.0e+08 in all (within a factor of 1.3), 17 days left",
		3e10: "about 3.0e+10 in all (within a factor of 1.3), 5 years left",
		1e60: "about 1.0e+60 in all (within a factor of 1.3), more than 100 years left",
	} {
		p.Total = total
		if got := progressText(p); !strings.HasSuffix(got, want) {
			t.Errorf("%g: got %q, want %q", total, got, want)
		}
	}
	p.Total = 15836.3
	for spread, want := range map[float64]string{
		9.94:        ", about 15800 in all (within a factor of 9.9), 1m left",
		42.4:        ", about 15800 in all (within a factor of 42), 1m left",
		14293908.4:  ", 10s", // nobody can do anything with it
		math.Inf(1): ", 10s",
	} {
		p.Spread = spread
		if got := progressText(p); !strings.HasSuffix(got, want) {
			t.Errorf("%g: got %q, want %q", spread, got, want)
		}
	}
}
