package session

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// TestStarved: a process is starved while it has something to do and has had less time on
// processors than it needs.
func TestStarved(t *testing.T) {
	now := max(processorTime(), 1)
	if starved(now, time.Hour) {
		t.Error("starved, with nothing to do")
	}
	var within, enough, unknown bool
	runSuite(t, t.TempDir(), tests("TestX", func(gate.TB) {
		within, enough, unknown = starved(now, time.Hour), starved(now, 0), starved(0, time.Hour)
	}))
	if !within || enough || unknown {
		t.Errorf("in a step: %v; with all that it needs: %v; where nobody says what it had: %v",
			within,
			enough, unknown)
	}
}
