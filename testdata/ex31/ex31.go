// Package ex31 has three goroutines and two senders to one channel, and still a single order:
//
//	T0: c <- 1; b <- 2    T1: <-b; c <- 3    T2: <-c; <-c
//
// # Counts
//
// c<-1 comes before b<-2, which comes before its receive and so before c<-3: a send is in the channel when it is done,
// and the channel is first in, first out. 1 inequivalent execution. A model that lets messages overtake says 2.
package ex31

// Run returns what T2 received.
func Run() [2]int {
	b, c := make(chan int, 1), make(chan int, 2)
	got := make(chan [2]int, 1)
	go func() { c <- 1; b <- 2 }()
	go func() { <-b; c <- 3 }()
	go func() { got <- [2]int{<-c, <-c} }()
	return <-got
}
