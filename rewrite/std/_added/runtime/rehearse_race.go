//go:build race

// The overlay adds this to package runtime with the race detector: to be somebody else for it.
package runtime

import "unsafe"

// RehearseRaceContext returns who the calling goroutine is for the race detector.
func RehearseRaceContext() uintptr { return getg().racectx }

// RehearseSetRaceContext makes the calling goroutine be another one for the race detector. No two
// goroutines may be the same one at a time.
func RehearseSetRaceContext(ctx uintptr) { getg().racectx = ctx }

// RehearseRaceStart makes a context as a go statement in parent does.
func RehearseRaceStart(parent, pc uintptr) uintptr { return racectxstart(pc, parent) }

// RehearseRaceEnd ends a context.
func RehearseRaceEnd(ctx uintptr) { racectxend(ctx) }

// RehearseRaceAcquire is RaceAcquire for a context.
func RehearseRaceAcquire(ctx uintptr, addr unsafe.Pointer) {
	racecall(&__tsan_acquire, ctx, uintptr(addr), 0, 0)
}

// RehearseRaceRelease is RaceRelease for a context.
func RehearseRaceRelease(ctx uintptr, addr unsafe.Pointer) {
	racecall(&__tsan_release, ctx, uintptr(addr), 0, 0)
}

// RehearseRaceReleaseMerge is RaceReleaseMerge for a context.
func RehearseRaceReleaseMerge(ctx uintptr, addr unsafe.Pointer) {
	racecall(&__tsan_release_merge, ctx, uintptr(addr), 0, 0)
}

// RehearseRaceStack forgets who has used the part of the calling goroutine's stack that is free
// now.
func RehearseRaceStack() {
	const (
		most  = 32 << 10 // what was called cannot have used more
		above = 512      // callers that only return after this
	)
	gp := getg()
	var here byte
	hi := min(uintptr(unsafe.Pointer(&here))&^7+above, gp.stack.hi)
	lo := max(gp.stack.lo, hi-min(hi, most))
	racemalloc(unsafe.Pointer(lo), hi-lo)
}

// RehearseRaceErrors counts the reports so far.
func RehearseRaceErrors() int { return race_Errors() }
