// Package noreply has handlers that leave a client waiting on some path, and many that do not.
package noreply

import (
	"context"
	"errors"
	"log"
)

func use(...any) {}

// The key is not there.

type lookup struct {
	key   string
	reply chan int
}

type Table struct {
	in    chan lookup
	quit  chan struct{}
	table map[string]int
}

func New() *Table {
	t := &Table{in: make(chan lookup), quit: make(chan struct{})}
	go t.loop()
	return t
}

func (t *Table) Get(key string) int {
	reply := make(chan int)
	t.in <- lookup{key, reply}
	return <-reply
}

func (t *Table) loop() {
	for {
		select {
		case req := <-t.in: // want `Table.loop takes a request here and on some path does not answer on reply, for which Table.Get waits at noreply.go:34`
			v, ok := t.table[req.key]
			if !ok {
				continue
			}
			req.reply <- v
		case <-t.quit:
			return
		}
	}
}

// The actor gives up in the middle of a request.

type ask struct {
	n   int
	res chan error
}

type Giving struct{ in chan *ask }

func NewGiving() *Giving {
	g := &Giving{make(chan *ask)}
	go g.loop()
	return g
}

func (g *Giving) Ask(n int) error {
	a := &ask{n: n, res: make(chan error, 1)}
	g.in <- a
	return <-a.res
}

func (g *Giving) loop() {
	for a := range g.in { // want `Giving.loop takes a request here and on some path \(it ends at noreply.go:77\) does not answer on res`
		if a.n < 0 {
			log.Print("bad")
			return
		}
		a.res <- nil
	}
}

// The handler is a method, and one of its paths ends early.

type save struct {
	text string
	done chan struct{}
}

type Saver struct{ in chan save }

func NewSaver() *Saver {
	s := &Saver{make(chan save)}
	go s.loop()
	return s
}

func (s *Saver) Save(text string) {
	m := save{text, make(chan struct{})}
	s.in <- m
	<-m.done
}

func (s *Saver) loop() {
	for m := range s.in { // want `Saver.loop takes a request here and on some path does not answer on done`
		s.save(m)
	}
}

func (s *Saver) save(m save) {
	if m.text == "" {
		return
	}
	use(m.text)
	close(m.done)
}

// Messages of several types.

type (
	get struct{ out chan int }
	set struct{ v int }
)

type Cell struct{ in chan any }

func NewCell() *Cell {
	c := &Cell{make(chan any)}
	go c.loop()
	return c
}

func (c *Cell) Get() int {
	g := get{make(chan int)}
	c.in <- g
	return <-g.out
}

func (c *Cell) Set(v int) { c.in <- set{v} }

func (c *Cell) loop() {
	v, ready := 0, false
	for m := range c.in { // want `Cell.loop takes a request here and on some path does not answer on out`
		switch m := m.(type) {
		case get:
			if ready {
				m.out <- v
			}
		case set:
			v, ready = m.v, true
		}
	}
}

// A request that is the channel for its answer.

type Status struct {
	query   chan chan int
	oneway  chan chan<- int
	n       int
	running bool
}

func NewStatus() *Status {
	s := &Status{query: make(chan chan int), oneway: make(chan chan<- int)}
	go s.loop()
	return s
}

func (s *Status) Get() int {
	c := make(chan int)
	s.query <- c
	return <-c
}

func (s *Status) Send() int {
	c := make(chan int, 1)
	s.oneway <- c
	return <-c
}

func (s *Status) loop() {
	for {
		select {
		case c := <-s.query: // want `Status.loop takes a request here and on some path does not answer on the channel that it is, for which Status.Get waits at noreply.go:173`
			if !s.running {
				continue
			}
			c <- s.n
		case c := <-s.oneway: // want `Status.loop takes a request here and on some path does not answer on the channel that it is`
			if s.running {
				c <- s.n
			}
		}
	}
}

// Helpers send the requests, wait for the answers, make the channels.

type job struct {
	n    int
	done chan error
}

type Jobs struct{ in chan *job }

func NewJobs() *Jobs {
	j := &Jobs{make(chan *job)}
	go j.loop()
	return j
}

func (j *Jobs) post(m *job)       { j.send(m) }
func (j *Jobs) send(m *job)       { j.in <- m }
func newJob(n int) *job           { return &job{n, make(chan error, 1)} }
func (j *Jobs) wait(m *job) error { j.in <- m; return <-m.done }

func (j *Jobs) Do(n int) error {
	m := newJob(n)
	j.post(m)
	return <-m.done
}

