// Package kinds sends messages that nobody takes, and has handlers that nobody calls.
package kinds

func use(...any) {}

type (
	start struct{}
	stop  struct{ reason string }
	pause struct{}
	spare struct{ n int }
)

type Server struct{ in chan any }

func New() *Server {
	s := &Server{make(chan any)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for m := range s.in {
		switch m := m.(type) {
		case start:
			use("start")
		case *spare: // want `no message of kind \*spare, declared at kinds.go:10, is ever sent: nobody calls this handler`
			use(m.n)
		case stop:
			return
		}
	}
}

func (s *Server) Start() { s.in <- start{} }
func (s *Server) Stop()  { s.in <- stop{"asked"} }
func (s *Server) Pause() {
	s.in <- pause{} // want `Server.Pause sends a pause here, for which the type switch of Server.loop, at kinds.go:23, has no case: it is dropped`
}

// From here on everything is fine.

type event interface{ isEvent() }

type (
	opened struct{}
	closed struct{ event }
	odd    struct{}
	Public struct{}
)

func (opened) isEvent() {}

type Fine struct{ in chan any }

func NewFine() *Fine {
	f := &Fine{make(chan any)}
	go f.loop()
	return f
}

func (f *Fine) loop() {
	for m := range f.in {
		switch m := m.(type) {
		case event:
			m.isEvent()
		case Public:
			use(m)
		}
	}
}

func (f *Fine) All() {
	f.in <- opened{}
	f.in <- closed{}
	f.in <- 1
}

// A default, and a message that is handed on.

type Rest struct{ in, out chan any }

func NewRest() *Rest {
	r := &Rest{make(chan any), make(chan any)}
	go func() {
		for m := range r.in {
			switch m.(type) {
			case start:
			default:
				use("other")
			}
		}
	}()
	go func() {
		for m := range r.out {
			switch m.(type) {
			case stop:
				return
			}
			use(m)
		}
	}()
	return r
}

func (r *Rest) Odd() {
	r.in <- odd{}
	r.out <- odd{}
}

// Two receivers, and anybody.

type Two struct {
	in  chan any
	Out chan any
}

func (t *Two) a() {
	switch (<-t.in).(type) {
	case start:
	}
}

func (t *Two) b() {
	switch (<-t.in).(type) {
	case odd:
	}
	switch (<-t.Out).(type) {
	case stop:
	}
}

func (t *Two) Put() {
	t.in <- odd{}
	t.Out <- odd{}
}

// A generic function makes the message.

type made struct{}

func put[T any](to chan any, m T) { to <- m }

func generic() {
	ch := make(chan any)
	go func() {
		for m := range ch {
			switch m.(type) {
			case made:
				use("made")
			}
		}
	}()
	put(ch, made{})
}
