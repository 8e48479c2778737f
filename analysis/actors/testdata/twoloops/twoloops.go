// Package twoloops is patterns P16 and P17: a second loop after the first, a loop made with goto, and a driver that
// calls one loop per mode. The same mailbox in two loops is one mailbox.
package twoloops

type Server struct {
	add  chan int
	del  chan int
	quit chan struct{}
}

func Start() *Server {
	s := &Server{make(chan int), make(chan int), make(chan struct{})}
	go s.run()
	return s
}

func (s *Server) run() {
	n := 0
running:
	for {
		select {
		case <-s.quit:
			break running
		case i := <-s.add:
			n += i
		}
	}
	for n > 0 {
		i := <-s.del
		n -= i
	}
}

func Coalesce(in <-chan int, out chan<- int) {
	go func() {
		last := 0
	INGEST:
		select {
		case n, ok := <-in:
			if !ok {
				return
			}
			last += n
			goto INGEST
		}
	}()
}

type Modal struct {
	in   chan int
	mode func() bool
}

func (m *Modal) drive() {
	for m.mode() {
	}
}

func (m *Modal) Run() {
	for {
		if m.mode() {
			m.idle()
		} else {
			m.busy()
		}
	}
}

func (m *Modal) idle()   { m.add(<-m.in) }
func (m *Modal) busy()   { m.add(<-m.in) }
func (m *Modal) add(int) {}

func StartModal() {
	m := &Modal{in: make(chan int)}
	go m.Run()
}

// The papers' actors process n messages and end.

func Registry(n int, in chan any, end chan<- int) {
	go func() {
		total := 0
		for i := 0; i < n; i++ {
			switch m := (<-in).(type) {
			case int:
				total += m
			case string:
				total = 0
			}
		}
		end <- total
	}()
}

// WANT:
// actor Registry.func1 receive
// handler Registry.func1 in::int type
// handler Registry.func1 in::string type
// actor Server.run select
// mailbox Server.run Server.quit control struct{} 0
// mailbox Server.run Server.add data int 0
// mailbox Server.run Server.del data int 0
// state Server.run n local rw
// actor Coalesce.func1 select
// mailbox Coalesce.func1 in data int unknown
// actor Modal.Run receive
// mailbox Modal.Run Modal.in data int 0
// ! mailbox Modal.Run Modal.in#2
