// Package regsim is the subject regsim of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): clients register at one
// registry. The paper does not print its source; this is a program of the same kind, in which a master makes the clients,
// the registry gives each of them a number, and ends when all have one.
//
// # Counts
//
// Each client sends one message to the registry and takes one answer, on a channel of its own. Nothing orders the N
// registrations: N! inequivalent executions, 720 for N = 6, which is the paper's number of paths with sleep sets. They do
// not depend on the order in which a mailbox delivers, for no client sends twice. The registry tells the order in the end,
// so there are as many outcomes.
package regsim

// registration is a client's message to the registry.
type registration struct {
	client int
	number chan<- int // where the answer goes
}

// registry numbers n clients and then sends their order to the master.
func registry(n int, inbox <-chan registration, master chan<- []int) {
	var order []int
	for number := range n {
		r := <-inbox
		order = append(order, r.client)
		r.number <- number
	}
	master <- order
}

// client registers and looks at its number.
func client(id int, registry chan<- registration) {
	number := make(chan int, 1)
	registry <- registration{id, number}
	<-number
}

// Run returns the order in which n clients were registered.
func Run(n int) []int {
	inbox, result := make(chan registration, n), make(chan []int, 1)
	go registry(n, inbox, result)
	for id := range n {
		go client(id, inbox)
	}
	return <-result
}
