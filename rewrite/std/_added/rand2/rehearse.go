// The overlay adds this to package math/rand/v2.
package rand

import "rehearse/runtime/gate"

// rehearsePlain draws what the top-level functions draw where that is no choice.
var rehearsePlain = &Rand{src: runtimeSource{}}

// rehearseSample is the hidden choice of a number from a range that is too large to be explored in
// full.
func rehearseSample[T any](usual, least, greatest T) T {
	return [...]T{usual, least, greatest}[gate.Sample()]
}
