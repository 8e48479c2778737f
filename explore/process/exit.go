package process

// Exit codes of the binary; the command has the same.
const (
	Clean   = 0 // complete, and nothing found
	Finding = 1 // a finding, or a failing schedule
	Failure = 2 // usage or internal error; a test that cannot be controlled
	Budget  = 3 // the budget ended before the end, and nothing was found
	Again   = 4 // with -handoff only: some tests are left to another process
)

// Worse returns the exit code that stands for both: a finding is news whatever else could not be
// looked at.
func Worse(a, b int) int {
	severity := [...]int{Clean: 0, Budget: 1, Failure: 2, Finding: 3, Again: 4}
	if severity[a] > severity[b] {
		return a
	}
	return b
}
