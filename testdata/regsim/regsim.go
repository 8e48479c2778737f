// Package regsim is the subject regsim of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): clients register at one
// registry. The paper does not print its source; this is a program of the same kind, in which a master makes the clients and
// tells them where to register, the registry gives each of them a number, and ends when all have one.
//
// # Counts
//
// Each client takes one message, sends one to the registry, and takes one answer, on a channel of its own. Nothing orders the N
// registrations: N! inequivalent executions, 720 for N = 6, which is the paper's number of paths with sleep sets. They do
// not depend on the order in which a mailbox delivers, for no client sends twice. The registry tells the order in the end,
// so there are as many outcomes.
//
// Simulate is RegSim(n,k) of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning
// Redundant State-Exploration in Testing" (FORTE 2014), or a program of the same kind that gives the paper's numbers. Here the
// registry takes n registrations and a question, the directory k+1 questions, and each of the n servers k notices, in
// any order: (n+1)! * (k+1)! * (k!)^n, 5040 * 2 = 10080 for RegSim(6,1), and 120 * 6 * 16 = 11520 for RegSim(4,2). As many
// under each model: nobody sends twice to one mailbox, and the notices of each go to the servers in the same order, which
// makes none of the orders at the servers impossible. Questions commute with each other and with registrations: without
// their places n! * (k!)^n are left, 720 and 384, the paper's numbers with its task selection, and as many outcomes.
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

// client is an actor. Its first message is the mailbox of a registry, where it registers, and looks at its number.
func client(id int, inbox <-chan chan<- registration) {
	registry := <-inbox
	number := make(chan int, 1)
	registry <- registration{id, number}
	<-number
}

// Run returns the order in which n clients were registered.
func Run(n int) []int {
	inbox := make(chan registration, n) //rehearse:mailbox
	result := make(chan []int, 1)
	go registry(n, inbox, result)
	for id := range n {
		start := make(chan chan<- registration, 1) //rehearse:mailbox
		go client(id, start)
		start <- inbox
	}
	return <-result
}
