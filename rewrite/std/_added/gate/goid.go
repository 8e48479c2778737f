// The overlay adds this to the copy of package gate that the library links: what only package
// runtime knows of goroutines and memory.
package gate

import (
	"runtime"
	"unsafe"
)

// Goid returns the runtime's id of the calling goroutine.
func Goid() uint64 { return runtime.RehearseGoid() }

func init() { OnHeap = runtime.RehearseOnHeap }

// Object returns the piece of allocated memory that p points into, and whether it may have
// pointers; nil if there is none.
func Object(p unsafe.Pointer) (at unsafe.Pointer, size uintptr, pointers bool) {
	return runtime.RehearseObject(p)
}

// Slots lists the offsets of the pointers in the piece of memory at at, which Object has returned.
func Slots(at unsafe.Pointer) (offsets []uintptr) { return runtime.RehearseSlots(at) }

// Fresh makes the calling goroutine's next small variable without pointers be no neighbour of
// earlier ones.
func Fresh() { runtime.RehearseFresh() }

// Pointers appends to dst the pointers in the piece of allocated memory that contains address p,
// and returns its address; 0 if there is none.
func Pointers(p uintptr, dst []uintptr) (at uintptr, pointers []uintptr) {
	return runtime.RehearsePointers(p, dst)
}

// Global reports whether p is in a package-level variable that may have pointers.
func Global(p uintptr) bool { return runtime.RehearseGlobal(p) }

// Foreign reports whether at is in memory that Go has not allocated, which may be used again for
// another variable at any time.
func Foreign(at unsafe.Pointer) bool { return runtime.RehearseForeign(at) }

// Locked reports whether the calling goroutine is tied to its thread, as those that C calls are.
func Locked() bool { return runtime.RehearseLocked() }

// Panic returns the value of the calling goroutine's panic that nobody has recovered. A deferred
// function may ask that.
func Panic() (value any, ok bool) { return runtime.RehearsePanic() }

// Preparing reports whether packages are being initialised, or TestMain prepares the tests. It ends
// where the tests would begin.
var Preparing = true

// Callers is runtime.Callers that shows all frames.
func Callers(skip int, pc []uintptr) int { return runtime.RehearseCallers(skip+1, pc) }

// Returns is a fast Callers: the return addresses of whole functions, which tell stacks apart. It
// returns 0 if there are none.
func Returns(pc []uintptr) int { return runtime.RehearseReturns(pc) }

// ShowStacks makes frames and stack what the program sees of stacks, by runtime.Callers and
// runtime.Stack.
func ShowStacks(frames func(pcs []uintptr) []uintptr,
	stack func(buf []byte, all bool) (n int, ok bool)) {
	runtime.RehearseFrames, runtime.RehearseStack = frames, stack
}
