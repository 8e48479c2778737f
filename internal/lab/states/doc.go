// Package states has tests only: they explore random programs by stateful search, with every way to
// compare states, and compare what comes out with exhaustive search.
package states
