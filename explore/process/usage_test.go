package process

import (
	"testing"
	"time"
)

func TestPeakIn(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tx\nVmHWM:\t    5120 kB\nVmRSS:\t 1 kB\n": 5120 << 10,
		"Name:\tx\nVmRSS:\t 1 kB\n":                      0,
		"Name:\tx\nVmHWM:\t many kB\n":                   0,
		"":                                               0,
	} {
		if got := peakIn([]byte(status)); got != want {
			t.Errorf("%q: %d, want %d", status, got, want)
		}
	}
}

func TestProcessorTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"12 (a b) c) S 1 12 12 0 -1 4194560 158 0 0 0 7 3 0 0 20 0 1": 100 * time.Millisecond,
		"12 (a) S 1": 0,
		"":           0,
	} {
		if got := processorTimeIn([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	before := ProcessorTime()
	for until := time.Now().Add(time.Minute); ProcessorTime() == before &&
		time.Now().Before(until); {
	}
	if ProcessorTime() == before {
		t.Error("a minute's work takes no time")
	}
}
