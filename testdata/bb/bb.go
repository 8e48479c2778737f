// Package bb is the subject BB of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning
// Redundant State-Exploration in Testing" (FORTE 2014): producers and a consumer with a bounded buffer between them. The
// buffer is an actor; a put waits while it is full, and a get while it is empty. An item that has got in is shown to an
// inspector, who tells its producer whether it is small enough. The paper does not print its source; this is a program of the
// same kind, and its numbers are its own: compare the reduction factors. It is for -model actor.
//
// # Counts
//
// Each of n producers puts one item. The consumer gets n, one after the other, so the next get comes when the one before
// was answered, for which as many puts must have come: in every prefix of what the buffer takes, gets <= puts + 1. How much
// room there is makes no difference to that. As derived in package bbuf, these words are n! * Catalan(n+1): 84 for n = 3, and
// 1008 for n = 4. The inspector takes n items; under -model actor in any order, n! times as many: 84 * 6 = 504 inequivalent
// executions for BB(3,1), and 1008 * 24 = 24192 for BB(4,2). Under -model go, and pairs, in the order in which the buffer has shown
// them: 84 and 1008.
//
// The inspector only reads, so that without his orders 84 and 1008 are left. The factors are 6 and 24; the paper's are 36
// (155520 to 4320) and 24 (1099008 to 45792).
//
// The tests log the items as they were got, which is the order of the puts: n! outcomes.
package bb

// The messages of the buffer, and of the inspector.
type (
	put struct {
		item  int
		small chan<- bool // told when the item was inspected
	}
	get struct{ item chan<- int }
)

// buffer is the state of an actor.
type buffer struct {
	room  int
	items []int
	puts  []put // those that wait
	gets  []get
	shown chan<- put // to the inspector
}

// run handles requests until there are no more.
func (b *buffer) run(inbox <-chan any) {
	for msg := range inbox {
		switch m := msg.(type) {
		case put:
			b.puts = append(b.puts, m)
		case get:
			b.gets = append(b.gets, m)
		}
		for b.store() || b.deliver() {
		}
	}
	close(b.shown)
}

// store lets the next item in, if there is one, and room.
func (b *buffer) store() bool {
	if len(b.items) == b.room || len(b.puts) == 0 {
		return false
	}
	b.items = append(b.items, b.puts[0].item)
	b.shown <- b.puts[0]
	b.puts = b.puts[1:]
	return true
}

// deliver gives the next item away, if there is one, and somebody waits.
func (b *buffer) deliver() bool {
	if len(b.items) == 0 || len(b.gets) == 0 {
		return false
	}
	b.gets[0].item <- b.items[0]
	b.gets, b.items = b.gets[1:], b.items[1:]
	return true
}

// inspector looks at items.
type inspector struct{ limit int }

func (i *inspector) run(inbox <-chan put) {
	for p := range inbox {
		p.small <- p.item <= i.limit
	}
}

func produce(item int, buffer chan<- any, done chan<- bool) {
	small := make(chan bool, 1)
	buffer <- put{item, small}
	done <- <-small
}

func consume(buffer chan<- any) int {
	item := make(chan int, 1)
	buffer <- get{item}
	return <-item
}

// Run returns the items of n producers, as they come out of a buffer with some room.
func Run(n, room int) []int {
	inbox := make(chan any, 2*n) //rehearse:mailbox
	shown := make(chan put, n)   //rehearse:mailbox
	go (&buffer{room: room, shown: shown}).run(inbox)
	go (&inspector{limit: n}).run(shown)
	done := make([]chan bool, n)
	for i := range done {
		done[i] = make(chan bool, 1)
		go produce(i, inbox, done[i])
	}
	got := make([]int, n)
	for i := range got {
		got[i] = consume(inbox)
	}
	for i := range done {
		<-done[i]
	}
	close(inbox)
	return got
}
