// Package answers has functions that other packages call.
package answers

import (
	"context"
	"errors"
	"sync"
)

// Result sends one answer.
func Result(c chan<- int) { c <- compute(1) } // want Result:"code waits"

// compute does nothing that matters.
func compute(n int) int { return n + 1 }

// Async sends an answer some time.
func Async(key string, out chan string) { // want Async:"code spawns waits"
	go func() { put(out, key) }()
}

func put(out chan string, s string) { out <- s }

// Checked sends an answer, or nothing.
func Checked(n int, c chan<- int) error { // want Checked:"code waits"
	if n < 0 {
		return errNegative
	}
	c <- n
	return nil
}

var errNegative = errors.New("negative")

// Polite sends an answer if somebody wants it.
func Polite(ctx context.Context, c chan<- int) { // want Polite:"code waits"
	select {
	case c <- 1:
	case <-ctx.Done():
	}
}

// Register keeps a channel, and somebody may receive from it.
func Register(c chan int) { // want Register:"code"
	mu.Lock()
	defer mu.Unlock()
	known[len(known)] = c
}

var (
	mu    sync.Mutex
	known = map[int]chan int{}
)

// Each is generic: its code is not told.
func Each[T any](c chan T, v T) { c <- v }

// Twice is a server whose loop takes two requests, and no more.
type Twice struct{ in chan chan int }

// NewTwice starts one.
func NewTwice() *Twice { // want NewTwice:"code spawns makes waits"
	t := &Twice{make(chan chan int)}
	go t.loop()
	return t
}

func (t *Twice) loop() {
	for range 2 {
		(<-t.in) <- 1
	}
}

// Ask asks for an answer on c.
func (t *Twice) Ask(c chan int) { t.in <- c } // want Ask:"code waits"

type word string

// Put sends a text, which it makes of a type that its callers do not know.
func Put(c chan []uint8, s string) { // want Put:"code waits"
	var b []uint8
	c <- append(b, word(s)...)
}

// Config says how many take jobs.
type Config struct {
	Workers, Buffer int
	Jobs            chan func()
}

// Serve starts who takes jobs.
func Serve(c *Config) { // want Serve:"code spawns waits"
	for range c.Workers {
		go func() {
			for job := range c.Jobs {
				job()
			}
		}()
	}
}

// NewConfig makes a Config, with a number that it needs nowhere itself.
func NewConfig() *Config { // want NewConfig:"code makes"
	c := &Config{Jobs: make(chan func())}
	c.fill()
	return c
}

func (c *Config) fill() { c.Buffer = 4 }

// Call calls f with an argument.
func Call(f func(int)) { f(1) }

// Guard is a lock around a number.
type Guard struct {
	mu sync.Mutex
	n  int
}

// Caller is called by Then.
type Caller interface{ Call() }

// Then calls what it is given. Nothing in this package matters there.
func (g *Guard) Then(c Caller) { // want Then:"code"
	g.mu.Lock()
	g.n++
	g.mu.Unlock()
	call(c)
}

func call(c Caller) { c.Call() }

// Start calls f on goroutines.
func Start(n int, f func(int)) { // want Start:"code spawns"
	for i := range n {
		go func() {
			if i > 0 {
				f(i)
			}
		}()
	}
}
