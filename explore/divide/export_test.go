package divide

import "time"

// SetOverdue lets helpers be behind for so long, until the returned function is called.
func SetOverdue(d time.Duration) (restore func()) {
	before := overdue
	overdue = d
	return func() { overdue = before }
}
