// Package ownership has senders that write to what they have sent, and many that do not.
package ownership

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

func use(...any) {}

type item struct {
	n    int
	tags []string
	sub  struct{ deep [2]int }
}

func receiver(in chan *item) {
	for m := range in {
		use(m.n)
	}
}

func pointer() {
	ch := make(chan *item)
	go receiver(ch)
	m := &item{n: 1}
	ch <- m
	m.n = 2 // want `what was sent to ch at ownership.go:30 is written here, while its receiver may use it, at ownership.go:22`
}

func nested(in chan *item) {
	m := new(item)
	in <- m
	fmt.Println("sent")
	time.Sleep(time.Second)
	m.sub.deep[1] = 2 // want `what was sent to in at ownership.go:36`
}

func callNested() {
	ch := make(chan *item, 1)
	go receiver(ch)
	nested(ch)
}

// One object for all iterations.

func loop() {
	ch := make(chan *item)
	go receiver(ch)
	var m item
	for i := range 10 {
		m.n = i // want `what was sent to ch at ownership.go:56`
		ch <- &m
	}
}

// A buffer that is read into again.

type Reader struct {
	src io.Reader
	out chan []byte
}

func (r *Reader) Start() {
	go r.pump()
	go r.print()
}

func (r *Reader) print() {
	for b := range r.out {
		use(string(b), b[0])
	}
}

func (r *Reader) pump() {
	buf := make([]byte, 4096)
	for {
		n, err := r.src.Read(buf) // want `what was sent to Reader.out at ownership.go:85 is written here, while its receiver may use it, at ownership.go:74`
		if err != nil {
			return
		}
		r.out <- buf[:n]
	}
}

// A batch whose array is used again.

type Batcher struct {
	in    chan int
	out   chan []int
	batch []int
}

func (b *Batcher) Start() {
	go b.loop()
	go func() {
		for batch := range b.out {
			for _, x := range batch {
				use(x)
			}
		}
	}()
}

func (b *Batcher) loop() {
	var local []int
	for {
		select {
		case x := <-b.in:
			b.batch = append(b.batch, x)
		}
		if len(b.batch) > 10 {
			b.out <- b.batch
			b.batch = b.batch[:0]
			b.batch = append(b.batch, 0) // want `what was sent to Batcher.out at ownership.go:116`
		}
		local = local[:0]
		for i := range 3 {
			local = append(local, i)
		}
	}
}

func (b *Batcher) more() {
	go func() {
		var batch []int
		for i := range 100 {
			batch = append(batch, i) // want `what was sent to Batcher.out at ownership.go:133`
			if len(batch) == 10 {
				b.out <- batch
				batch = batch[:0]
			}
		}
	}()
}

// A map, in an interface, from one case of a select.

func maps() {
	ch := make(chan any)
	go func() {
		m := (<-ch).(map[string]int)
		use(m["a"])
	}()
	m := map[string]int{}
	select {
	case ch <- m:
		m["a"] = 1 // want `what was sent to ch at ownership.go:150`
	default:
	}
	delete(m, "a")
}

// From here on everything is fine.

func fresh() {
	ch := make(chan *item)
	go receiver(ch)
	for i := range 10 {
		m := &item{}
		m.n = i
		ch <- m
	}
	var last *item
	for i := range 10 {
		last = &item{}
		last.n = i
		ch <- last
	}
	m := &item{}
	ch <- m
	m = &item{}
	m.n = 7
}

func before() {
	ch := make(chan *item)
	go receiver(ch)
	m := &item{}
	m.n = 1
	ch <- m
	use(m.n)
}

func acknowledged() {
	ch, ack := make(chan *item), make(chan bool)
	go func() {
		for m := range ch {
			use(m.n)
			ack <- true
		}
	}()
	m := &item{}
	for i := range 3 {
		m.n = i
		ch <- m
		<-ack
	}
}

func locked(mu *sync.Mutex) {
	ch := make(chan *item)
	go func() {
		m := <-ch
		mu.Lock()
		use(m.n)
		mu.Unlock()
	}()
	m := &item{}
	ch <- m
	mu.Lock()
	m.n = 2
	mu.Unlock()

	mu.Lock()
	defer mu.Unlock()
	ch <- m
	m.n = 3
}

