//go:build !race

package gate

import "unsafe"

// Race reports whether the race detector is there and can be told who runs. A context is the detector's idea of a
// goroutine. See package sched for what these functions are for; without the detector they do nothing.
const Race = false

func RaceContext() uintptr                     { return 0 } // of the calling goroutine
func SetRaceContext(uintptr)                   {}           // of the calling goroutine
func RaceStart(parent, pc uintptr) uintptr     { return 0 } // a child of parent, created at pc
func RaceEnd(uintptr)                          {}
func RaceAcquire(uintptr, unsafe.Pointer)      {} // for a context, as package internal/race has it for goroutines
func RaceRelease(uintptr, unsafe.Pointer)      {}
func RaceReleaseMerge(uintptr, unsafe.Pointer) {}
func RaceErrors() int                          { return 0 } // reports so far
func RaceStack()                               {}           // forgets who has used the free part of the calling goroutine's stack
