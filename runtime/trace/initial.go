package trace

// PipeEnd is what people call the WaitGroup for which those wait who read from a pipe of os.Pipe to
// its end.
const PipeEnd = "os.Pipe"

// Initial is the state of an object of package sync at its first use in an execution, if that is
// not the state of a new object. The object is a copy of one that had been used, or was used before
// the execution.
type Initial struct {
	Obj int32
	// Mutex: it is locked; RWMutex: a writer has announced itself; Once: its function runs
	Held           bool
	Done           bool  // Once
	Readers        int32 // RWMutex: that are in
	Count          int32 // WaitGroup: the counter
	Waiters, Woken int32 // Cond: that it has had, and of these those that have been woken
}

// Began returns the state in which object obj was first used.
func (x *Execution) Began(obj int32) Initial {
	for _, i := range x.Initial {
		if i.Obj == obj {
			return i
		}
	}
	return Initial{Obj: obj}
}
