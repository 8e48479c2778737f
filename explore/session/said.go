package session

import (
	"encoding/json"
	"os"

	"github.com/rehearse-go/rehearse/explore/report"
)

// said is what the binaries of one run have told, and none of them tells again.
type said struct {
	Notes []string // that were printed
	Stale bool     // why some saved schedule is not run
}

// listen reads what was told before, and lets text leave it out.
func (s *suite) listen(text *report.Text) {
	if data, err := os.ReadFile(s.opts.Said()); err == nil {
		_ = json.Unmarshal(data, &s.said) // what cannot be read is told again
	}
	s.notes = text.Said(s.said.Notes)
}

// tell leaves what was told to the binaries that follow.
func (s *suite) tell() error {
	if s.opts.Said() == "" || s.notes == nil {
		return nil
	}
	s.said.Notes = s.notes()
	data, err := json.Marshal(s.said)
	if err != nil {
		return err
	}
	return os.WriteFile(s.opts.Said(), data, 0o666)
}

// noteStale says that schedules of a test are not run: of the first test of a run with the reason,
// of all others in the same words.
func (e *exploration) noteStale(stale []string) {
	switch n := len(stale); {
	case n == 0:
		return
	case e.suite.said.Stale:
		e.note("saved schedules of this test are not run, either; rehearse replay -prune removes " +
			"those that no longer apply")
	case n == 1:
		e.note("%s", stale[0])
	default:
		e.note("%d saved schedules are not run, and rehearse replay -prune removes those that no "+
			"longer apply; the first: %s", n, stale[0])
	}
	e.suite.said.Stale = true
}
