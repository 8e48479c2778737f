package divide

import (
	"time"

	"github.com/rehearse-go/rehearse/explore/items"
)

// SetOverdue lets helpers be behind for so long, until the returned function is called.
func SetOverdue(d time.Duration) (restore func()) {
	before := overdue
	overdue = d
	return func() { overdue = before }
}

// RestoreState is what Read does with a journal's state and entries.
func RestoreState(s *State, entries [][]byte) (*items.Keeper, error) { return s.restore(entries) }