func (j *Jobs) DoNow(n int) error {
	m := &job{n: n}
	m.done = make(chan error)
	return j.wait(m)
}

func (j *Jobs) loop() {
	for m := range j.in { // want `Jobs.loop takes a request here and on some path does not answer on done, for which Jobs.Do waits at noreply.go:`
		if m.n == 0 {
			continue
		}
		m.done <- nil
	}
}

// From here on everything is fine.

// Clients of channels that wait for something else, have other answers, keep their channel, or do not wait.

type Channels struct {
	patient, timed, kept, told, all chan chan int
	mine                            chan int
	ready                           bool
}

func NewChannels() *Channels {
	c := &Channels{make(chan chan int), make(chan chan int), make(chan chan int), make(chan chan int), make(chan chan int), make(chan int), false}
	go c.loop()
	return c
}

func (c *Channels) Patient(ctx context.Context) int {
	r := make(chan int, 1)
	c.patient <- r
	select {
	case v := <-r:
		return v
	case <-ctx.Done():
		return 0
	}
}

func (c *Channels) Timed() int {
	r := make(chan int, 2)
	go func() { r <- 0 }()
	c.timed <- r
	return <-r
}

func (c *Channels) Kept() int {
	c.kept <- c.mine
	return <-c.mine
}

func (c *Channels) Told() chan int {
	r := make(chan int, 1)
	c.told <- r
	return r
}

func (c *Channels) All() int {
	r := make(chan int)
	c.all <- r
	return <-r
}

func (c *Channels) loop() {
	var waiting []chan int
	for {
		select {
		case r := <-c.patient:
			c.maybe(r)
		case r := <-c.timed:
			c.maybe(r)
		case r := <-c.kept:
			c.maybe(r)
		case r := <-c.told:
			c.maybe(r)
		case r := <-c.all:
			switch {
			case c.ready:
				close(r)
			case len(waiting) > 1:
				go func() { r <- 1 }()
			default:
				waiting = append(waiting, r)
			}
		}
	}
}

func (c *Channels) maybe(r chan int) {
	if c.ready {
		r <- 1
	}
}

// A helper that one of its callers does not wait after, and one that makes the channel only for some.

type note struct {
	n    int
	done chan int
}

type Notes struct{ in chan note }

func NewNotes() *Notes {
	n := &Notes{make(chan note)}
	go n.loop()
	return n
}

func (n *Notes) send(m note) { n.in <- m }

func (n *Notes) Do() int {
	m := note{1, make(chan int)}
	n.send(m)
	return <-m.done
}

func (n *Notes) Tell() { n.send(note{n: -1}) }

func (n *Notes) loop() {
	for m := range n.in {
		if m.n > 0 {
			m.done <- 1
		}
	}
}

type wish struct {
	async bool
	done  chan int
}

type Wishes struct{ in chan *wish }

func NewWishes() *Wishes {
	w := &Wishes{make(chan *wish)}
	go w.loop()
	return w
}

func (w *Wishes) Do(async bool) {
	m := &wish{async: async}
	if !async {
		m.done = make(chan int)
	}
	w.in <- m
	if async {
		return
	}
	<-m.done
}

func (w *Wishes) loop() {
	for m := range w.in {
		if !m.async {
			m.done <- 1
		}
	}
}

// Every path answers, closes, or hands on.

type fine struct {
	n     int
	op    int
	reply chan int
}

type Fine struct {
	in    chan fine
	later []fine
	other chan fine
}

func NewFine() *Fine {
	f := &Fine{in: make(chan fine), other: make(chan fine)}
	go f.loop()
	go func() {
		for m := range f.other {
			defer close(m.reply)
		}
	}()
	return f
}

func (f *Fine) Ask(n int) int {
	m := fine{n: n, reply: make(chan int)}
	f.in <- m
	return <-m.reply
}

func (f *Fine) loop() {
	for {
		m, ok := <-f.in
		if !ok {
			return
		}
		switch {
		case m.n < 0:
			close(m.reply)
		case m.n == 0:
			go func() { m.reply <- 1 }()
		case m.n == 1:
			f.later = append(f.later, m)
		case m.n == 2:
			f.other <- m
		case m.n == 3:
			panic("three")
		case m.n == 4:
			log.Fatal("four")
		default:
			f.answer(m)
		}
	}
}

func (f *Fine) answer(m fine) {
	if m.n == 7 {
		m.reply <- 8
		return
	}
	f.answerOther(m.reply)
}

func (f *Fine) answerOther(to chan<- int) { to <- 1 }

