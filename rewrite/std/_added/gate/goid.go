package gate

import "runtime"

// Goid returns the runtime's id of the calling goroutine.
func Goid() uint64 { return runtime.RehearseGoid() }

func init() { OnHeap = runtime.RehearseOnHeap }
