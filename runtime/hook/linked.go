package hook

import (
	"math/rand/v2"
	"time"
)

// The functions of this file take the place of those of package runtime that modules link to by name.

var started = time.Now()

// Nanotime is runtime.nanotime, which is never 0: a monotonic clock.
func Nanotime() int64 {
	if w.Current() == nil {
		return int64(time.Since(started)) + 1
	}
	return now() + 1
}

// Fastrand64 is runtime.rand: the calling process's next random number.
func Fastrand64() uint64 {
	if w.Current() == nil {
		return rand.Uint64()
	}
	return nextRandom()
}

// Fastrand is runtime.fastrand.
func Fastrand() uint32 { return uint32(Fastrand64() >> 32) }

// Fastrandn is runtime.fastrandn.
func Fastrandn(n uint32) uint32 { return uint32(uint64(Fastrand()) * uint64(n) >> 32) }
