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
