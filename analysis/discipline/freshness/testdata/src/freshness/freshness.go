// Package freshness has handlers that take over a client's channel, and many that do not.
package freshness

func use(...any) {}

type request struct {
	n    int
	done chan struct{}
	out  chan int
}

type Server struct{ in chan request }

func New() *Server {
	s := &Server{make(chan request)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for r := range s.in {
		s.handle(r)
	}
}

func (s *Server) handle(r request) {
	use(r.n)
	close(r.done)   // want `Server.handle closes request.done here, which came in a message, and Server.Do, who sent it, closes it, too, at freshness.go:36: one of them panics`
	use(<-r.out, 1) // want `Server.handle receives here from request.out, which came in a message, and so does Server.Do, who sent it, at freshness.go:35: a message reaches only one of them`
}

func (s *Server) Do() {
	r := request{done: make(chan struct{}), out: make(chan int)}
	s.in <- r
	use(<-r.out)
	close(r.done)
}

// From here on everything is fine.

// The handler closes the channel as its answer.

type answer struct{ done chan struct{} }

type Answers struct{ in chan answer }

func NewAnswers() *Answers {
	s := &Answers{make(chan answer)}
	go func() {
		for a := range s.in {
			close(a.done)
		}
	}()
	return s
}

func (s *Answers) Do() {
	a := answer{make(chan struct{})}
	s.in <- a
	<-a.done
}

// A stream of data and an order to stop come in the message.

type job struct {
	data chan int
	stop chan struct{}
}

func streams() {
	jobs := make(chan job)
	go func() {
		for j := range jobs {
			select {
			case x := <-j.data:
				use(x)
			case <-j.stop:
			}
		}
	}()
	j := job{make(chan int), make(chan struct{})}
	jobs <- j
	j.data <- 1
	close(j.data)
	close(j.stop)
}

// A conversation.

func conversation() {
	calls := make(chan chan int)
	go func() {
		for c := range calls {
			x := <-c
			c <- x + 1
		}
	}()
	c := make(chan int)
	calls <- c
	c <- 1
	use(<-c)
}

// The dispatcher gets a worker's channel.

func dispatch(work chan int) {
	free := make(chan chan int)
	for range 3 {
		go func() {
			mine := make(chan int)
			for {
				free <- mine
				use(<-mine)
			}
		}()
	}
	for w := range work {
		c := <-free
		c <- w
	}
}
