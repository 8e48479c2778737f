// Package election is the subject le-erlang of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): the leader election of an
// Erlang library, described by T. Arts, K. Claessen, H. Svensson, "Semi-formal Development of a Fault-Tolerant Leader
// Election Protocol in Erlang" (LNCS 3395, 2005), which reaches a state without a leader although nobody has failed. The
// papers do not print the code. This is a program of the same kind, with such a mistake. In le-erlang3-failure the last node may
// fail.
//
// There are n nodes. Each but the last one is a candidate: it halts the nodes after it, and is elected when all of them
// agree. A node agrees with whoever halts it first, is no candidate any more, and refuses all others. A candidate that is
// refused gives up. The mistake is that nobody goes back: with three nodes, the last one agrees with 1 and refuses 0, and 1
// is halted by 0 before it hears so. Then 0 was refused, 1 was halted, and nobody tries again. A node that fails is said to
// be down; it counts as one that agrees with whoever has no answer of it yet.
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
// Where the last of 3 nodes may fail, it takes the failure first, or after one halt, or ends after both without it. A node ends when it
// has heard of each other one. Under actor, with a failure at once, node 0 takes the news of 1 and of 2 in either order, and node 1
// the halt and the news of 2: 2 * 2. After the halt of 0, node 0 may also get an answer of 2, which comes before the end or not, and
// before the news that 2 is down or after: 3!, times 2 of node 1; after that of 1 as many. Without a failure it is as above,
// 2 * 2 for each of two orders of the halts: 4 + 12 + 12 + 8 = 36. Under pairs an answer comes before the news that who has
// given it is down, so there are 3 orders instead of 6: 4 + 6 + 6 + 8 = 24. Under go 5 of these have a circle, by running them, and
// the two orders of the halts that come after the failure make 22 of the 19.
//
// All candidates need the last node, which agrees with one: there are n-1 outcomes with a leader, and the deadlock of those who wait
// to hear who it is.
package election

// The messages: halt asks a node to agree with a candidate, and answer is what it says to that; fail makes a node fail, and the others hear
// that it is down.
type (
	halt   struct{ candidate int }
	answer struct {
		node   int
		agreed bool
	}
	fail struct{}
	down struct{ node int }
)

// node is the state of an actor.
type node struct {
	id     int
	nodes  []chan any
	heard  []bool // of which nodes it has heard
	agreed int    // how many of the later ones agree with it, or are down
	halted bool   // it has agreed with another one
}

// run halts all later nodes, and then handles messages until it has heard of each other node, or fails.
func (n *node) run(leader chan<- int) {
	for i := len(n.nodes) - 1; i > n.id; i-- {
		n.nodes[i] <- halt{n.id}
	}
	for failed := false; !failed && n.waits(); {
		switch m := (<-n.nodes[n.id]).(type) {
		case halt:
			n.nodes[m.candidate] <- answer{n.id, !n.halted && !n.elected()}
			n.heard[m.candidate], n.halted = true, true
		case answer:
			n.hear(m.node, m.agreed, leader)
		case down:
			n.hear(m.node, true, leader)
		case fail:
			n.fail()
			failed = true
		}
	}
}

// waits reports whether there is another node of which it has not heard.
func (n *node) waits() bool {
	for i, heard := range n.heard {
		if !heard && i != n.id {
			return true
		}
	}
	return false
}

// hear counts the first that it hears of a later node.
func (n *node) hear(node int, agreed bool, leader chan<- int) {
	if n.heard[node] {
		return
	}
	n.heard[node] = true
	if agreed {
		n.agreed++
	}
	if n.elected() {
		leader <- n.id
	}
}

// elected reports whether all later nodes have agreed in time.
func (n *node) elected() bool {
	return n.id < len(n.nodes)-1 && n.agreed == len(n.nodes)-1-n.id && !n.halted
}

// fail tells the others.
func (n *node) fail() {
	for i := range n.nodes {
		if i != n.id {
			n.nodes[i] <- down{n.id}
		}
	}
}

// Elect returns the leader of n nodes. It may never return.
func Elect(n int) int { return <-start(make([]chan any, n)) }

// ElectFailing is Elect where the last node may fail.
func ElectFailing(n int) int {
	nodes := make([]chan any, n)
	leader := start(nodes)
	nodes[n-1] <- fail{}
	return <-leader
}

func start(nodes []chan any) <-chan int {
	leader := make(chan int, len(nodes))
	for i := range nodes {
		nodes[i] = make(chan any, 2*len(nodes)) //rehearse:mailbox
	}
	for i := range nodes {
		go (&node{id: i, nodes: nodes, heard: make([]bool, len(nodes))}).run(leader)
	}
	return leader
}
