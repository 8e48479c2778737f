// Package philok is package phil with one left-handed philosopher, which breaks the circle: no deadlock, and
// N!(2^N - 2) inequivalent executions, as derived there; for N = 3 that is 36.
package philok

import "github.com/rehearse-go/rehearse/testdata/phil"

// Dine has n philosophers eat.
func Dine(n int) { phil.DineSafely(n) }
