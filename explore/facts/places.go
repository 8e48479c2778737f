package facts

// Places are where a running task may do what its effects say, line by line: what an audit compares
// executions with.
type Places struct {
	Sends         []Pos `json:",omitempty"`
	Reads, Writes []Pos `json:",omitempty"` // of variables that may be older than the task
	// reads and writes of the task's own new objects, which are none of its effects
	New        []Pos `json:",omitempty"`
	Operations []Pos `json:",omitempty"` // other operations, and starts of goroutines
	// other operations, including those on the task's own new objects
	NewOperations []Pos `json:",omitempty"`
	// the task may do anything, or its places are not all listed
	Any bool `json:",omitempty"`
}
