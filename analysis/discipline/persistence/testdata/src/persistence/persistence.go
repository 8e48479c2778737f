// Package persistence has clients who wait for actors that have ended, and many that do not.
package persistence

import (
	"context"
	"errors"
	"io"
	"log"
	"sync"
)

func use(...any) {}

// A context ends the actor.

type Server struct {
	in   chan int
	eval chan func()
	quit chan struct{}
}

func New(ctx context.Context) *Server {
	s := &Server{in: make(chan int), eval: make(chan func(), 4), quit: make(chan struct{})}
	go s.loop(ctx)
	return s
}

func (s *Server) loop(ctx context.Context) {
	for {
		select {
		case m := <-s.in:
			use(m)
		case f := <-s.eval:
			f()
		case <-ctx.Done():
			use("done")
			return
		}
	}
}

func (s *Server) Put(m int) {
	s.in <- m // want `Server.Put waits here until Server.loop receives from Server.in, but that ends at persistence.go:35 when ctx.Done\(\) is done: then it waits for ever`
}

func (s *Server) Len() int {
	n := make(chan int)
	s.eval <- func() { n <- 1 } // want `Server.Len sends to Server.eval here and waits at persistence.go:49 for Server.loop to answer, but that ends at persistence.go:35 when`
	return <-n
}

