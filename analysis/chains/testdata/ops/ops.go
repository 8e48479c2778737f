// Package ops has an actor whose kinds of messages are constants, and goroutines that send it some.
package ops

type op int

const (
	get op = iota
	put
	del
)

type msg struct {
	op  op
	key string
}

type server struct {
	in   chan msg
	data map[string]bool
}

func (s *server) loop() {
	for m := range s.in {
		switch m.op {
		case get:
			_ = s.data[m.key]
		case put:
			s.data[m.key] = true
		case del:
			delete(s.data, m.key)
		}
	}
}

func (s *server) send(o op) { s.in <- msg{op: o} }

func putter(s *server) { s.in <- msg{op: put, key: "x"} }

func zero(s *server) { s.in <- msg{key: "x"} }

func fields(s *server) {
	var m msg
	m.op = del
	s.in <- m
}

func either(s *server, yes bool) {
	m := msg{op: put}
	if yes {
		m.op = del
	}
	s.in <- m
}

func change(m *msg) { m.op = del }

func changed(s *server) {
	m := msg{op: put}
	change(&m)
	s.in <- m
}

func any(s *server, o op) { s.send(o) }

func Start(o op, yes bool) {
	s := &server{in: make(chan msg), data: map[string]bool{}}
	go s.loop()
	go putter(s)
	go zero(s)
	go fields(s)
	go either(s, yes)
	go changed(s)
	go any(s, o)
}

// WANT:
// putter -> server.loop::server.in::put
// ! putter -> server.loop::server.in::get
// ! putter -> server.loop::server.in::del
// zero -> server.loop::server.in::get
// ! zero -> server.loop::server.in::put
// fields -> server.loop::server.in::del
// ! fields -> server.loop::server.in::put
// either -> server.loop::server.in::put
// either -> server.loop::server.in::del
// changed -> server.loop::server.in::put
// changed -> server.loop::server.in::del
// any -> server.loop::server.in::get
// any -> server.loop::server.in::put
// any -> server.loop::server.in::del
