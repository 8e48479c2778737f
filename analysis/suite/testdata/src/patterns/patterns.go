// Package patterns has the shapes that well-known programs have, written as they should be. No rule may report any of it.
package patterns

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

func use(...any) {}

// A hub with clients that have a pump for each direction.

type hub struct {
	clients    map[*client]bool
	broadcast  chan []byte
	register   chan *client
	unregister chan *client
}

type client struct {
	hub  *hub
	conn io.ReadWriteCloser
	send chan []byte
}

func newHub() *hub {
	return &hub{make(map[*client]bool), make(chan []byte), make(chan *client), make(chan *client)}
}

func (h *hub) run() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			if _, ok := h.clients[c]; ok {
				delete(h.clients, c)
				close(c.send)
			}
		case message := <-h.broadcast:
			for c := range h.clients {
				select {
				case c.send <- message:
				default:
					close(c.send)
					delete(h.clients, c)
				}
			}
		}
	}
}

func (c *client) readPump() {
	defer func() {
		c.hub.unregister <- c
		c.conn.Close()
	}()
	r := bufio.NewReader(c.conn)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		c.hub.broadcast <- line
	}
}

func (c *client) writePump() {
	ticker := time.NewTicker(time.Second)
	defer func() {
		ticker.Stop()
		c.conn.Close()
	}()
	for {
		select {
		case message, ok := <-c.send:
			if !ok {
				return
			}
			if _, err := c.conn.Write(message); err != nil {
				return
			}
		case <-ticker.C:
			use("ping")
		}
	}
}

func serve(h *hub, conn io.ReadWriteCloser) {
	c := &client{hub: h, conn: conn, send: make(chan []byte, 256)}
	c.hub.register <- c
	go c.writePump()
	go c.readPump()
}

// An unbounded queue: the nil channel keeps the send case off.

type Queue struct {
	in, out    chan int
	quit, done chan struct{}
}

func NewQueue() *Queue {
	q := &Queue{make(chan int), make(chan int), make(chan struct{}), make(chan struct{})}
	go q.run()
	return q
}

func (q *Queue) run() {
	defer close(q.done)
	var waiting []int
	for {
		var out chan int
		var first int
		if len(waiting) > 0 {
			out, first = q.out, waiting[0]
		}
		select {
		case x := <-q.in:
			waiting = append(waiting, x)
		case out <- first:
			waiting = waiting[1:]
		case <-q.quit:
			return
		}
	}
}

func (q *Queue) Put(x int) error {
	select {
	case q.in <- x:
		return nil
	case <-q.done:
		return errors.New("closed")
	}
}

func (q *Queue) Get() (int, error) {
	select {
	case x := <-q.out:
		return x, nil
	case <-q.done:
		return 0, errors.New("closed")
	}
}

func (q *Queue) Close() {
	close(q.quit)
	<-q.done
}

// Requests with a channel for the answer, and a context on both ways.

type request struct {
	key   string
	ctx   context.Context
	reply chan result
}

type result struct {
	value string
	err   error
}

type Store struct {
	requests chan request
	stop     context.CancelFunc
	done     chan struct{}
	data     map[string]string
}

func NewStore() *Store {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Store{make(chan request), cancel, make(chan struct{}), map[string]string{}}
	go s.loop(ctx)
	return s
}