// Only some of the requests want an answer.

type mixed struct {
	op    int
	reply chan int
}

type Mixed struct{ in chan mixed }

func NewMixed() *Mixed {
	x := &Mixed{make(chan mixed)}
	go x.loop()
	return x
}

func (x *Mixed) Get() int {
	m := mixed{1, make(chan int)}
	x.in <- m
	return <-m.reply
}

func (x *Mixed) Set() { x.in <- mixed{op: 2} }

func (x *Mixed) loop() {
	for m := range x.in {
		if m.op == 1 {
			m.reply <- 1
		}
	}
}

// All operations that there are have a case.

type opmsg struct {
	op    string
	reply chan int
}

type Ops struct{ in chan opmsg }

func NewOps() *Ops {
	x := &Ops{make(chan opmsg)}
	go x.loop()
	return x
}

func (x *Ops) do(op string) int {
	m := opmsg{op, make(chan int)}
	x.in <- m
	return <-m.reply
}

func (x *Ops) loop() {
	for m := range x.in {
		switch m.op {
		case "a":
			m.reply <- 1
		case "b":
			m.reply <- 2
		}
	}
}

func ops() { x := NewOps(); x.do("a"); x.do("b") }

// The client can wait no longer.

type patient struct{ reply chan int }

type Patient struct{ in chan patient }

func NewPatient() *Patient {
	p := &Patient{make(chan patient)}
	go p.loop()
	return p
}

func (p *Patient) Get(ctx context.Context) (int, error) {
	m := patient{make(chan int, 1)}
	p.in <- m
	select {
	case v := <-m.reply:
		return v, nil
	case <-ctx.Done():
		return 0, errors.New("done")
	}
}

func (p *Patient) loop() {
	for m := range p.in {
		if use(); len(p.in) == 0 {
			continue
		}
		m.reply <- 1
	}
}

// An answer in parts, and a channel that may be missing.

type parts struct{ out chan int }

type Parts struct{ in chan parts }

func NewParts(n int) *Parts {
	p := &Parts{make(chan parts)}
	go func() {
		for m := range p.in {
			for i := range n {
				m.out <- i
			}
		}
	}()
	return p
}

func (p *Parts) First() int {
	m := parts{make(chan int)}
	p.in <- m
	return <-m.out
}

type maybe struct{ out chan int }

type Maybe struct{ in chan maybe }

func NewMaybe() *Maybe {
	p := &Maybe{make(chan maybe)}
	go func() {
		for m := range p.in {
			if m.out != nil {
				m.out <- 1
			}
		}
	}()
	return p
}

func (p *Maybe) Get() int {
	m := maybe{make(chan int)}
	p.in <- m
	return <-m.out
}

// The request is kept in the actor, whole or in part.

type kept struct{ out chan int }

type Keeper struct {
	in      chan kept
	waiting map[int]chan int
	current kept
}

func NewKeeper() *Keeper {
	k := &Keeper{in: make(chan kept), waiting: map[int]chan int{}}
	go k.loop()
	return k
}

func (k *Keeper) Get() int {
	m := kept{make(chan int)}
	k.in <- m
	return <-m.out
}

func (k *Keeper) loop() {
	for m := range k.in {
		if len(k.waiting) > 1 {
			k.waiting[1] = m.out
		} else {
			k.current = m
		}
	}
}

// A client that waits only sometimes.

type order struct {
	async bool
	done  chan int
}

type Orders struct{ in chan order }

func NewOrders() *Orders {
	o := &Orders{make(chan order)}
	go o.loop()
	return o
}

func (o *Orders) Do(async bool) int {
	m := order{async, make(chan int)}
	o.in <- m
	if async {
		return 0
	}
	return <-m.done
}

func (o *Orders) loop() {
	for m := range o.in {
		if !m.async {
			m.done <- 1
		}
	}
}

// A helper that may not send; the client then does not wait.

type trial struct {
	n    int
	done chan int
}

type Trials struct {
	in   chan trial
	quit chan bool
}

func NewTrials() *Trials {
	o := &Trials{make(chan trial), make(chan bool)}
	go o.loop()
	return o
}

func (o *Trials) try(m trial) bool {
	select {
	case o.in <- m:
		return true
	case <-o.quit:
		return false
	}
}

func (o *Trials) Do() int {
	m := trial{1, make(chan int)}
	if !o.try(m) {
		return 0
	}
	return <-m.done
}

func (o *Trials) loop() {
	for m := range o.in {
		m.done <- 1
	}
}
