package facts

// Places are where a running task may do what its effects say, line by line: what an audit compares
// executions with.
type Places struct {
	Sends         []Pos `json:",omitempty"`
	Reads, Writes []Pos `json:",omitempty"` // of variables that may be older than the task
	// reads and writes of what the task has made itself, which are none of its effects
	New        []Pos `json:",omitempty"`
	Operations []Pos `json:",omitempty"` // other operations, and starts of goroutines
	// other operations, those on what the task has made itself among them
	NewOperations []Pos `json:",omitempty"`
	// the task may do anything, or its places are not all listed
	Any bool `json:",omitempty"`
}
