// Package diningphil is the subject diningphil of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): dining philosophers,
// and forks that are actors. A philosopher asks for the left fork, waits for it, asks for the right one, waits, eats, and
// puts both back; each eats once. While a fork is in use it waits to be put back, and requests for it stay where they are.
// They may all wait for each other. The paper does not print its source; this is a program of the same kind. Package phil is
// like it; there the philosophers also report, in any order.
//
// # Counts
//
// Each fork is asked for by two philosophers, and an execution is who has it first, for each of the N forks: 2^N ways, of
// which two are circles. Each has his left fork before his right neighbour: that is the deadlock, in which all wait for their
// right ones. Each has his right fork before his right neighbour: impossible, for he would have his left one after his left
// neighbour, who was done with it, so each would be done before the next one has begun. 2^N - 1 inequivalent executions,
// one of them the deadlock: 7 for N = 3, and 31 for N = 5, the paper's number with sleep sets. As many under each model, for
// nobody asks twice for the same fork.
package diningphil

// fork is the two mailboxes of an actor.
type fork struct {
	take chan chan<- bool // requests, with the place for the answer
	put  chan bool
}

func newFork() fork {
	f := fork{put: make(chan bool, 1)}
	f.take = make(chan chan<- bool, 2) //rehearse:mailbox
	go f.run()
	return f
}

// run lets the fork be used by its two neighbours.
func (f fork) run() {
	for range 2 {
		answer := <-f.take
		answer <- true
		<-f.put
	}
}

// eat is a philosopher.
func eat(left, right fork, full chan<- bool) {
	mine := make(chan bool, 1)
	left.take <- mine
	<-mine
	right.take <- mine
	<-mine
	left.put <- true
	right.put <- true
	full <- true
}

// Dine has n philosophers eat. It may never return.
func Dine(n int) {
	forks, full := make([]fork, n), make([]chan bool, n)
	for i := range forks {
		forks[i], full[i] = newFork(), make(chan bool, 1)
	}
	for i := range forks {
		go eat(forks[i], forks[(i+1)%n], full[i])
	}
	for i := range full { // each has a channel of his own: no order of theirs shows
		<-full[i]
	}
}
