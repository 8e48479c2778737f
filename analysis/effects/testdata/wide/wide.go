// Package wide has an actor whose one task writes many fields of its state, and whose other ones write one.
package wide

type (
	all   struct{ v int }
	one   struct{}
	other struct{}
)

type state struct {
	f1  int
	f2  int
	f3  int
	f4  int
	f5  int
	f6  int
	f7  int
	f8  int
	f9  int
	f10 int
	f11 int
	f12 int
	f13 int
	f14 int
	f15 int
	f16 int
	f17 int
	f18 int
	f19 int
	f20 int
	f21 int
	f22 int
	f23 int
	f24 int
	f25 int
	f26 int
}

type server struct {
	in   chan any
	s    state
	free int
}

func (s *server) loop() {
	for msg := range s.in {
		switch m := msg.(type) {
		case all:
			s.s.f1 = m.v
			s.s.f2 = m.v
			s.s.f3 = m.v
			s.s.f4 = m.v
			s.s.f5 = m.v
			s.s.f6 = m.v
			s.s.f7 = m.v
			s.s.f8 = m.v
			s.s.f9 = m.v
			s.s.f10 = m.v
			s.s.f11 = m.v
			s.s.f12 = m.v
			s.s.f13 = m.v
			s.s.f14 = m.v
			s.s.f15 = m.v
			s.s.f16 = m.v
			s.s.f17 = m.v
			s.s.f18 = m.v
			s.s.f19 = m.v
			s.s.f20 = m.v
			s.s.f21 = m.v
			s.s.f22 = m.v
			s.s.f23 = m.v
			s.s.f24 = m.v
			s.s.f25 = m.v
		case one:
			s.s.f26 = 1
		case other:
			s.free = 2
		}
	}
}

func Start() chan any {
	s := &server{in: make(chan any)}
	go s.loop()
	return s.in
}

// WANT:
// all: write state.* pointed
// ! all: write state.f
// one: write state.f26 = 1 field
// ! one: write state.*
// pair all all: dependent
// pair all one: dependent
// pair all other: independent
// pair one other: independent
