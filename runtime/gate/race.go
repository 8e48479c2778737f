//go:build !race

package gate

import "unsafe"

// Race reports whether the race detector is there and can be told which goroutine runs. A context
// is the detector's idea of a goroutine. Package sched explains the use of these functions; without
// the detector they do nothing.
const Race = false

// RaceContext returns what the calling goroutine is for the race detector.
func RaceContext() uintptr { return 0 }

// SetRaceContext sets what the calling goroutine is for the race detector.
func SetRaceContext(uintptr) {}

// RaceStart makes a child of parent, created at pc.
func RaceStart(parent, pc uintptr) uintptr { return 0 }

// RaceEnd ends what RaceStart has made.
func RaceEnd(uintptr) {}

// RaceAcquire is for a context what package internal/race has for goroutines.
func RaceAcquire(uintptr, unsafe.Pointer) {}

// RaceRelease is for a context what package internal/race has for goroutines.
func RaceRelease(uintptr, unsafe.Pointer) {}

// RaceReleaseMerge is for a context what package internal/race has for goroutines.
func RaceReleaseMerge(uintptr, unsafe.Pointer) {}

// RaceErrors returns the number of reports so far.
func RaceErrors() int { return 0 }

// RaceStack forgets who has used the free part of the calling goroutine's stack.
func RaceStack() {}
