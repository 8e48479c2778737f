package session

import "testing"

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
