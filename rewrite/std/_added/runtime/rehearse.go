package runtime

import "unsafe"

// RehearseGoid returns the id of the calling goroutine.
func RehearseGoid() uint64 { return getg().goid }

// RehearseOnHeap reports whether at is on the heap: not a package-level variable.
func RehearseOnHeap(at unsafe.Pointer) bool { return spanOfHeap(uintptr(at)) != nil }
