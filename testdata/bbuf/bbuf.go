// Package bbuf is a bounded buffer as an actor: it has room for one item, and puts off a put while it is full and a get
// while it is empty. P producers put one item each; the main program gets P items, one after the other.
//
// # Counts
//
// All requests go to one mailbox with room for all of them, so the order of the requests there is the execution. The
// puts come in any order. A get is sent when the one before was answered, and it was answered only if there had been
// as many puts: in every prefix, gets <= puts + 1. The words of P puts and P gets with that property are, by
// reflection, C(2P, P) - C(2P, P+2) = Catalan(P+1); times P! for who puts first. P = 2: 5*2 = 10; P = 3: 14*6 = 84;
// P = 4: 42*24 = 1008. The tests log the items in the order of the gets, which is the order of the puts: P! outcomes.
package bbuf

type put struct {
	item int
	done chan<- struct{} // told when the item is in the buffer
}

type get struct {
	reply chan<- int
}

// buffer is the state of the actor.
type buffer struct {
	full bool
	item int
	puts []put // put off: the buffer is full
	gets []get // put off: the buffer is empty
}

// loop handles n requests.
func (b *buffer) loop(inbox <-chan any, n int) {
	for range n {
		switch m := (<-inbox).(type) {
		case put:
			b.puts = append(b.puts, m)
		case get:
			b.gets = append(b.gets, m)
		}
		b.serve()
	}
}

// serve serves what can be served now.
func (b *buffer) serve() {
	for {
		switch {
		case !b.full && len(b.puts) > 0:
			b.full, b.item = true, b.puts[0].item
			b.puts[0].done <- struct{}{}
			b.puts = b.puts[1:]
		case b.full && len(b.gets) > 0:
			b.full = false
			b.gets[0].reply <- b.item
			b.gets = b.gets[1:]
		default:
			return
		}
	}
}

// Run returns the items of p producers, 0..p-1, in the order in which the main program got them.
func Run(p int) []int {
	inbox := make(chan any, 2*p)
	go new(buffer).loop(inbox, 2*p)
	for i := range p {
		go produce(i, inbox)
	}
	got := make([]int, p)
	for i := range got {
		got[i] = consume(inbox)
	}
	return got
}

func produce(item int, inbox chan<- any) {
	done := make(chan struct{}, 1)
	inbox <- put{item, done}
	<-done
}

func consume(inbox chan<- any) int {
	reply := make(chan int, 1)
	inbox <- get{reply}
	return <-reply
}
