package rand

import "rehearse/runtime/gate"

// rehearseSource gives a controlled process the numbers of its own sequence, which is the same in every execution.
type rehearseSource struct{}

func (rehearseSource) Int63() int64   { return int64(gate.Random() & rngMask) }
func (rehearseSource) Uint64() uint64 { return gate.Random() }
func (rehearseSource) Seed(int64)     {}

// rehearseRand is the generator behind the top-level functions. It is new each time, because a Rand keeps the bytes
// that Read has left over.
func rehearseRand() *Rand { return &Rand{src: rehearseSource{}, s64: rehearseSource{}} }