type guarded struct {
	sync.Mutex
	n int
}

func guard() {
	ch := make(chan *guarded)
	go func() { g := <-ch; g.Lock(); g.n++; g.Unlock() }()
	g := &guarded{}
	ch <- g
	g.n = 1
}

// Nobody looks at it: a free list, a token.

func tokens() {
	free := make(chan *item, 1)
	go func() {
		for range free {
		}
	}()
	m := &item{}
	free <- m
	m.n = 1
}

func waited() {
	ch := make(chan *item)
	var wg sync.WaitGroup
	wg.Go(func() { receiver(ch) })
	m := &item{}
	ch <- m
	close(ch)
	wg.Wait()
	m.n = 1
}

func copies(src io.Reader) {
	out := make(chan []byte)
	go func() {
		for b := range out {
			use(b[0])
		}
	}()
	buf := make([]byte, 10)
	for {
		n, err := src.Read(buf)
		if err != nil {
			return
		}
		out <- slices.Clone(buf[:n])
	}
}

func swapped(src io.Reader) {
	out := make(chan []byte)
	go func() {
		for b := range out {
			use(b[0])
		}
	}()
	for {
		buf := make([]byte, 10)
		n, _ := src.Read(buf)
		out <- buf[:n]
	}
}

func batches() {
	out := make(chan []int)
	go func() {
		for b := range out {
			use(b[0])
		}
	}()
	var batch []int
	for i := range 100 {
		batch = append(batch, i)
		if len(batch) == 10 {
			out <- batch
			batch = nil
		}
	}
	out <- batch
	batch = append(batch, 1)
	use(batch)
}

func same() {
	ch := make(chan *item, 1)
	m := &item{}
	ch <- m
	m.n = 1
	use((<-ch).n)
}

func values() {
	ch := make(chan item)
	go func() { m := <-ch; use(m.n) }()
	var m item
	ch <- m
	m.n = 2
}

type State struct {
	cur *item
	out chan *item
}

func (s *State) Start() {
	go receiver(s.out)
	go s.run()
}

func (s *State) run() {
	for {
		s.out <- s.cur
		s.reset()
		s.cur.n = 1
	}
}

func (s *State) reset() { s.cur = &item{} }

func (s *State) other() {
	for {
		s.out <- s.cur
		s.cur = &item{}
		s.cur.n = 1
	}
}

// The receiver writes, and the sender reads.

type Filler struct {
	in   chan []byte
	jobs chan *task
	sets chan map[string]bool
}

type task struct {
	name, state string
	next        *task
	done        chan bool
}

func NewFiller() *Filler {
	f := &Filler{make(chan []byte), make(chan *task), make(chan map[string]bool)}
	go f.loop()
	return f
}

func (f *Filler) loop() {
	for {
		select {
		case b := <-f.in:
			b[0] = 1
		case t := <-f.jobs:
			f.do(t)
		case m := <-f.sets:
			m["a"] = true
		}
	}
}

func (f *Filler) do(t *task) {
	t.state = "done"
	t.next.state = "next"
	if <-t.done {
		t.name = ""
	}
}

func (f *Filler) Fill(b []byte) byte {
	f.in <- b
	return b[0] // want `what was sent to Filler.in at ownership.go:\d+ is read here, while its receiver may write it, at ownership.go:\d+`
}

func (f *Filler) Do(t *task) string {
	f.jobs <- t
	return t.state // want `what was sent to Filler.jobs at ownership.go:\d+ is read here, while its receiver may write it`
}

func (f *Filler) Set(m map[string]bool) bool {
	f.sets <- m
	return m["a"] // want `what was sent to Filler.sets at ownership.go:\d+ is read here`
}

// From here on everything is fine.

func (f *Filler) Name(t *task) string {
	f.jobs <- t
	return t.name
}

func (f *Filler) DoDone(t *task) string {
	f.jobs <- t
	<-t.done
	return t.state
}

func (f *Filler) Half(b []byte) byte {
	n := len(b) / 2
	f.in <- b[:n]
	return b[n]
}

func (f *Filler) Len(b []byte) int {
	f.in <- b
	return len(b)
}
