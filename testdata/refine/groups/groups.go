// Package groups has components in two or more versions, for rehearse refine: those that a refactoring
// may turn into each other, and what clients can tell apart. Each harness of groups_test.go is one
// version.
package groups

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
)

// sink receives n values, or all if n is negative.
func sink(n int) chan<- int {
	in := make(chan int)
	go func() {
		for i := 0; i != n; i++ {
			<-in
		}
	}()
	return in
}

// forward sends on what it receives. Its mailbox has some room.
func forward(out chan<- int, room int) chan<- int {
	in := make(chan int, room)
	go func() {
		for v := range in {
			out <- v
		}
	}()
	return in
}

// Cell holds a value.
type Cell interface {
	Set(v int)
	Get() int
}

// requestCell is an actor with two kinds of requests.
type requestCell struct {
	set chan int
	get chan chan int
}

func newRequestCell() Cell {
	c := &requestCell{make(chan int), make(chan chan int)}
	go func() {
		v := 0
		for {
			select {
			case v = <-c.set:
			case reply := <-c.get:
				reply <- v
			}
		}
	}()
	return c
}

func (c *requestCell) Set(v int) { c.set <- v }

func (c *requestCell) Get() int {
	reply := make(chan int)
	c.get <- reply
	return <-reply
}

// closureCell is a goroutine that runs closures.
type closureCell chan func(v *int)

func newClosureCell() Cell {
	c := make(closureCell)
	go func() {
		v := 0
		for f := range c {
			f(&v)
		}
	}()
	return &c
}

func (c *closureCell) Set(v int) {
	done := make(chan bool)
	*c <- func(at *int) { *at = v; close(done) }
	<-done
}

func (c *closureCell) Get() int {
	got := make(chan int, 1)
	*c <- func(at *int) { got <- *at }
	return <-got
}

// lockCell is a variable with a lock.
type lockCell struct {
	mu sync.RWMutex
	v  int
}

func (c *lockCell) Set(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.v = v
}

func (c *lockCell) Get() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.v
}

// Echo returns what it is told.
type Echo struct{ in, out chan int }

func newEcho() *Echo {
	e := &Echo{make(chan int), make(chan int)}
	go func() {
		for {
			e.out <- <-e.in
		}
	}()
	return e
}

// Say returns v.
func (e *Echo) Say(v int) int {
	e.in <- v
	return <-e.out
}

// Opener hands out echoes.
type Opener interface{ Open() *Echo }

type freshOpener struct{}

func (freshOpener) Open() *Echo { return newEcho() }

// turnOpener hands out two prepared ones in turn.
type turnOpener struct {
	mu   sync.Mutex
	all  [2]*Echo
	next int
}

func (o *turnOpener) Open() *Echo {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next++
	return o.all[o.next%2]
}

// Hub sends what is published to its members.
type Hub struct {
	join    chan chan<- int
	publish chan int
}

// newHub makes a hub. serve makes, of a member, the function that sends to it.
func newHub(serve func(member chan<- int) (send func(v int))) *Hub {
	h := &Hub{make(chan chan<- int), make(chan int)}
	go func() {
		var members []func(int)
		for {
			select {
			case m := <-h.join:
				members = append(members, serve(m))
			case v := <-h.publish:
				for _, send := range members {
					send(v)
				}
			}
		}
	}()
	return h
}

// Join makes a channel a member.
func (h *Hub) Join(member chan<- int) { h.join <- member }

// Publish sends v to all members.
func (h *Hub) Publish(v int) { h.publish <- v }

// inLoop serves a member in the hub's loop.
func inLoop(member chan<- int) func(int) { return func(v int) { member <- v } }

// byQueue serves a member by a goroutine with a queue of one.
func byQueue(member chan<- int) func(int) {
	queue := make(chan int, 1)
	go func() {
		for v := range queue {
			member <- v
		}
	}()
	return func(v int) { queue <- v }
}

