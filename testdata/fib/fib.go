// Package fib is the subject Fib of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), and of S. Lauterburg, R. K.
// Karmani, D. Marinov, G. Agha, "Evaluating Ordering Heuristics for Dynamic Partial-Order Reduction Techniques" (FASE
// 2010): an actor for each call, which makes two more for n-1 and n-2, waits for their results, and sends the sum to its
// own caller. It is for -model actor.
//
// # Counts
//
// An actor that makes two others receives their results in either order, and nothing else is open: 2^I(n) inequivalent
// executions, where I(0) = I(1) = 0 and I(n) = 1 + I(n-1) + I(n-2) is the number of such actors: 4 for fib(3), 16 for
// fib(4), which the papers call fib5, for it is started with n-1. As many under -model pairs: an actor gets one message
// from each other one.
//
// The papers' dpor without sleep sets needs 40, 327 and 16 executions for fib(4) with the orders fifo, eca and lca, and so does
// -strategy dpor -model actor. The papers' root has no client. Here the test waits for its result, which is one more delivery
// in each execution.
package fib

// fib is an actor. Its first message is n, and it sends the n-th Fibonacci number to its client.
func fib(inbox chan int, client chan<- int) {
	n := <-inbox
	if n < 2 {
		client <- n
		return
	}
	for i := range 2 {
		child := make(chan int) //rehearse:mailbox
		go fib(child, inbox)
		child <- n - 1 - i
	}
	client <- <-inbox + <-inbox
}

// Fib returns the n-th Fibonacci number.
func Fib(n int) int {
	root, result := make(chan int), make(chan int) //rehearse:mailbox
	go fib(root, result)
	root <- n
	return <-result
}
