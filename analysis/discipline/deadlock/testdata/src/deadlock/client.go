package deadlock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Pump waits, under its lock, for a worker that needs the lock.
type Pump struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	quit chan struct{}
	n    int
}

func NewPump() *Pump {
	p := &Pump{quit: make(chan struct{})}
	p.wg.Add(1)
	go p.run()
	return p
}

func (p *Pump) run() {
	defer p.wg.Done()
	for {
		select {
		case <-p.quit:
			return
		case <-time.After(time.Second):
			p.mu.Lock()
			p.n++
			p.mu.Unlock()
		}
	}
}

func (p *Pump) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.quit)
	p.wg.Wait() // want `Pump.Stop waits here for ever for p.wg, while Pump.run, which is to end that, waits at client.go:\d+ for the lock p.mu`
}

type MendedPump struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	quit chan struct{}
	n    int
}

func NewMendedPump() *MendedPump {
	p := &MendedPump{quit: make(chan struct{})}
	p.wg.Add(1)
	go p.run()
	return p
}

func (p *MendedPump) run() {
	defer p.wg.Done()
	for {
		select {
		case <-p.quit:
			return
		case <-time.After(time.Second):
			p.mu.Lock()
			p.n++
			p.mu.Unlock()
		}
	}
}

func (p *MendedPump) Stop() {
	p.mu.Lock()
	close(p.quit)
	p.mu.Unlock()
	p.wg.Wait()
}

// Reader closes a channel when it ends, for which Close waits under the lock.
type Reader struct {
	mu   sync.Mutex
	stop chan struct{}
	done chan struct{}
	err  error
}

func Open() *Reader {
	r := &Reader{stop: make(chan struct{}), done: make(chan struct{})}
	go r.read()
	return r
}

func (r *Reader) read() {
	defer close(r.done)
	<-r.stop
	r.fail(nil)
}

func (r *Reader) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.stop)
	<-r.done // want `Reader.Close waits here for ever to receive from r.done, while Reader.fail, which is to end that, waits at client.go:\d+ for the lock r.mu`
	return r.err
}

type MendedReader struct {
	mu   sync.Mutex
	stop chan struct{}
	done chan struct{}
	err  error
}

func OpenMended() *MendedReader {
	r := &MendedReader{stop: make(chan struct{}), done: make(chan struct{})}
	go r.read()
	return r
}

func (r *MendedReader) read() {
	<-r.stop
	r.mu.Lock()
	r.err = nil
	r.mu.Unlock()
	close(r.done)
}

func (r *MendedReader) Close() error {
	close(r.stop)
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Queue asks its loop under a lock that the loop takes, too.
type Queue struct {
	mu    sync.Mutex
	tasks chan int
	tick  <-chan time.Time
	sum   int
}

func NewQueue(tick <-chan time.Time) *Queue {
	q := &Queue{tasks: make(chan int), tick: tick}
	go q.loop()
	return q
}

func (q *Queue) loop() {
	for {
		select {
		case n := <-q.tasks:
			println(n)
		case <-q.tick:
			q.mu.Lock()
			q.sum = 0
			q.mu.Unlock()
		}
	}
}

func (q *Queue) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sum += n
	q.tasks <- n // want `Queue.Put waits here for ever to send to q.tasks, while Queue.loop, which is to end that, waits at client.go:\d+ for the lock q.mu, if q.tick is ready first`
}

// Another method takes from the channel, too.
type MendedQueue struct {
	mu    sync.Mutex
	tasks chan int
	tick  <-chan time.Time
	sum   int
}

func NewMendedQueue(tick <-chan time.Time) *MendedQueue {
	q := &MendedQueue{tasks: make(chan int), tick: tick}
	go q.loop()
	return q
}

func (q *MendedQueue) loop() {
	for {
		select {
		case n := <-q.tasks:
			println(n)
		case <-q.tick:
			q.mu.Lock()
			q.sum = 0
			q.mu.Unlock()
		}
	}
}

func (q *MendedQueue) Take() int { return <-q.tasks }

func (q *MendedQueue) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sum += n
	q.tasks <- n
}

// Crew starts its workers in a method.
type Crew struct {
	mu sync.Mutex
	wg sync.WaitGroup
	n  int
}

func (c *Crew) Start() {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	}()
}

func (c *Crew) Wait() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wg.Wait() // want `Crew.Wait waits here for ever for c.wg, while Crew.Start.func1, which is to end that, waits at client.go:\d+ for the lock c.mu`
	return c.n
}

type MendedCrew struct {
	mu sync.Mutex
	wg sync.WaitGroup
	n  int
}

func (c *MendedCrew) Start() {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	}()
}

func (c *MendedCrew) Wait() int {
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// Clock's constructor starts a function literal.
type Clock struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	quit chan struct{}
	now  int
}

func NewClock(step int) (*Clock, error) {
	c := &Clock{quit: make(chan struct{})}
	c.wg.Go(func() {
		for {
			select {
			case <-c.quit:
				return
			default:
				c.mu.Lock()
				c.now += step
				c.mu.Unlock()
			}
		}
	})
	return c, nil
}

func (c *Clock) Stop() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.quit)
	c.wg.Wait() // want `Clock.Stop waits here for ever for c.wg, while NewClock.func1, which is to end that, waits at client.go:\d+ for the lock c.mu`
	return c.now
}

type MendedClock struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	quit chan struct{}
	now  int
}

func NewMendedClock(step int) *MendedClock {
	c := &MendedClock{quit: make(chan struct{})}
	c.wg.Go(func() {
		for {
			select {
			case <-c.quit:
				return
			default:
				c.mu.Lock()
				c.now += step
				c.mu.Unlock()
			}
		}
	})
	return c
}

func (c *MendedClock) Stop() int {
	close(c.quit)
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// current has the channel of the latest Await: others find it there.
var current atomic.Pointer[chan int]

func Await() int {
	c := make(chan int)
	current.Store(&c)
	return <-c
}

func Answer(n int) { *current.Load() <- n }
