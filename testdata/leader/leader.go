// Package leader is the subject Leader Election of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis,
// University of Illinois at Urbana-Champaign, 2009), section 7.2: the algorithm of G. L. Peterson, "An O(n log n)
// Unidirectional Algorithm for the Circular Extrema Problem" (TOPLAS 4(4), 1982), for a ring of actors. The thesis does not
// print its program. It is for -model actor, and right under all models.
//
// The algorithm is for links that keep the order of messages. Here messages say which round they are of, and a node puts
// aside what comes too early.
//
// # Counts
//
// Under Go's own delivery every link has one sender, so that only the order of the n reports is open: n!.
//
// Under actor nobody has derived the counts; dpor and transdpor with sleep sets, and optimal, agree on 174 of three nodes and on
// 140544 of four.
package leader

// kind is what a message is about.
type kind int

const (
	first   kind = iota // an identity that an active node goes by
	second              // the larger one of two neighbours'
	elected             // the identity of the leader
)

type message struct {
	kind  kind
	round int
	id    int
}

// node is one place in the ring.
type node struct {
	id    int
	inbox <-chan message
	next  chan<- message
	early []message // what came before it was asked for
}

// receive waits for the message of a kind and a round.
func (n *node) receive(k kind, round int) int {
	for i, m := range n.early {
		if m.kind == k && m.round == round {
			n.early = append(n.early[:i:i], n.early[i+1:]...)
			return m.id
		}
	}
	for {
		m := <-n.inbox
		if m.kind == k && m.round == round {
			return m.id
		}
		n.early = append(n.early, m)
	}
}

// run takes part until the leader is known, and reports it.
func (n *node) run(result chan<- int) {
	for round := 0; ; round++ {
		n.next <- message{first, round, n.id}
		one := n.receive(first, round)
		if one == n.id {
			n.next <- message{elected, 0, n.id}
			result <- n.receive(elected, 0)
			return
		}
		n.next <- message{second, round, max(one, n.id)}
		two := n.receive(second, round)
		if one < max(n.id, two) {
			n.relay(result)
			return
		}
		n.id = one
	}
}

// relay passes on what comes, until the leader is known.
func (n *node) relay(result chan<- int) {
	for _, m := range n.early {
		n.next <- m
	}
	n.early = nil
	for {
		m := <-n.inbox
		n.next <- m
		if m.kind == elected {
			result <- m.id
			return
		}
	}
}

// Elect lets nodes with these identities elect a leader, and returns whom each has elected.
func Elect(ids []int) []int {
	var inboxes []chan message
	for range ids {
		inboxes = append(inboxes, make(chan message, 8)) //rehearse:mailbox
	}
	result := make(chan int, len(ids)) //rehearse:mailbox
	for i, id := range ids {
		n := &node{id: id, inbox: inboxes[i], next: inboxes[(i+1)%len(ids)]}
		go n.run(result)
	}
	var leaders []int
	for range ids {
		leader := <-result
		leaders = append(leaders, leader)
	}
	return leaders
}
