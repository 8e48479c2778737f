package bugs

import "sync"

// server answers requests until it is stopped.
type server struct {
	requests chan chan<- int
	stop     chan struct{}
}

func newServer() *server {
	return &server{requests: make(chan chan<- int), stop: make(chan struct{})}
}

func (s *server) loop() {
	for {
		select {
		case reply := <-s.requests:
			reply <- 42
		case <-s.stop:
			return
		}
	}
}

// ask forgets that the server may have stopped.
func (s *server) ask() (answer int, ok bool) {
	reply := make(chan int, 1)
	s.requests <- reply
	return <-reply, true
}

// askOrGiveUp does not.
func (s *server) askOrGiveUp() (answer int, ok bool) {
	reply := make(chan int, 1)
	select {
	case s.requests <- reply:
		return <-reply, true
	case <-s.stop:
		return 0, false
	}
}

// LostReply has a client ask a server that is being stopped.
func LostReply() {
	s := newServer()
	go s.loop()
	go s.ask()
	close(s.stop)
}

// LostReplyFixed has a client that gives up when the server is stopped.
func LostReplyFixed() {
	s := newServer()
	go s.loop()
	go s.askOrGiveUp()
	close(s.stop)
}

// LostSignal wakes a waiter, unless the waiter has not begun to wait.
func LostSignal() { signal(make(chan struct{})) }

// LostSignalFixed leaves the signal in the channel for the waiter.
func LostSignalFixed() { signal(make(chan struct{}, 1)) }

func signal(wake chan struct{}) {
	go func() { <-wake }()
	select {
	case wake <- struct{}{}:
	default:
	}
}

// feed is a channel that others may look up.
type feed struct {
	mu sync.Mutex
	ch chan int // nil before open
}

func (f *feed) open() chan int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ch = make(chan int)
	return f.ch
}

func (f *feed) channel() <-chan int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ch
}

// NilChannel has a listener that may look the channel up too early.
func NilChannel() {
	var f feed
	go func() { drain(f.channel()) }()
	close(f.open())
}

// NilChannelFixed opens the feed first.
func NilChannelFixed() {
	ch := make(chan int)
	go drain(ch)
	close(ch)
}

func drain(ch <-chan int) {
	for range ch {
	}
}
