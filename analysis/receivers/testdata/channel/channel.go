// Package channel has a goroutine with a channel that hands each message to one of several
// handlers, by an interface that they implement.
package channel

type Handler interface {
	Handle(m string)
	Close()
}

type upper struct{}

func (*upper) Handle(m string) { println("upper", m) }
func (*upper) Close()          {}

type lower struct{ n int }

func (l *lower) Handle(m string) { l.n += len(m) }
func (*lower) Close()            {}

type server struct {
	inbox    chan string
	handlers map[string]Handler
	rest     Handler
}

func Start() *server {
	s := &server{make(chan string), map[string]Handler{"a": &upper{}}, &lower{}}
	go s.loop()
	return s
}

func (s *server) loop() {
	defer s.rest.Close()
	for m := range s.inbox {
		h, ok := s.handlers[m[:1]]
		if !ok {
			h = s.rest
		}
		h.Handle(m)
	}
}

// WANT:
// framework channel.Handler server.loop
// receiver channel.Handler *channel.upper Handle
// receiver channel.Handler *channel.lower Handle
// ! receiver channel.Handler *channel.upper Close
