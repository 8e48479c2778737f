// Package nsenders is the smallest program in which the order of messages is all that happens: N goroutines each send
// one value to a channel that has room for all of them, and one goroutine receives them all.
//
// # Counts
//
// No send waits for anything, so the values may get into the channel in any order; the receives follow that order.
// N! inequivalent executions, and as many outcomes: the tests log the order.
package nsenders

// Run returns 0..n-1 in the order in which they arrived.
func Run(n int) []int {
	ch := make(chan int, n)
	for i := range n {
		go func() { ch <- i }()
	}
	got := make([]int, n)
	for i := range got {
		got[i] = <-ch
	}
	return got
}
