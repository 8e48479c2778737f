// Package shortpath is the subject Shortest Path of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis,
// University of Illinois at Urbana-Champaign, 2009), section 7.2: the algorithm of K. M. Chandy, J. Misra, "Distributed
// Computation on Graphs: Shortest Path Algorithms" (CACM 25(11), 1982), its first phase, for a network of nodes. The thesis does not print its program. It is for -model actor, and right under all models.
//
// A node that hears of a shorter way tells its neighbours, and acknowledges the message that it heard it from when all of
// these have been acknowledged. When the first node has nothing to wait for, all distances are right. Nobody tells the first
// node, which knows its own.
//
// # Counts
//
// Of TestShortPath3 under Go's own delivery. Node 1 hears of the way of length 1 before anything else, for that was sent before
// node 2 heard of any. Node 2 hears of 4 from node 0 and of 3 from node 1. With 4 first, it acknowledges 4 when it hears of 3,
// and all that follows is ordered: 1. With 3 first, it has told node 1 of 5, and hears of 4 before that is acknowledged, which
// orders the rest: 1; or after that, and then its acknowledgement of 4 and that of node 1 come to node 0 in either order: 2.
//
// TestShortPath4 and TestShortPath5 have a fourth node behind the third one, and a fifth behind the fourth: each hears of two ways, or
// of three, as the one before it does, and its acknowledgements are in a race with what that one hears. Nobody has derived the
// counts. Dpor with sleep sets and optimal agree on 46 and 784; under pairs optimal has 226 and 3874; under actor dpor
// and transdpor with sleep sets, and optimal, agree on 49746 of four nodes, and have not ended on five.
package shortpath

// message is the length of a way, or the acknowledgement of one, or the question for the result.
type message struct {
	length int // 0: an acknowledgement, or the question
	from   int
	stop   chan<- int // where the result goes; nil: it is no question
}

// node is an actor.
type node struct {
	self     int
	inbox    <-chan message
	peers    []chan message // by number; its own one is among them
	weights  []int          // of the ways to the peers; 0: there is none
	distance int            // the shortest that it has heard of; 0: of none
	pred     int            // who told it
	open     int            // messages that have not been acknowledged
}

func (n *node) run(done chan<- int) {
	if n.self == 0 {
		n.tell()
	}
	for {
		m := <-n.inbox
		switch {
		case m.stop != nil:
			m.stop <- n.distance
			return
		case m.length == 0:
			n.acknowledged(done)
		case n.distance > 0 && m.length >= n.distance:
			n.peers[m.from] <- message{from: n.self}
		default:
			n.shorter(m)
		}
	}
}

// tell tells its neighbours, all but the first, how far they are at most.
func (n *node) tell() {
	for i := range n.peers {
		if n.weights[i] > 0 && i != 0 {
			n.peers[i] <- message{length: n.distance + n.weights[i], from: n.self}
			n.open++
		}
	}
}

// shorter takes over a shorter way.
func (n *node) shorter(m message) {
	if n.open > 0 {
		n.peers[n.pred] <- message{from: n.self}
	}
	n.distance, n.pred = m.length, m.from
	n.tell()
}

// acknowledged counts an acknowledgement.
func (n *node) acknowledged(done chan<- int) {
	n.open--
	switch {
	case n.open > 0:
	case n.self == 0:
		done <- 0
	default:
		n.peers[n.pred] <- message{from: n.self}
	}
}

// Distances returns how far the nodes are from the first one; weights are the lengths of the ways
// between each two, 0 where there is none.
func Distances(weights [][]int) []int {
	var inboxes []chan message
	for range weights {
		inboxes = append(inboxes, make(chan message, 32)) //rehearse:mailbox
	}
	done := make(chan int, 1) //rehearse:mailbox
	for i, w := range weights {
		n := &node{self: i, inbox: inboxes[i], peers: inboxes, weights: w}
		go n.run(done)
	}
	<-done
	var distances []int
	for _, inbox := range inboxes {
		result := make(chan int, 1) //rehearse:mailbox
		inbox <- message{stop: result}
		distance := <-result
		distances = append(distances, distance)
	}
	return distances
}
