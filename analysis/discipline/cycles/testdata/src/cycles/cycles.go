// Package cycles has actors that wait for each other's answers, and many that do not.
package cycles

func use(...any) {}

type ask struct{ reply chan int }

type Accounts struct {
	in    chan ask
	audit *Audit
}

type Audit struct {
	in       chan ask
	accounts *Accounts
}

func New() (*Accounts, *Audit) {
	a, u := &Accounts{in: make(chan ask)}, &Audit{in: make(chan ask)}
	a.audit, u.accounts = u, a
	go a.loop()
	go u.loop()
	return a, u
}

func (a *Accounts) Balance() int {
	m := ask{make(chan int)}
	a.in <- m // want `Audit.loop asks Accounts.loop here, and waits for the answer at cycles.go:29, while Accounts.loop may ask Audit.loop at cycles.go:40, and wait for the answer at cycles.go:41: a deadlock`
	return <-m.reply
}

func (a *Accounts) loop() {
	for m := range a.in {
		m.reply <- a.audit.Check()
	}
}

func (u *Audit) Check() int {
	m := ask{make(chan int)}
	u.in <- m
	return <-m.reply
}

func (u *Audit) loop() {
	for m := range u.in {
		m.reply <- u.accounts.Balance()
	}
}

// From here on everything is fine.

// One asks, the other only answers.

type Front struct {
	in   chan ask
	back *Back
}

type Back struct{ in chan ask }

func NewFront() *Front {
	f := &Front{make(chan ask), &Back{make(chan ask)}}
	go f.loop()
	go f.back.loop()
	return f
}

func (f *Front) loop() {
	for m := range f.in {
		m.reply <- f.back.Ask()
	}
}

func (b *Back) Ask() int {
	m := ask{make(chan int)}
	b.in <- m
	return <-m.reply
}

func (b *Back) loop() {
	for m := range b.in {
		m.reply <- 1
	}
}

// They ask without waiting.

type Left struct {
	in      chan ask
	answers chan int
	right   *Right
}

type Right struct {
	in   chan ask
	left *Left
}

func NewLeft() *Left {
	l, r := &Left{in: make(chan ask), answers: make(chan int)}, &Right{in: make(chan ask)}
	l.right, r.left = r, l
	go l.loop()
	go r.loop()
	return l
}

func (l *Left) loop() {
	for {
		select {
		case m := <-l.in:
			m.reply <- 1
			l.right.in <- ask{l.answers}
		case n := <-l.answers:
			use(n)
		}
	}
}

func (r *Right) loop() {
	for m := range r.in {
		reply := make(chan int)
		r.left.in <- ask{reply}
		m.reply <- <-reply
	}
}
