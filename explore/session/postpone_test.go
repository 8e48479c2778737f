package session

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/watch"
)

// TestDeadlineOfEarlyTimers: a search of early timers that the time ended gets a second turn, too.
func TestDeadlineOfEarlyTimers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, err := newSuite(Package{Path: "example.org/p", Dir: dir}, options.Default())
	if err != nil {
		t.Fatal(err)
	}
	s.watch = watch.Idle(s.places)
	for reason, want := range map[string]bool{explore.TimeIsUp: true, "": false} {
		e := s.newExploration(tests("TestX", fine)[0], 1000)
		e.result.Early = &report.Early{Reason: reason}
		e.finish()
		if got := s.postpone(e); got != want {
			t.Errorf("%q: postponed %v", reason, got)
		}
	}
}