func (s *Store) loop(ctx context.Context) {
	defer close(s.done)
	for {
		select {
		case r := <-s.requests:
			v, ok := s.data[r.key]
			if !ok {
				r.reply <- result{err: errors.New("not found")}
				continue
			}
			r.reply <- result{value: v}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Store) Get(ctx context.Context, key string) (string, error) {
	r := request{key, ctx, make(chan result, 1)}
	select {
	case s.requests <- r:
	case <-ctx.Done():
		return "", ctx.Err()
	case <-s.done:
		return "", io.ErrClosedPipe
	}
	res := <-r.reply
	return res.value, res.err
}

func (s *Store) Close() map[string]string {
	s.stop()
	<-s.done
	return s.data
}

// A pipeline, a fan-in, a pool with results.

func pipeline(ctx context.Context, n int) int {
	numbers, squares := make(chan int), make(chan int)
	go func() {
		defer close(numbers)
		for i := range n {
			select {
			case numbers <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(squares)
		for x := range numbers {
			squares <- x * x
		}
	}()
	sum := 0
	for x := range squares {
		sum += x
	}
	return sum
}

func merge(ins ...<-chan int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	for _, in := range ins {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for x := range in {
				out <- x
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func pool(work []func() error) error {
	jobs, errs := make(chan func() error), make(chan error, len(work))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for f := range jobs {
				errs <- f()
			}
		})
	}
	for _, f := range work {
		jobs <- f
	}
	close(jobs)
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// The first answer, or a time limit: a buffer for who comes late.

func first(servers []func() int) (int, error) {
	answers := make(chan int, len(servers))
	for _, ask := range servers {
		go func() { answers <- ask() }()
	}
	select {
	case a := <-answers:
		return a, nil
	case <-time.After(time.Second):
		return 0, errors.New("nobody")
	}
}

// A semaphore, a lock, a lazy value in channels.

type limiter struct{ tokens chan struct{} }

func (l *limiter) do(f func()) {
	l.tokens <- struct{}{}
	defer func() { <-l.tokens }()
	f()
}

type future struct {
	once  sync.Once
	ready chan struct{}
	value int
}

func (f *future) set(v int) {
	f.once.Do(func() {
		f.value = v
		close(f.ready)
	})
}

func (f *future) Get() int {
	<-f.ready
	return f.value
}

// A batch that is handed over, with a buffer that comes back.

type batcher struct {
	items chan string
	out   chan []string
	free  chan []string
	quit  chan struct{}
}

func (b *batcher) start() {
	go b.collect()
	go b.write()
}

func (b *batcher) collect() {
	var batch []string
	flush := time.NewTimer(time.Second)
	defer close(b.out)
	for {
		select {
		case s := <-b.items:
			batch = append(batch, s)
			if len(batch) < 100 {
				continue
			}
		case <-flush.C:
			flush.Reset(time.Second)
		case <-b.quit:
			b.out <- batch
			return
		}
		b.out <- batch
		select {
		case batch = <-b.free:
			batch = batch[:0]
		default:
			batch = nil
		}
	}
}

func (b *batcher) write() {
	for batch := range b.out {
		for _, s := range batch {
			use(s)
		}
		select {
		case b.free <- batch:
		default:
		}
	}
}

// Functions as messages.

type Loop struct {
	calls chan func()
	quit  chan struct{}
	n     int
}

func NewLoop() *Loop {
	l := &Loop{calls: make(chan func()), quit: make(chan struct{})}
	go l.run()
	return l
}

func (l *Loop) run() {
	for {
		select {
		case f := <-l.calls:
			f()
		case <-l.quit:
			return
		}
	}
}

func (l *Loop) call(f func()) bool {
	done := make(chan struct{})
	select {
	case l.calls <- func() { defer close(done); f() }:
		<-done
		return true
	case <-l.quit:
		return false
	}
}

func (l *Loop) Add(n int) { l.call(func() { l.n += n }) }

func (l *Loop) N() (n int) {
	l.call(func() { n = l.n })
	return n
}

func (l *Loop) Close() { close(l.quit) }

// A channel for the answer to the order to stop.

type feed struct {
	updates chan int
	closing chan chan error
}

func newFeed() *feed {
	f := &feed{make(chan int), make(chan chan error)}
	go f.loop()
	return f
}

func (f *feed) loop() {
	var err error
	for {
		select {
		case errc := <-f.closing:
			errc <- err
			close(f.updates)
			return
		case f.updates <- 1:
		}
	}
}

func (f *feed) Close() error {
	errc := make(chan error)
	f.closing <- errc
	return <-errc
}
