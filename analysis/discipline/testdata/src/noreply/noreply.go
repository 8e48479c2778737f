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

// From here on everything is fine.

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
