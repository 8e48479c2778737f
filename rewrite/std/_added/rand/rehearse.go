// The overlay adds this to package math/rand: sources of a controlled process's own numbers.
package rand

import "rehearse/runtime/gate"

// rehearseSource gives a controlled process the numbers of its own sequence, which is the same in
// every execution.
type rehearseSource struct{}

// Int63 implements Source.
func (rehearseSource) Int63() int64 { return int64(gate.Random() & rngMask) }

// Uint64 implements Source64.
func (rehearseSource) Uint64() uint64 { return gate.Random() }

// Seed does nothing: the numbers are the explorer's.
func (rehearseSource) Seed(int64) {}

// rehearseRand is the generator behind the top-level functions. It is new each time, because a Rand
// keeps the bytes that Read has left over.
func rehearseRand() *Rand { return &Rand{src: rehearseSource{}, s64: rehearseSource{}} }

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
