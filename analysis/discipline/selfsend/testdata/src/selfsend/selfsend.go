// Package selfsend has actors that block on their own mailbox, and many that do not.
package selfsend

import "sync"

func use(...any) {}

type msg struct {
	again bool
	reply chan int
}

// The handler puts a message back into an unbuffered mailbox.

type Server struct{ in chan msg }

func New() *Server {
	s := &Server{in: make(chan msg)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for m := range s.in {
		s.handle(m)
	}
}

func (s *Server) handle(m msg) {
	if m.again {
		s.in <- m // want `Server.handle sends to its own mailbox Server.in, here, and only Server.loop itself receives from it, at selfsend.go:24: there is no buffer, so it waits for ever`
	}
}

func (s *Server) Put(m msg) { s.in <- m }

// The send is in a method for clients: the handler asks itself.

type Store struct {
	in   chan msg
	quit chan struct{}
}

func NewStore() *Store {
	s := &Store{in: make(chan msg), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *Store) Len() int {
	m := msg{reply: make(chan int)}
	s.in <- m
	return <-m.reply
}

func (s *Store) loop() {
	for {
		select {
		case m := <-s.in:
			m.reply <- 1
			s.log()
		case <-s.quit:
			return
		}
	}
}

func (s *Store) log() {
	use(s.Len()) // want `Store.log calls Store.Len, which sends to mailbox Store.in at selfsend.go:52; only Store.loop itself receives from it, at selfsend.go:59: there is no buffer`
}

// A buffer that clients fill.

type Queue struct{ in chan msg }

func (q *Queue) Put(m msg) { q.in <- m }

func NewQueue() *Queue {
	q := &Queue{in: make(chan msg, 16)}
	go func() {
		for m := range q.in {
			if m.again {
				q.in <- m // want `NewQueue.func1 sends to its own mailbox Queue.in, here.* when the buffer is full, it waits for ever`
			}
		}
	}()
	return q
}

// Local channels.

func local() {
	ch := make(chan int)
	go func() {
		for m := range ch {
			if m > 0 {
				ch <- m - 1 // want `local.func1 sends to its own mailbox ch, here`
			}
		}
	}()
	ch <- 3
}

func alone() int {
	ch := make(chan int)
	ch <- 1 // want `alone sends to ch, which has no buffer, here, and only alone itself receives from it, at selfsend.go:\d+: it waits for ever`
	return <-ch
}

func params() {
	ch := make(chan int)
	go again(ch)
	ch <- 1
}

func again(ch chan int) {
	for m := range ch {
		ch <- m // want `again sends to its own mailbox ch`
	}
}

// From here on everything is fine.

// Another goroutine sends.

type Async struct{ in chan msg }

func NewAsync() *Async {
	s := &Async{in: make(chan msg)}
	go s.loop()
	return s
}

func (s *Async) loop() {
	for m := range s.in {
		if m.again {
			go func() { s.in <- m }()
			go s.put(m)
		}
	}
}

func (s *Async) put(m msg) { s.in <- m }

// The send gives up, or waits for something else, too.

type Try struct {
	in   chan msg
	out  chan msg
	quit chan struct{}
}

func NewTry() *Try {
	s := &Try{in: make(chan msg), out: make(chan msg), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *Try) loop() {
	for m := range s.in {
		select {
		case s.in <- m:
		default:
		}
		select {
		case s.in <- m:
		case <-s.quit:
			return
		}
		s.out <- m // nobody receives here, but it is not the actor's own mailbox
	}
}

// A ring: each sends to the next.

type Node struct {
	in   chan int
	next *Node
}

func NewNode(next *Node) *Node {
	n := &Node{in: make(chan int), next: next}
	go n.loop()
	return n
}

func (n *Node) loop() {
	for m := range n.in {
		n.next.in <- m
	}
}

// Workers that share a channel: another one may receive.

type Worker struct{ jobs chan int }

func pool() {
	jobs := make(chan int)
	for range 3 {
		w := &Worker{jobs}
		go w.run()
	}
	newWorker(jobs)
	jobs <- 1
}

func newWorker(jobs chan int) {
	w := &Worker{jobs: jobs}
	go w.run2()
}

func (w *Worker) run() {
	for j := range w.jobs {
		w.jobs <- j
	}
}

func (w *Worker) run2() {
	for j := range w.jobs {
		w.jobs <- j
	}
}

func poolOfLiterals() {
	jobs := make(chan int)
	for range 3 {
		go func() {
			for j := range jobs {
				jobs <- j
			}
		}()
	}
}

// A token that only its holders put back; a buffer that only the actor fills.

func token() {
	sem := make(chan int, 1)
	sem <- 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			n := <-sem
			sem <- n + 1
		})
	}
	wg.Wait()
}

func backlog() {
	todo := make(chan int, 8)
	in := make(chan int)
	go func() {
		for {
			select {
			case m := <-in:
				todo <- m
			case m := <-todo:
				todo <- m - 1
			}
		}
	}()
	in <- 1
}

// Code that is not seen may hold the channel.

type Open struct{ C chan int }

func NewOpen() *Open {
	o := &Open{C: make(chan int)}
	go o.loop()
	return o
}

func (o *Open) loop() {
	for m := range o.C {
		o.C <- m
	}
}

type Given struct{ in chan int }

func NewGiven(in chan int) *Given {
	g := &Given{in}
	go g.loop()
	return g
}

func (g *Given) loop() {
	for m := range g.in {
		g.in <- m
	}
}

// A reply on the request's own channel.

type Echo struct{ in chan msg }

