// Package boxes has every way in which a make can be one of a mailbox, and makes that are not. The word BOX, and the reason,
// stand at the ends of the lines that have a make of a mailbox, and of no others.
package boxes

type server struct {
	requests chan int
	quit     chan bool
	events   chan string //rehearse:mailbox
	// the next line is marked

	//rehearse:mailbox for the network
	network chan string
	plain   chan string
}

func (s *server) run() {
	for {
		select {
		case n := <-s.requests:
			s.events <- string(rune(n))
		case <-s.quit:
			return
		}
	}
}

func start() *server {
	s := &server{
		requests: make(chan int),    // BOX mailbox of server.run
		quit:     make(chan bool),   // an order to stop is no message
		events:   make(chan string), // BOX marked
		plain:    make(chan string), //
	}
	s.network = make(chan string, 3) // BOX marked
	go s.run()
	return s
}

var global chan int //rehearse:mailbox

var both, none = make(chan int), func() chan bool { return nil }() //rehearse:mailbox BOX marked

func fill() {
	global = (make(chan int)) // BOX marked
	local := make(chan int)
	//rehearse:mailbox
	next := make(chan int, 1)             // BOX marked
	var typed chan<- int = make(chan int) //rehearse:mailbox BOX marked
	global, local = next, make(chan int)
	_, _, _ = local, next, typed
	//rehearse:mailboxes is another word
	_ = make(chan int)
	_ = make([]chan int, 2)
}

type pair[T any] struct {
	left chan T //rehearse:mailbox
}

func of[T any]() pair[T] { return pair[T]{left: make(chan T)} } // BOX marked

func ints() (p pair[int]) {
	p.left = make(chan int) // BOX marked
	return p
}
