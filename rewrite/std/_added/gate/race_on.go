//go:build race

// The race detector by way of package runtime, for the functions of gate/race.go.
package gate

import (
	"runtime"
	"unsafe"
)

const Race = true

// RaceContext returns what the calling goroutine is for the race detector.
func RaceContext() uintptr { return runtime.RehearseRaceContext() }

// SetRaceContext sets what the calling goroutine is for the race detector.
func SetRaceContext(ctx uintptr) { runtime.RehearseSetRaceContext(ctx) }

// RaceStart makes a child of parent, created at pc.
func RaceStart(parent, pc uintptr) uintptr { return runtime.RehearseRaceStart(parent, pc) }

// RaceEnd ends what RaceStart has made.
func RaceEnd(ctx uintptr) { runtime.RehearseRaceEnd(ctx) }

// RaceAcquire is for a context what package internal/race has for goroutines.
func RaceAcquire(ctx uintptr, addr unsafe.Pointer) { runtime.RehearseRaceAcquire(ctx, addr) }

// RaceRelease is for a context what package internal/race has for goroutines.
func RaceRelease(ctx uintptr, addr unsafe.Pointer) { runtime.RehearseRaceRelease(ctx, addr) }

// RaceReleaseMerge is for a context what package internal/race has for goroutines.
func RaceReleaseMerge(ctx uintptr, addr unsafe.Pointer) {
	runtime.RehearseRaceReleaseMerge(ctx, addr)
}

// RaceErrors returns the number of reports so far.
func RaceErrors() int { return runtime.RehearseRaceErrors() }

// RaceStack forgets who has used the free part of the calling goroutine's stack.
func RaceStack() { runtime.RehearseRaceStack() }
