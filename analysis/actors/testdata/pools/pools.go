// Package pools is pattern P25: workers that share their jobs are not actors; a goroutine per shard with a queue of its
// own is one, though it is started in a loop.
package pools

import "sync"

func Pool(n int) chan<- int {
	jobs := make(chan int)
	for i := 0; i < n; i++ {
		go worker(i, jobs)
	}
	return jobs
}

func worker(id int, jobs <-chan int) {
	for j := range jobs {
		_ = id + j
	}
}

type Validator struct {
	q    chan string
	quit chan struct{}
}

func (v *Validator) Start(n int) {
	for range n {
		go v.work()
	}
}

func (v *Validator) work() {
	for {
		select {
		case s := <-v.q:
			_ = s
		case <-v.quit:
			return
		}
	}
}

type Copier struct{ jobs chan string }

func (c *Copier) spawn() { go c.copy() }

func (c *Copier) copy() {
	for j := range c.jobs {
		_ = j
	}
}

func (c *Copier) Start() {
	for i := 0; i < 3; i++ {
		c.spawn()
	}
}

func Twice() {
	in := make(chan int)
	go drainer(in)
	go drainer(in)
}

func drainer(in chan int) {
	for range in {
	}
}

func Group(wg *sync.WaitGroup, in chan int) {
	for range 2 {
		wg.Go(func() {
			for n := range in {
				_ = n
			}
		})
	}
}

type Shard struct{ queue chan int }

func (s *Shard) run() {
	for n := range s.queue {
		_ = n
	}
}

func Shards(n int) []*Shard {
	var out []*Shard
	for range n {
		s := &Shard{make(chan int, 1)}
		go s.run()
		out = append(out, s)
	}
	for _, s := range out {
		s.queue <- 1
	}
	return out
}

type Queues struct{ queues []chan int }

func (q *Queues) Start() {
	for i := range q.queues {
		q.queues[i] = make(chan int, 3)
	}
	for i := range q.queues {
		go q.serve(i)
	}
}

func (q *Queues) serve(i int) {
	for n := range q.queues[i] {
		_ = n
	}
}

func (q *Queues) StartAll(n int) {
	for _, ch := range q.queues {
		go func() {
			for n := range ch {
				_ = n
			}
		}()
	}
}

// Nodes are made in one loop and started in a second one: each has a queue of its own.
type Node struct {
	in   chan int
	quit chan struct{}
}

func (n *Node) run() {
	for {
		select {
		case v := <-n.in:
			_ = v
		case <-n.quit:
			return
		}
	}
}

func Nodes() {
	var nodes []*Node
	for range 3 {
		nodes = append(nodes, &Node{make(chan int), make(chan struct{})})
	}
	for _, n := range nodes {
		go n.run()
	}
	nodes[0].in <- 1
}

// A loop that is started again after Stop is never there twice.
type Service struct {
	in   chan int
	quit chan struct{}
}

func (s *Service) Start() {
	s.quit = make(chan struct{})
	go s.serve()
}

func (s *Service) Stop() { close(s.quit) }

func (s *Service) serve() {
	for {
		select {
		case v := <-s.in:
			_ = v
		case <-s.quit:
			return
		}
	}
}

func Restart() {
	s := &Service{in: make(chan int)}
	for range 3 {
		s.Start()
		s.in <- 1
		s.Stop()
	}
}

// A leader starts its loop when a message says that it leads.
type Leader struct{ in chan int }

func (l *Leader) lead() { go l.gather() }

func (l *Leader) gather() {
	for v := range l.in {
		_ = v
	}
}

func (l *Leader) monitor(changes chan bool) {
	for leads := range changes {
		if leads {
			l.lead()
		}
	}
}

func Lead(changes chan bool) {
	l := &Leader{make(chan int)}
	go l.monitor(changes)
	l.in <- 1
}

// Two queues in one struct have a loop each.
type Two struct{ first, second chan int }

func (t *Two) Start() {
	go t.drain(t.first)
	go t.drain(t.second)
	t.first <- 1
	t.second <- 2
}

func (t *Two) drain(in chan int) {
	for v := range in {
		_ = v
	}
}

// WANT:
// actor Node.run select family
// actor Service.serve select
// actor Leader.gather range
// actor Two.drain range
// rejected worker worker pool: the goroutines started at pools.go:10 share jobs
// rejected Validator.work worker pool: the goroutines started at pools.go:28 share Validator.q
// rejected Copier.copy worker pool: the goroutines started at pools.go:45 share Copier.jobs
// rejected drainer worker pool: the goroutines started at pools.go:62 share in
// rejected Group.func1 worker pool: the goroutines started at pools.go:72 share in
// actor Shard.run range family
// mailbox Shard.run Shard.queue data int 1
// actor Queues.serve range family
// mailbox Queues.serve q.queues[i] data int 3
// actor Queues.StartAll.func1 range family
// ! actor worker
// ! actor Validator.work
// ! actor Copier.copy
// ! actor drainer
// ! actor Group.func1
// started Shard.run in Shards loop
// started Queues.serve in (*Queues).Start loop
