//go:build race

// The race detector by way of package runtime, for the functions of gate/race.go.
package gate

import (
	"runtime"
	"unsafe"
)

const Race = true

func RaceContext() uintptr                              { return runtime.RehearseRaceContext() }
func SetRaceContext(ctx uintptr)                        { runtime.RehearseSetRaceContext(ctx) }
func RaceStart(parent, pc uintptr) uintptr              { return runtime.RehearseRaceStart(parent, pc) }
func RaceEnd(ctx uintptr)                               { runtime.RehearseRaceEnd(ctx) }
func RaceAcquire(ctx uintptr, addr unsafe.Pointer)      { runtime.RehearseRaceAcquire(ctx, addr) }
func RaceRelease(ctx uintptr, addr unsafe.Pointer)      { runtime.RehearseRaceRelease(ctx, addr) }
func RaceReleaseMerge(ctx uintptr, addr unsafe.Pointer) { runtime.RehearseRaceReleaseMerge(ctx, addr) }
func RaceErrors() int                                   { return runtime.RehearseRaceErrors() }
func RaceStack()                                        { runtime.RehearseRaceStack() }
