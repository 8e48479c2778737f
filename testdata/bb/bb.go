// Package bb is the subject BB of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning
// Redundant State-Exploration in Testing" (FORTE 2014): producers, a consumer, and a bounded buffer between them, all of them
// actors. As in the paper's language, a call waits for its turn by being suspended: a put while the buffer is full, and a get
// while it is empty, is put off, and can be resumed at any time when that is no longer so, before or after other calls. Here the
// buffer sends it to itself, to a mailbox that it receives from only then. The paper does not print its source; this is a
// program of the same kind that gives the paper's numbers. It is for -model actor.
//
// # Counts
//
// In BB(n,p), p producers share n orders to put an item, and the consumer has min(n,3) to get one. The buffer has room for
// all, so that puts never wait. Under -model actor each producer takes his orders in any order, and so does the consumer. What the
// buffer takes is a word: its calls, in any order, each of which is a put, or a get, which is served if there is an item and
// suspended otherwise, and wherever there is an item any of the suspended gets may be resumed. With i items, P puts and G gets to come
// and S gets suspended there are
//
//	B(i, P, G, S) = P B(i+1, P-1, G, S) + G B(i-1, P, G-1, S) + S B(i-1, P, G, S-1)     if i > 0
//	B(0, P, G, S) = P B(1, P-1, G, S) + G B(0, P, G-1, S+1)
//	B(i, 0, 0, 0) = 1
//
// words: B(0, 3, 3, 0) = 4320, and B(0, 4, 3, 0) = 45792. For BB(3,1) there are 3! orders at the producer and 3! at the consumer
// before that, 155520 inequivalent executions in all; for BB(4,2) there are 2! * 2! * 3!, 1099008 in all. To pass on an order
// touches no state, so without those orders 4320 and 45792 are left. These four are the paper's numbers. The smaller ones are B(0, 1,
// 1, 0) = 2 for BB(1,1), and 2! * 2! * 48 = 192 for BB(2,1), of which 48 are left.
//
// Under -model go, and pairs, the calls of each client stay in order, and the suspended gets, too: 2, 10, 66 and 1032.
//
// The tests log who got which item: n! outcomes under -model actor for n < 4, and 4!/1! = 24 for BB(4,2); 1, 2, 5 and 12 under
// the others.
package bb

// The messages of the buffer.
type (
	put struct{ item int }
	get struct{ item chan<- int } // who is to have it
)

// buffer is the state of an actor.
type buffer struct {
	room  int
	items []int
	puts  chan put // calls that are suspended until there is room
	gets  chan get // until there is an item
}

// run handles calls until there are no more.
func (b *buffer) run(inbox <-chan any) {
	for {
		puts, gets := b.puts, b.gets
		if len(b.items) == b.room {
			puts = nil
		}
		if len(b.items) == 0 {
			gets = nil
		}
		select {
		case m, ok := <-inbox:
			if !ok {
				return
			}
			b.call(m)
		case p := <-puts:
			b.put(p)
		case g := <-gets:
			b.get(g)
		}
	}
}

func (b *buffer) call(msg any) {
	switch m := msg.(type) {
	case put:
		b.put(m)
	case get:
		b.get(m)
	}
}

func (b *buffer) put(p put) {
	if len(b.items) == b.room {
		b.puts <- p
		return
	}
	b.items = append(b.items, p.item)
}

func (b *buffer) get(g get) {
	if len(b.items) == 0 {
		b.gets <- g
		return
	}
	g.item <- b.items[0]
	b.items = b.items[1:]
}

// produce is an actor that puts what it is told to.
func produce(inbox <-chan int, buffer chan<- any, done chan<- bool) {
	for item := range inbox {
		buffer <- put{item}
	}
	done <- true
}

// consume is an actor that gets an item for everybody who asks it to.
func consume(inbox <-chan chan<- int, buffer chan<- any, done chan<- bool) {
	for item := range inbox {
		buffer <- get{item}
	}
	done <- true
}

// Run has n items put by some producers, and returns the first ones that a consumer has got.
func Run(n, producers int) []int { return run(n, producers, n) }

// run is Run with a buffer that has some room.
func run(n, producers, room int) (got []int) {
	wanted := min(n, 3)
	inbox := make(chan any, n+wanted) //rehearse:mailbox
	puts := make(chan put, n)         //rehearse:mailbox
	gets := make(chan get, wanted)    //rehearse:mailbox
	go (&buffer{room: room, puts: puts, gets: gets}).run(inbox)
	orders, done := make([]chan int, producers), make([]chan bool, producers)
	for i := range orders {
		orders[i] = make(chan int, n) //rehearse:mailbox
		done[i] = make(chan bool, 1)
		go produce(orders[i], inbox, done[i])
	}
	wishes := make(chan chan<- int, wanted) //rehearse:mailbox
	asked := make(chan bool, 1)
	go consume(wishes, inbox, asked)
	for item := range n {
		orders[item%producers] <- item
	}
	items := make([]chan int, wanted)
	for i := range items {
		items[i] = make(chan int, 1)
		wishes <- items[i]
	}
	close(wishes)
	<-asked
	for i := range orders {
		close(orders[i])
		<-done[i]
	}
	for _, item := range items {
		got = append(got, <-item)
	}
	close(inbox)
	return got
}
