// Package regions shows which code belongs to which task: from the receive up to the next one, without what runs for
// other kinds only. The functions a to z mark the places.
package regions

type message struct {
	op   int
	next *message
}

const (
	first = iota
	second
	third
)

type Server struct {
	in   chan message
	raw  chan any
	out  chan int
	quit chan struct{}
}

func Start() *Server {
	s := &Server{in: make(chan message), raw: make(chan any), out: make(chan int), quit: make(chan struct{})}
	go s.run()
	return s
}

func (s *Server) run() {
	a()
	for {
		b()
		select {
		case m := <-s.in:
			c()
			s.dispatch(m)
			d()
		case s.out <- 1:
			e()
		case x, ok := <-s.raw:
			if !ok {
				f()
				return
			}
			s.byType(x)
		case <-s.quit:
		}
		g()
	}
}

func (s *Server) dispatch(m message) {
	switch m.op {
	case first:
		h()
		fallthrough
	case second:
		i()
	default:
		j()
	}
	k()
	s.again(m)
}

func (s *Server) again(m message) {
	if m.next != nil {
		s.dispatch(*m.next) // may be of any kind
	}
}

func (s *Server) byType(x any) {
	switch x := x.(type) {
	case int, string:
		l()
	case error:
		_ = x.Error()
		n()
	}
}

// A step of its own receives; what comes after it in the loop belongs to the task.

type Stepper struct{ in chan int }

func (s *Stepper) loop() {
	a()
	for {
		b()
		s.step()
		c()
	}
}

func (s *Stepper) step() {
	d()
	<-s.in
	e()
}

func StartStepper() { go (&Stepper{make(chan int)}).loop() }

// What comes after a range loop runs when the mailbox is closed.

func Drain(in chan int) {
	go func() {
		for range in {
			a()
		}
		b()
	}()
}

// Two switches: the message stays what it is in the first actor; in the second it may change in between.

func Twice(in chan message) {
	go func() {
		for m := range in {
			switch m.op {
			case first:
				a()
			case second:
				b()
			}
			switch m.op {
			case first:
				c()
			default:
				d()
			}
		}
	}()
}

func Changing(in chan *message) {
	go func() {
		for m := range in {
			switch m.op {
			case first:
				a()
			case second:
				b()
			}
			switch m.op {
			case first:
				c()
			default:
				d()
			}
		}
	}()
}

func (m *message) set(op int) { m.op = op }

func Setting(in chan message) {
	go func() {
		for m := range in {
			switch m.op {
			case first:
				a()
				m.set(second)
			}
			switch m.op {
			case first:
				b()
			case second:
				c()
			}
		}
	}()
}

// Functions as messages.

func Funcs() {
	in := make(chan func())
	go func() {
		for f := range in {
			a()
			f()
			b()
		}
	}()
	in <- func() { c() }
	in <- func() { d() }
}

func a() {}
func b() {}
func c() {}
func d() {}
func e() {}
func f() {}
func g() {}
func h() {}
func i() {}
func j() {}
func k() {}
func l() {}
func n() {}

// WANT:
// start Server.run a b e g
// task Server.run Server.in::first b c d e g h i k again
// task Server.run Server.in::second b c d e g i k again
// task Server.run Server.in::default b c d e g j k again
// task Server.run Server.raw::int b e g l
// task Server.run Server.raw::error b e g n
// closed Server.run Server.raw::int f
// task Server.run Server.quit b e g
// start Stepper.loop a b d
// task Stepper.loop Stepper.in b c d e
// task Drain.func1 in a
// closed Drain.func1 in b
// task Twice.func1 in::first a c
// task Twice.func1 in::second b d
// task Changing.func1 in::first a b c d
// task Funcs.func1 in::Funcs.func2 a b c
// task Funcs.func1 in::Funcs.func3 a b d
// task Setting.func1 in::first a b c set
// task Setting.func1 in::second a b c set
