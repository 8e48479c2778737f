// Package xchg tells a model with Go's order of sends from one that keeps an order per channel only. Two senders use
// two channels, with room for all, in opposite order:
//
//	T0: a <- 1; b <- 2    T1: b <- 3; a <- 4    T2: <-a; <-a    T3: <-b; <-b
//
// # Counts
//
// Channel a gets 1 and 4 in some order, b gets 2 and 3. Of the 4 combinations one is impossible: 4 before 1 and 2
// before 3 would mean b<-3 < a<-4 < a<-1 < b<-2 < b<-3, a circle. 3 inequivalent executions, 3 outcomes.
package xchg

// Run returns what T2 and T3 received.
func Run() (fromA, fromB [2]int) {
	a, b := make(chan int, 2), make(chan int, 2)
	gotA, gotB := make(chan [2]int, 1), make(chan [2]int, 1)
	go func() { a <- 1; b <- 2 }()
	go func() { b <- 3; a <- 4 }()
	go func() { gotA <- [2]int{<-a, <-a} }()
	go func() { gotB <- [2]int{<-b, <-b} }()
	return <-gotA, <-gotB
}
