package watch

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestStarved: a process is starved while it has something to do and has had less time on
// processors than it needs.
func TestStarved(t *testing.T) {
	for process.ProcessorTime() == 0 { // 0 is that nobody says it
	}
	now := process.ProcessorTime()
	if starved(now, time.Hour) {
		t.Error("starved, with nothing to do")
	}
	var within, enough, unknown bool
	test := gate.Test{Name: "TestX", Run: func(gate.TB) {
		within, enough, unknown = starved(now, time.Hour), starved(now, 0), starved(0, time.Hour)
	}}
	executor.New(test, world.Config{MaxSteps: 100}).Execute(&explore.Script{}, false)
	if !within || enough || unknown {
		t.Errorf("in a step: %v; with all that it needs: %v; where nobody says what it had: %v",
			within,
			enough, unknown)
	}
}
