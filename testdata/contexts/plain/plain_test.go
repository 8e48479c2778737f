// Package plain runs the programs of package contexts as plain Go and prints what they did, a line each.
package plain

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/testdata/contexts"
)

func TestPlain(t *testing.T) {
	for seed := range int64(contexts.Seeds) {
		for n := range uint64(20) {
			synctest.Test(t, func(*testing.T) {
				fmt.Printf("TestSeed%02d %s\n", seed, contexts.Program(seed, jitter(n)))
			})
		}
	}
}

// jitter returns a function that yields now and then, so that the runs differ.
func jitter(seed uint64) func() {
	var state atomic.Uint64
	state.Store(seed * 0x9e3779b97f4a7c15)
	return func() {
		for x := state.Add(0x9e3779b97f4a7c15) >> 60; x > 8; x-- {
			runtime.Gosched()
		}
	}
}
