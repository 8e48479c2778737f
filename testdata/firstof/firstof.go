// Package firstof asks N goroutines for the same thing and takes the first answer. The channel has room for all
// answers, so the late ones do not block.
//
// # Counts
//
// Two sends matter to each other only if a receive can tell which came first, and there is a single receive: N
// inequivalent executions, one per winner, and N outcomes. An explorer that orders all sends to one channel, received
// or not, sees N! of them (and still N outcomes).
package firstof

// Run returns the number, 0..n-1, of the goroutine that answered first.
func Run(n int) int {
	answers := make(chan int, n)
	for i := range n {
		go func() { answers <- i }()
	}
	return <-answers
}