func (s *Server) PutContext(ctx context.Context, m int) error {
	select {
	case s.in <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Server) helper(m int) { s.in <- m }

// A channel that is closed ends it.

type Hub struct {
	in   chan string
	quit chan struct{}
}

func NewHub() *Hub {
	h := &Hub{in: make(chan string), quit: make(chan struct{})}
	go func() {
		for {
			select {
			case <-h.quit:
				return
			case m := <-h.in:
				use(m)
			}
		}
	}()
	return h
}

func (h *Hub) Close() { close(h.quit) }

func (h *Hub) Send(m string) {
	h.in <- m // want `Hub.Send waits here until NewHub.func1 receives from Hub.in, but that ends at persistence.go:75 when Hub.quit is done`
}

// From here on everything is fine.

// The client looks first, has another way out, or starts the actor itself.

type Fine struct {
	mu     sync.Mutex
	in     chan int
	quit   chan struct{}
	closed bool
}

func NewFine() *Fine { return &Fine{in: make(chan int), quit: make(chan struct{})} }

func (f *Fine) Start() {
	go f.loop()
	f.in <- 1
}

func (f *Fine) Close() { close(f.quit) }

func (f *Fine) loop() {
	for {
		select {
		case m := <-f.in:
			use(m)
		case <-f.quit:
			return
		}
	}
}

func (f *Fine) Put(m int) error {
	select {
	case f.in <- m:
		return nil
	case <-f.quit:
		return errors.New("closed")
	}
}

func (f *Fine) PutLocked(m int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.in <- m
}

func (f *Fine) PutFlag(m int) {
	if f.closed {
		return
	}
	f.in <- m
}

func (f *Fine) TryPut(m int) {
	select {
	case <-f.quit:
		return
	default:
	}
	f.in <- m
}

// The actor empties its mailbox.

type Drains struct {
	in   chan int
	quit chan struct{}
}

func NewDrains() *Drains {
	d := &Drains{in: make(chan int), quit: make(chan struct{})}
	go d.loop()
	return d
}

func (d *Drains) Close() { close(d.quit) }

func (d *Drains) Put(m int) { d.in <- m }

func (d *Drains) loop() {
	for {
		select {
		case m := <-d.in:
			use(m)
		case <-d.quit:
			go d.drain()
			return
		}
	}
}

func (d *Drains) drain() {
	for range d.in {
	}
}

// Nothing ends the actor, or only its mailbox.

type Forever struct {
	in, other chan int
	tick      chan struct{}
}

func NewForever() *Forever {
	f := &Forever{make(chan int), make(chan int), make(chan struct{})}
	go f.loop()
	return f
}

func (f *Forever) Tick()     { f.tick <- struct{}{} }
func (f *Forever) Put(m int) { f.in <- m }
func (f *Forever) loop() {
	for {
		select {
		case m := <-f.in:
			use(m)
		case <-f.tick:
			use("tick")
		}
	}
}

// Somebody else receives, too; or anybody may.

type Open struct {
	In   chan int
	quit chan struct{}
}

func (o *Open) Start() { go o.loop() }
func (o *Open) loop() {
	for {
		select {
		case m := <-o.In:
			use(m)
		case <-o.quit:
			return
		}
	}
}
func (o *Open) Put(m int) { o.In <- m }
func (o *Open) Close()    { close(o.quit) }

// Other packages do not know the type.

type hidden struct {
	in   chan int
	quit chan struct{}
}

func (h *hidden) Start()    { go h.loop() }
func (h *hidden) Close()    { close(h.quit) }
func (h *hidden) Put(m int) { h.in <- m }

func (h *hidden) loop() {
	for {
		select {
		case m := <-h.in:
			use(m)
		case <-h.quit:
			return
		}
	}
}

// An error ends the loop.

type Writer struct {
	out, safe, drained, told chan string
	to                       io.Writer
	done                     chan struct{}
}

func NewWriter(to io.Writer) *Writer {
	w := &Writer{make(chan string), make(chan string), make(chan string), make(chan string), to, make(chan struct{})}
	go w.write()
	go w.writeSafe()
	go w.writeDrained()
	go w.writeTold()
	return w
}

func (w *Writer) write() {
	for s := range w.out {
		if _, err := io.WriteString(w.to, s); err != nil {
			log.Print(err)
			return
		}
	}
}

func (w *Writer) Write(s string) {
	w.out <- s // want `Writer.Write waits here until Writer.write receives from Writer.out, but that ends at persistence.go:\d+ because of an error: then it waits for ever`
}

// From here on everything is fine.

func (w *Writer) writeSafe() {
	defer close(w.done)
	for s := range w.safe {
		if _, err := io.WriteString(w.to, s); err != nil {
			return
		}
	}
}

func (w *Writer) WriteSafe(s string) {
	select {
	case w.safe <- s:
	case <-w.done:
	}
}

func (w *Writer) writeDrained() {
	for s := range w.drained {
		if _, err := io.WriteString(w.to, s); err != nil {
			for range w.drained {
			}
			return
		}
	}
}

func (w *Writer) WriteDrained(s string) { w.drained <- s }

func (w *Writer) writeTold() {
	for s := range w.told {
		if s == "end" {
			return
		}
		if _, err := io.WriteString(w.to, s); err != nil {
			continue
		}
	}
}

func (w *Writer) WriteTold(s string) { w.told <- s }

// A buffer has room for what nobody will take, but the answer does not come.

type question struct{ answer chan int }

type Buffered struct {
	in   chan any
	quit chan struct{}
}

func NewBuffered(room int) *Buffered {
	b := &Buffered{make(chan any, room), make(chan struct{})}
	go b.loop()
	return b
}

func (b *Buffered) loop() {
	n := 0
	for {
		select {
		case m := <-b.in:
			switch m := m.(type) {
			case question:
				m.answer <- n
			case int:
				n += m
			}
		case <-b.quit:
			return
		}
	}
}

func (b *Buffered) Close() { close(b.quit) }

func (b *Buffered) Add(n int) { b.in <- n }

func (b *Buffered) Sum() int {
	q := question{make(chan int)}
	b.in <- q // want `Buffered.Sum sends to Buffered.in here and waits at persistence.go:\d+ for Buffered.loop to answer, but that ends at persistence.go:\d+ when Buffered.quit is done: then it waits for ever`
	return <-q.answer
}

func (b *Buffered) Later() <-chan int {
	answer := make(chan int)
	b.in <- question{answer}
	return answer
}

func (b *Buffered) Try() (n int) {
	answer := make(chan int)
	b.in <- question{answer}
	select {
	case n = <-answer:
	case <-b.quit:
	}
	return n
}
