package runtime

// RehearseGoid returns the id of the calling goroutine.
func RehearseGoid() uint64 { return getg().goid }
