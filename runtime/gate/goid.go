package gate

import (
	"runtime"
	"unsafe"
)

// Goid returns the runtime's id of the calling goroutine. The overlay replaces this file with one
// that reads the id from the runtime. Without the overlay no function is hooked, and Goid is 0.
func Goid() uint64 { return 0 }

// Object returns the piece of allocated memory that p points into, and whether it may have
// pointers; nil if p points into none, and always nil without the overlay.
func Object(p unsafe.Pointer) (at unsafe.Pointer, size uintptr, pointers bool) {
	return nil, 0, false
}

// Slots lists the offsets of the pointers in the piece of memory at at, which Object has returned.
func Slots(at unsafe.Pointer) (offsets []uintptr) { return nil }

// Fresh places the calling goroutine's next small variable without pointers apart from earlier
// ones. Without the overlay it does nothing.
func Fresh() {}

// Pointers appends to dst the pointers in the piece of allocated memory that contains address p,
// and returns the piece's address; 0 if there is none, and always 0 without the overlay. The
// pointers are numbers, because the garbage collector rejects pointers to freed memory.
func Pointers(p uintptr, dst []uintptr) (at uintptr, pointers []uintptr) { return 0, dst }

// Global reports whether p is in a package-level variable that may have pointers. Without the
// overlay it returns false.
func Global(p uintptr) bool { return false }

// Foreign reports whether at is in memory that Go has not allocated, which may be used again for
// another variable at any time. Without the overlay it returns false.
func Foreign(at unsafe.Pointer) bool { return false }

// Locked reports whether the calling goroutine is tied to its thread, as a goroutine that C calls
// is. Without the overlay it returns false.
func Locked() bool { return false }

// Panic returns the value of the calling goroutine's panic that nobody has recovered. A deferred
// function may ask that. Without the overlay there is none.
func Panic() (value any, ok bool) { return nil, false }

// Preparing reports whether packages are being initialised, or TestMain prepares the tests. Without
// the overlay it is false.
var Preparing bool

// Callers is runtime.Callers that shows all frames.
func Callers(skip int, pc []uintptr) int { return runtime.Callers(skip+1, pc) }

// Returns is a fast Callers: the return addresses of whole functions, which tell stacks apart. It
// returns 0 if there are none.
func Returns(pc []uintptr) int { return 0 }

// ShowStacks makes frames and stack what the program sees of stacks, by runtime.Callers and
// runtime.Stack. Without the overlay it sees all.
func ShowStacks(frames func(pcs []uintptr) []uintptr,
	stack func(buf []byte, all bool) (n int, ok bool)) {
}