func NewEcho() *Echo {
	e := &Echo{make(chan msg)}
	go func() {
		for m := range e.in {
			m.reply <- 1
		}
	}()
	return e
}

// Two pumps that feed each other.

func pumps() {
	a, b := make(chan int), make(chan int)
	go func() {
		for m := range a {
			b <- m
		}
	}()
	go func() {
		for m := range b {
			a <- m
		}
	}()
	a <- 1
}

// The mailbox is emptied by somebody else, as well.

type Drained struct{ in chan int }

func NewDrained() *Drained {
	d := &Drained{make(chan int)}
	go d.loop()
	return d
}

func (d *Drained) loop() {
	for m := range d.in {
		d.in <- m
	}
}

func (d *Drained) Take() int { return <-d.in }

// The field gets a new channel.

type Again struct{ in chan int }

func NewAgain() {
	a := &Again{make(chan int)}
	go a.loop()
}

func (a *Again) loop() {
	for m := range a.in {
		old := a.in
		a.in = make(chan int, 1)
		a.in <- m
		close(old)
	}
}

// A constructor's first message, in a buffer.

func first() {
	ch := make(chan int, 1)
	ch <- 1
	use(<-ch)
	un := make(chan int)
	go func() { use(<-un) }()
	un <- 1
}

// The sender is handed to a callback that others run.

func callbacks(register func(func(int))) {
	ch := make(chan int)
	register(func(m int) { ch <- m })
	for m := range ch {
		use(m)
	}
}

// Handlers that call each other, all for the same actor.

type Parser struct{ in chan int }

func NewParser() *Parser {
	p := &Parser{in: make(chan int)}
	go p.loop()
	return p
}

func (p *Parser) loop() {
	for m := range p.in {
		p.expr(m)
	}
}

func (p *Parser) expr(n int) {
	p.term(n - 1)
	p.list(n - 2)
}

func (p *Parser) term(n int) {
	p.expr(n)
	p.list(n)
}

func (p *Parser) list(n int) {
	p.expr(n)
	p.term(n)
	p.in <- n // want `Parser.list sends to its own mailbox Parser.in`
}

func (p *Parser) Put(n int) { p.in <- n }

// A handler that calls itself for the next object of a chain: it sends to the mailboxes of others, too.

type Link struct {
	in   chan int
	next *Link
}

func NewLink(next *Link) *Link {
	l := &Link{in: make(chan int), next: next}
	go l.loop()
	return l
}

func (l *Link) loop() {
	for m := range l.in {
		if l.next != nil {
			l.next.pass(m)
		}
	}
}

func (l *Link) pass(m int) {
	if m > 0 && l.next != nil {
		l.next.pass(m - 1)
	}
	l.in <- m
}

// A buffer that clients fill by the method that the actor calls, too.

type Bounded struct{ in chan int }

func NewBounded() *Bounded {
	a := &Bounded{make(chan int, 3)}
	go a.loop()
	return a
}

func (a *Bounded) loop() {
	for m := range a.in {
		a.Put(m) // want `Bounded.loop calls Bounded.Put, which sends to mailbox Bounded.in at selfsend.go:\d+; only Bounded.loop itself receives from it, at selfsend.go:\d+: when the buffer is full, it waits for ever`
	}
}

func (a *Bounded) Put(m int) { a.in <- m }

// A token in a buffer, which a deferred function literal puts back.

type Token struct{ sema chan struct{} }

func NewToken() *Token {
	t := &Token{make(chan struct{}, 1)}
	t.sema <- struct{}{}
	return t
}

func (t *Token) Start(quit chan bool) {
	go func() {
		select {
		case <-quit:
			return
		case <-t.sema:
		}
		defer func() { t.sema <- struct{}{} }()
		use("work")
	}()
}

// A token that is taken and put back.

type Turn struct{ turn chan struct{} }

func NewTurn() *Turn {
	t := &Turn{make(chan struct{}, 1)}
	go t.loop()
	return t
}

func (t *Turn) loop() {
	for range t.turn {
		if !t.work() {
			t.turn <- struct{}{}
		}
	}
}

func (t *Turn) work() bool { return true }
func (t *Turn) Begin()     { t.turn <- struct{}{} }

// Rounds: the actor waits for all who send, takes what they have sent, and only then sends to itself.

type Rounds struct {
	in      chan int
	senders sync.WaitGroup
}

func NewRounds() *Rounds {
	r := &Rounds{in: make(chan int, 4)}
	go r.loop()
	return r
}

func (r *Rounds) Add(n int) {
	r.senders.Add(1)
	go func() {
		defer r.senders.Done()
		r.in <- n
	}()
}

func (r *Rounds) loop() {
	for n := range r.in {
		r.senders.Wait()
		for empty := false; !empty; {
			select {
			case m := <-r.in:
				n += m
			default:
				empty = true
			}
		}
		r.in <- n
	}
}

// Waiting alone takes nothing out of the buffer.

type Waiting struct {
	in      chan int
	senders sync.WaitGroup
}

func NewWaiting() *Waiting {
	w := &Waiting{in: make(chan int, 4)}
	go w.loop()
	return w
}

func (w *Waiting) Add(n int) {
	w.senders.Add(1)
	go func() {
		defer w.senders.Done()
		w.in <- n
	}()
}

func (w *Waiting) loop() {
	for n := range w.in {
		w.senders.Wait()
		w.in <- n // want `Waiting.loop sends to its own mailbox Waiting.in, here, and only Waiting.loop itself receives from it, at selfsend.go:\d+: when the buffer is full, it waits for ever`
	}
}
