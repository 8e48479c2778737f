package isolation

import (
	"log"
	"sync"
	"time"
)

// Variables that function literals capture.

func Counter(in chan int) (func() int, func()) {
	n := 0
	go func() {
		for v := range in {
			n += v
		}
	}()
	return func() int {
		return n // want `Counter.func2 reads n here, on its caller's goroutine, while Counter.func1 writes it at others.go:15: a data race`
	}, func() { n = 0 }
}

func Sum() int {
	in, sum := make(chan int), 0
	go func() {
		for v := range in {
			sum += v
		}
	}()
	in <- 1
	in <- 2
	close(in)
	return sum // want `Sum reads sum here, just after it has sent a message, while Sum.func1 writes it at others.go:27: a data race`
}

func Seen() {
	in, seen := make(chan string, 3), map[string]bool{}
	go func() {
		for s := range in {
			seen[s] = true
		}
	}()
	in <- "a"
	time.Sleep(time.Second)
	use(len(seen)) // want `Seen reads seen here, just after it has sent a message`
}

func Printing(in chan int) {
	n := 0
	go func() {
		for v := range in {
			n += v
		}
	}()
	go func() {
		for range time.Tick(time.Second) {
			log.Print(n) // want `Printing.func2 reads n here, on another goroutine, while Printing.func1 writes it at others.go:52`
		}
	}()
}

// Other goroutines of the object.

type Watched struct {
	in   chan int
	quit chan struct{}
	n, m int
	late int
}

func NewWatched() *Watched {
	w := &Watched{in: make(chan int), quit: make(chan struct{})}
	go w.loop()
	go w.watch()
	return w
}

func (w *Watched) loop() {
	for v := range w.in {
		w.n += v
		w.m++
		w.late = v
		time.AfterFunc(time.Second, func() {
			w.m = 0 // want `Watched.loop.func1 writes Watched.m here, on another goroutine, while Watched.loop writes it at others.go:81`
		})
	}
}

func (w *Watched) watch() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			w.report()
		case <-w.quit:
			use(w.late)
			return
		}
	}
}

func (w *Watched) report() {
	log.Print(w.n) // want `Watched.report reads Watched.n here, on another goroutine, while Watched.loop writes it at others.go:80`
}

type Told struct {
	in   chan int
	last int
}

func (t *Told) start() { go t.loop() }

func (t *Told) loop() {
	for v := range t.in {
		t.last = v
	}
}

func (t *Told) put(v int) int {
	t.in <- v
	return t.last // want `Told.put reads Told.last here, just after it has sent a message`
}

// From here on everything is fine.

// A wait, a lock, another message, another object, before or behind.

func SumDone() int {
	in, done, sum := make(chan int), make(chan bool), 0
	go func() {
		for v := range in {
			sum += v
		}
		close(done)
	}()
	in <- 1
	close(in)
	<-done
	return sum
}

func SumLocked() int {
	var mu sync.Mutex
	in, sum := make(chan int), 0
	go func() {
		for v := range in {
			mu.Lock()
			sum += v
			mu.Unlock()
		}
	}()
	in <- 1
	mu.Lock()
	defer mu.Unlock()
	return sum
}

func SumBefore() {
	in, sum := make(chan int), 1
	go func() {
		for v := range in {
			sum += v
		}
	}()
	use(sum)
	in <- sum
}

func SumSome() int {
	in, sum := make(chan int), 0
	go func() {
		for v := range in {
			if v > 3 {
				sum += v
			}
		}
	}()
	in <- 1
	return sum
}

func counterOf(in chan int) func() int {
	n := 0
	go func() {
		for v := range in {
			n += v
		}
	}()
	return func() int { return n }
}

func CounterDone(in chan int) func() int {
	n, done := 0, make(chan bool)
	go func() {
		for v := range in {
			n += v
		}
		close(done)
	}()
	return func() int { <-done; return n }
}

type Careful struct {
	in, results chan int
	other       *Careful
	n, busy, k  int
	done        chan struct{}
}

func NewCareful() *Careful {
	c := &Careful{in: make(chan int), results: make(chan int), done: make(chan struct{})}
	go c.loop()
	go c.after()
	go c.other.peer()
	return c
}

func (c *Careful) loop() {
	for {
		select {
		case v := <-c.in:
			c.n += v
			c.busy++
			go func() {
				c.busy = 0
				c.results <- 1
			}()
		case r := <-c.results:
			c.k = r
			c.wait()
		}
	}
}

func (c *Careful) wait() {
	done := make(chan bool)
	go func() {
		defer close(done)
		c.k = 2
	}()
	<-done
}

func (c *Careful) after() {
	<-c.done
	use(c.n)
}

func (c *Careful) peer() { use(c.n) }

func (c *Careful) put(o *Careful) int {
	c.in <- 1
	o.in <- 1
	return c.n
}

type Either struct {
	in chan int
	n  int
}

func NewEither(slow bool) *Either {
	e := &Either{in: make(chan int)}
	if slow {
		go e.loop()
	} else {
		go e.once()
	}
	return e
}

func (e *Either) loop() {
	for v := range e.in {
		e.n = v
	}
}

func (e *Either) once() { e.n = 1 }
