// Package dht is the subject DHT of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing" (FORTE 2014): a distributed hash table. Its nodes are actors with a store each,
// which put and get use; find tells who has a key, and goes from node to node, reading only their addresses. The paper
// does not print its source; this is a program of the same kind, with requests that give the paper's numbers. It is for
// -model actor.
//
// # Counts
//
// There are three nodes, a client for each request, and all requests may be under way at once.
//
//   - DHT(a): a node has 2 puts and a get, another one the same; the third one is asked by 2 clients for one key of each of
//     these, and passes both on. 4! * 4! * 2! = 1152 inequivalent executions under -model actor. As many under -model go and
//     pairs, for nobody has two messages in one mailbox.
//   - DHT(b): a node has 2 puts and a get, another one 2 puts; the third one is asked by 2 clients for a key of the first, and
//     passes both on: 5! * 2! * 2! = 480. Under -model go, and pairs, the first node gets what is passed on in the order in
//     which it was: 5!/2 * 2! * 2! = 240.
//
// find touches nothing that put and get touch: without its places 3! * 3! = 36 are left of (a), and 3! * 2! = 12 of (b), the
// paper's numbers with its task selection. Answers go to channels of Go, which keep the order: that those of two requests
// are two is a condition on the messages, without which (-independence disjoint) 72 and 48 are left. The tests log what get has found and what is stored in the end, by which
// all of these differ: 36 and 12 outcomes.
package dht

// The messages of a node.
type (
	put struct{ key, value int }
	get struct {
		key   int
		value chan<- int
	}
	find struct {
		key   int
		owner chan<- int
	}
)

// node is the state of an actor.
type node struct {
	id    int
	nodes []chan any  // the addresses of all
	store map[int]int // the keys k with owner(k) == id
}

// owner is the node that has the key.
func (n *node) owner(key int) int { return key % len(n.nodes) }

// run is a node: it handles messages until there are no more, and tells what is stored.
func run(id int, inbox <-chan any, nodes []chan any, end chan<- map[int]int) {
	n := node{id: id, nodes: append([]chan any(nil), nodes...), store: map[int]int{}}
	for msg := range inbox {
		switch m := msg.(type) {
		case put:
			n.store[m.key] = m.value
		case get:
			m.value <- n.store[m.key]
		case find:
			n.find(m)
		}
	}
	end <- n.store
}

// find answers, or passes the question on.
func (n *node) find(m find) {
	if owner := n.owner(m.key); owner != n.id {
		n.nodes[owner] <- m
		return
	}
	m.owner <- n.id
}

// table is the nodes, and where they tell what they have stored.
type table struct {
	nodes []chan any
	ends  []chan map[int]int
}

func start(n int) *table {
	t := &table{nodes: make([]chan any, n), ends: make([]chan map[int]int, n)}
	for i := range t.nodes {
		t.nodes[i] = make(chan any, 5) //rehearse:mailbox
		t.ends[i] = make(chan map[int]int, 1)
	}
	for i := range t.nodes {
		go run(i, t.nodes[i], t.nodes, t.ends[i])
	}
	return t
}

// stop returns what is stored. Nobody may use the table any more.
func (t *table) stop() []map[int]int {
	var all []map[int]int
	for i := range t.nodes {
		close(t.nodes[i])
		all = append(all, <-t.ends[i])
	}
	return all
}

// request is what a client wants; its answer, if there is one, is a number.
type request func(node chan<- any) (answer int)

func putting(key, value int) request {
	return func(node chan<- any) int {
		node <- put{key, value}
		return 0
	}
}

func getting(key int) request {
	return func(node chan<- any) int {
		answer := make(chan int, 1)
		node <- get{key, answer}
		return <-answer
	}
}

func finding(key int) request {
	return func(node chan<- any) int {
		answer := make(chan int, 1)
		node <- find{key, answer}
		return <-answer
	}
}

// order says which node gets a request first.
type order struct {
	node int
	request
}

// serve runs a client for each request, and returns the answers in the order of the requests, and what is stored.
func serve(nodes int, orders ...order) (answers []int, stored []map[int]int) {
	t := start(nodes)
	results := make([]chan int, len(orders))
	for i, o := range orders {
		results[i] = make(chan int, 1)
		go client(o.request, t.nodes[o.node], results[i])
	}
	for _, r := range results {
		answers = append(answers, <-r)
	}
	return answers, t.stop()
}

func client(r request, node chan<- any, result chan<- int) { result <- r(node) }

// A is DHT(a).
func A() (answers []int, stored []map[int]int) {
	return serve(3, order{0, putting(3, 1)}, order{0, putting(3, 2)}, order{0, getting(3)},
		order{1, putting(4, 1)}, order{1, putting(4, 2)}, order{1, getting(4)},
		order{2, finding(3)}, order{2, finding(4)})
}

// B is DHT(b).
func B() (answers []int, stored []map[int]int) {
	return serve(3, order{0, putting(3, 1)}, order{0, putting(3, 2)}, order{0, getting(3)},
		order{1, putting(4, 1)}, order{1, putting(4, 2)},
		order{2, finding(3)}, order{2, finding(3)})
}

// Small is one node of both: a put, and a question that another node passes on.
func Small() (answers []int, stored []map[int]int) {
	return serve(2, order{0, putting(2, 1)}, order{1, finding(2)})
}
