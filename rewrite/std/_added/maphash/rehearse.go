// The overlay adds this to package hash/maphash.
package maphash

import (
	"math/bits"
	"sync/atomic"
)

// rehearseDrawn is how far rehearseNext has come.
var rehearseDrawn atomic.Uint64

// rehearseNext stands for what is drawn where no exploration runs, as in package initialisation:
// the same numbers in each process, all of them different. If a seed were equal to the package's
// key, all short texts would have one hash.
func rehearseNext() uint64 {
	high, low := bits.Mul64(rehearseDrawn.Add(0x9e3779b97f4a7c15), 0xd6e8feb86659fd93)
	return high ^ low
}
