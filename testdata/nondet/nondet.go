// Package nondet does not do the same thing twice: its counter of visits is captured by a function, so it lives as long
// as the program, and the first visit of the test binary differs from all later ones. No schedule decides that.
// Package-level variables are put back before each execution, but what a function has captured is not, and an explorer
// cannot trust what it replays: it must report the second execution as nondeterminism.
//
// # Counts
//
// The first execution of the test has the three values of warm and those of two more senders; all later executions have
// only the latter, in 2 orders. There is no right number of executions.
package nondet

// visit counts over all executions. That is the bug.
var visit = counter()

func counter() func() int {
	n := 0
	return func() int { n++; return n }
}

// Visit returns what arrived.
func Visit() []int {
	ch := make(chan int, 5)
	if visit() == 1 {
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
