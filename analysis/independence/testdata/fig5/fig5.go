// Package fig5 has the program of Fig. 5 of the paper: Fibonacci numbers, an actor for each call.
package fig5

type message interface{ isMessage() }

type (
	fib struct{ v int }
	res struct{ v int }
)

func (fib) isMessage() {}
func (res) isMessage() {}

type Fib struct {
	inbox  chan message
	parent *Fib
	n, r   int
}

func New(parent *Fib) *Fib {
	f := &Fib{inbox: make(chan message, 3), parent: parent}
	go f.loop()
	return f
}

func (f *Fib) loop() {
	for msg := range f.inbox {
		switch msg := msg.(type) {
		case fib:
			f.fib(msg.v)
		case res:
			f.res(msg.v)
		}
	}
}

func (f *Fib) fib(v int) {
	if v <= 1 {
		f.parent.inbox <- res{v}
		return
	}
	child1 := New(f)
	child1.inbox <- fib{v - 1}
	child2 := New(f)
	child2.inbox <- fib{v - 2}
}

func (f *Fib) res(v int) {
	if f.n == 0 {
		f.n++
		f.r = v
		return
	}
	f.r = f.r + v
	if f.parent != nil {
		f.parent.inbox <- res{f.r}
	}
}

func Main() {
	a1 := &Fib{inbox: make(chan message, 3)}
	go a1.loop()
	a1.inbox <- fib{3}
}
