// Package nondet does not do the same thing twice: it notes its first visit in the environment of the process, so the
// first visit of the test binary differs from all later ones. No schedule decides that, and the environment is not the
// program's own memory, which is put back before each execution. An explorer cannot trust what it replays: it must
// report the second execution as nondeterminism.
//
// # Counts
//
// The first execution of the test has the three values of warm and those of two more senders; all later executions have
// only the latter, in 2 orders. There is no right number of executions.
package nondet

import "os"

const visited = "REHEARSE_TESTDATA_NONDET"

// Visit returns what arrived.
func Visit() []int {
	ch := make(chan int, 5)
	if os.Getenv(visited) == "" {
		os.Setenv(visited, "yes") // and nobody unsets it: that is the bug
		warm(ch)
	}
	n := len(ch) + 2
	go func() { ch <- 10 }()
	go func() { ch <- 20 }()
	got := make([]int, n)
	for i := range got {
		got[i] = <-ch
	}
	return got
}

func warm(ch chan<- int) {
	for i := range 3 {
		ch <- i
	}
}