// byMessage serves each message by a goroutine: messages overtake each other.
func byMessage(member chan<- int) func(int) { return func(v int) { go func() { member <- v }() } }

// Cache keeps what was loaded.
type Cache interface{ Get(key string) string }

// looseCache has no lock while it loads.
type looseCache struct {
	mu   sync.Mutex
	kept map[string]string
	load func(string) string
}

func (c *looseCache) Get(key string) string {
	c.mu.Lock()
	v, ok := c.kept[key]
	c.mu.Unlock()
	if ok {
		return v
	}
	v = c.load(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept[key] = v
	return v
}

// flightCache loads once for all who wait.
type flightCache struct {
	mu      sync.Mutex
	flights map[string]*flight
	load    func(string) (string, error)
}

type flight struct {
	done chan struct{}
	v    string
	err  error
}

func (c *flightCache) get(key string) (string, error) {
	c.mu.Lock()
	f := c.flights[key]
	if f != nil {
		c.mu.Unlock()
		<-f.done
		return f.v, f.err
	}
	f = &flight{done: make(chan struct{})}
	c.flights[key] = f
	c.mu.Unlock()
	f.v, f.err = c.load(key)
	if f.err != nil { // which is not kept
		c.mu.Lock()
		delete(c.flights, key)
		c.mu.Unlock()
	}
	close(f.done)
	return f.v, f.err
}

// surely is a flightCache whose load does not fail.
type surely struct{ flightCache }

func (c *surely) Get(key string) string {
	v, _ := c.get(key)
	return v
}

// ErrCache is a Cache whose loads may fail.
type ErrCache interface {
	Get(key string) (string, error)
}

type errFlightCache struct{ flightCache }

func (c *errFlightCache) Get(key string) (string, error) { return c.get(key) }

type errLooseCache struct {
	mu   sync.Mutex
	kept map[string]string
	load func(string) (string, error)
}

func (c *errLooseCache) Get(key string) (string, error) {
	c.mu.Lock()
	v, ok := c.kept[key]
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := c.load(key)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept[key] = v
	return v, nil
}

// answering answers requests: those of ask in one channel, in order, or by a goroutine each.
func answering(ask <-chan int, answers chan<- int, each bool) {
	go func() {
		for q := range ask {
			if each {
				go func() { answers <- q }()
			} else {
				answers <- q
			}
		}
	}()
}

// ID identifies a request.
type ID uint64 //rehearse:name

// Number is an ID that clients may look into.
type Number uint64

// ids makes IDs: by a counter, or at random.
type ids struct {
	mu     sync.Mutex
	last   uint64
	random bool
}

func (n *ids) next() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.random {
		return rand.Uint64()
	}
	n.last++
	return n.last
}

// Named makes IDs.
type Named struct{ ids }

// Next returns a new ID.
func (n *Named) Next() ID { return ID(n.next()) }

// Numbered makes Numbers.
type Numbered struct{ ids }

// Next returns a new Number.
func (n *Numbered) Next() Number { return Number(n.next()) }

// Slots is a semaphore with one place.
type Slots struct {
	place chan bool
	looks bool // whether the caller goes on at all, before it looks for the place
}

// Acquire takes the place, or gives up when the caller does.
func (s *Slots) Acquire(ctx context.Context) error {
	if s.looks && ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case s.place <- true:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errClosed = errors.New("closed")

// Closer counts until it is closed.
type Closer struct {
	mu     sync.Mutex
	closed bool
	n      int
	panics bool
}

// Close ends it.
func (c *Closer) Close() error { return c.do(func() { c.closed = true }) }

// Add counts.
func (c *Closer) Add() error { return c.do(func() { c.n++ }) }

func (c *Closer) do(f func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed && c.panics:
		panic(errClosed)
	case c.closed:
		return errClosed
	}
	f()
	return nil
}

// Door can be closed, and nothing else.
type Door interface{ Close() error }
