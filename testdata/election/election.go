// Package election is the subject le-erlang of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): the leader election of an
// Erlang library, described by T. Arts, K. Claessen, H. Svensson, "Semi-formal Development of a Fault-Tolerant Leader
// Election Protocol in Erlang" (LNCS 3395, 2005), which reaches a state without a leader although nobody has failed. The
// papers do not print the code. This is a program of the same kind, with such a mistake. Nobody fails here: le-erlang3-failure, the
// same with failures, is not here.
//
// There are n nodes. Each but the last one is a candidate: it halts the nodes after it, and is elected when all of them
// agree. A node agrees with whoever halts it first, is no candidate any more, and refuses all others. A candidate that is
// refused gives up. The mistake is that nobody goes back: with three nodes, the last one agrees with 1 and refuses 0, and 1
// is halted by 0 before it hears so. Then 0 was refused, 1 was halted, and nobody tries again.
//
// # Counts
//
// Each node takes n-1 messages: node i is halted by 0..i-1, and gets the answers of i+1..n-1. All halts are sent at the
// start. An answer to node i comes from a later node, which may have taken whatever before; what it took before came from
// later nodes still, or was a halt. So nothing but its own order decides what a node takes when: under -model actor
// ((n-1)!)^n inequivalent executions, 8 for n = 3, and 1296 for n = 4. As many under pairs, for nobody has two messages in one
// mailbox.
//
// Under -model go an answer that was sent before another event was also there before it. With n = 3, say that node 2 is halted by
// 0 and then by 1, and that node 1 hears of it before it is halted by 0: then node 0 has the answer of 2 before that of 1.
// One of the 8 is impossible, 7 are left. For n = 4, 654 of the 1296 have no such circle, by counting them.
//
// All candidates need the last node, which agrees with one: there are n-1 outcomes with a leader, and the deadlock of those who wait
// to hear who it is.
package election

// halt asks a node to agree with a candidate; answer is what it says to that.
type (
	halt   struct{ candidate int }
	answer struct{ agreed bool }
)

// node is the state of an actor.
type node struct {
	id     int
	nodes  []chan any
	agreed int  // with how many times it has heard that somebody agrees with it
	lost   bool // somebody has refused it
	halted bool // it has agreed with another one
}

// run halts all later nodes, and then handles a message from each other node.
func (n *node) run(leader chan<- int) {
	for i := len(n.nodes) - 1; i > n.id; i-- {
		n.nodes[i] <- halt{n.id}
	}
	for range len(n.nodes) - 1 {
		switch m := (<-n.nodes[n.id]).(type) {
		case halt:
			n.nodes[m.candidate] <- answer{!n.halted && !n.elected()}
			n.halted = true
		case answer:
			n.count(m.agreed)
			if n.elected() {
				leader <- n.id
			}
		}
	}
}

func (n *node) count(agreed bool) {
	if agreed {
		n.agreed++
	} else {
		n.lost = true
	}
}

// elected reports whether all later nodes have agreed in time.
func (n *node) elected() bool {
	return n.id < len(n.nodes)-1 && n.agreed == len(n.nodes)-1-n.id && !n.halted
}

// Elect returns the leader of n nodes. It may never return.
func Elect(n int) int {
	nodes, leader := make([]chan any, n), make(chan int, n)
	for i := range nodes {
		nodes[i] = make(chan any, n-1) //rehearse:mailbox
	}
	for i := range nodes {
		go (&node{id: i, nodes: nodes}).run(leader)
	}
	return <-leader
}
