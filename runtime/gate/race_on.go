//go:build race

package gate

import "unsafe"

// Race and the functions below are those of race.go: only the overlay knows how to reach the
// detector, and replaces this file.
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
