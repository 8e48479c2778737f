// The overlay adds this to package math/rand: sources of a controlled process's own numbers.
package rand

import (
	"rehearse/runtime/gate"
	"sync/atomic"
)

// rehearseSource gives a controlled process the numbers of its own sequence, which is the same in
// every execution.
type rehearseSource struct{}

// Int63 implements Source.
func (rehearseSource) Int63() int64 { return int64(gate.Random() & rngMask) }

// Uint64 implements Source64.
func (rehearseSource) Uint64() uint64 { return gate.Random() }

// Seed does nothing: the numbers are the explorer's.
func (rehearseSource) Seed(int64) {}

// rehearseSeeded is the generator behind the top-level functions where the execution has called
// Seed; nil if it has not. To draw, the generator locks a mutex, which is a step: processes draw
// from one sequence, in every order.
var rehearseSeeded atomic.Pointer[Rand]

// rehearseSeed is Seed. A program that seeds with the time wants no sequence in particular: it gets
// the numbers of each process, which leave fewer orders.
func rehearseSeed(seed int64) {
	if randseednop.Value() != "0" || rehearseTime(seed) {
		return
	}
	r := rehearseSeeded.Load()
	if r == nil {
		r = New(new(lockedSource))
	}
	r.Seed(seed)
	rehearseSeeded.Store(r)
}

// rehearseTime reports whether n is a time of the virtual clock's first year.
func rehearseTime(n int64) bool {
	const begin, year = 1773239136 - 1, 366 * 24 * 60 * 60 // in seconds
	for _, unit := range [...]int64{1, 1e3, 1e6, 1e9} {
		if s := n / unit; begin <= s && s < begin+year {
			return true
		}
	}
	return false
}

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		return func() { rehearseSeeded.Store(nil) }
	})
}

// rehearseRand is the generator behind the top-level functions. Without a call of Seed it is new
// each time, because a Rand keeps the bytes that Read has left over.
func rehearseRand() *Rand {
	if r := rehearseSeeded.Load(); r != nil {
		return r
	}
	return &Rand{src: rehearseSource{}, s64: rehearseSource{}}
}

// rehearseUsual is a source of the same numbers, which are no choices.
type rehearseUsual struct{ rehearseSource }

// rehearsePlain is the generator of the usual numbers if r is the one behind the top-level
// functions, else nil.
func rehearsePlain(r *Rand) *Rand {
	if _, ok := r.src.(rehearseSource); !ok {
		return nil
	}
	return &Rand{src: rehearseUsual{}, s64: rehearseUsual{}}
}

// rehearseSample is the hidden choice of a number from a range that is too large to be explored in
// full.
func rehearseSample[T any](usual, least, greatest T) T {
	return [...]T{usual, least, greatest}[gate.Sample()]
}
