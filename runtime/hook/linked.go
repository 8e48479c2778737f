package hook

import (
	"math/bits"
	"math/rand/v2"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The functions of this file take the place of those of package runtime that modules link to by
// name.

var started = time.Now()

// Nanotime is runtime.nanotime, which is never 0: a monotonic clock.
func Nanotime() int64 {
	if world.W.Current() == nil {
		return int64(time.Since(started)) + 1
	}
	return library.Now() + 1
}

// Fastrand64 is runtime.rand: the calling process's next random number.
func Fastrand64() uint64 {
	if world.W.Current() == nil {
		return rand.Uint64()
	}
	world.FixedNumber()
	return world.NextRandom()
}

// Fastrand is runtime.fastrand.
func Fastrand() uint32 { return uint32(Fastrand64() >> 32) }

// Fastrandn is runtime.fastrandn.
func Fastrandn(n uint32) uint32 { return uint32(uint64(Fastrand()) * uint64(n) >> 32) }

// Memhash is runtime.memhash, with a key that all processes share: a hash of the size bytes at p.
func Memhash(p unsafe.Pointer, seed, size uintptr) uintptr {
	h := spread(uint64(seed))
	for _, b := range unsafe.Slice((*byte)(p), size) {
		h = (h ^ uint64(b)) * 0x100000001b3 // as FNV-1a
	}
	return uintptr(spread(h ^ uint64(size)))
}

// spread makes all bits of a number depend on all others.
func spread(n uint64) uint64 {
	high, low := bits.Mul64(n^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return high ^ low
}

// Strhash is runtime.strhash: a hash of the string at p.
func Strhash(p unsafe.Pointer, seed uintptr) uintptr {
	s := *(*string)(p)
	return Memhash(unsafe.Pointer(unsafe.StringData(s)), seed, uintptr(len(s)))
}

// Walltime is runtime.walltime.
func Walltime() (sec int64, nsec int32) {
	now := time.Now()
	return now.Unix(), int32(now.Nanosecond())
}

// TimeNow is time.now.
func TimeNow() (sec int64, nsec int32, mono int64) {
	sec, nsec = Walltime()
	return sec, nsec, Nanotime()
}

// ProcPin is runtime.procPin: as if there were one processor.
func ProcPin() int { return 0 }

// ProcUnpin is runtime.procUnpin.
func ProcUnpin() {}
