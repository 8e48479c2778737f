package idioms

import (
	"context"
	"sync"
	"sync/atomic"
)

type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[key]++
}

func (c *counter) get(key string) (int, bool) {
	c.mu.Lock()
	n, ok := c.n[key]
	if !ok {
		c.mu.Unlock()
		return 0, false
	}
	c.mu.Unlock()
	return n, true
}

func (c *counter) early(key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key == "" {
		return errEmpty
	}
	c.n[key] = 1
	return nil
}

func (c *counter) twice() {
	c.mu.Lock()
	a := c.n["a"]
	c.mu.Unlock()
	compute(a)
	c.mu.Lock()
	c.n["a"] = a + 1
	c.mu.Unlock()
}

func (c *counter) each(f func(string)) {
	c.mu.Lock()
	var keys []string
	for k := range c.n {
		keys = append(keys, k)
	}
	c.mu.Unlock()
	for _, k := range keys {
		f(k)
	}
}

func (c *counter) helper() { c.addLocked("x") }

func (c *counter) addLocked(key string) {
	c.mu.Lock()
	c.set(key)
	c.mu.Unlock()
}

func (c *counter) set(key string) { c.n[key] = 1 }

func (c *counter) Lock() { c.mu.Lock() }

func (c *counter) Unlock() { c.mu.Unlock() }

func (c *counter) begin() func() {
	c.mu.Lock()
	return c.mu.Unlock
}

func (c *counter) scoped() {
	defer c.begin()()
	c.n["s"]++
}

func (c *counter) try() bool {
	if !c.mu.TryLock() {
		return false
	}
	defer c.mu.Unlock()
	c.n["t"]++
	return true
}

type cache struct {
	mu    sync.RWMutex
	items map[string]int
}

func (c *cache) load(key string) int {
	c.mu.RLock()
	n, ok := c.items[key]
	c.mu.RUnlock()
	if ok {
		return n
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.items[key]; ok {
		return n
	}
	c.items[key] = 1
	return 1
}

type shards struct{ list [4]counter }

func (s *shards) add(n int, key string) {
	c := &s.list[n%4]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[key]++
}

func (s *shards) sum() (total int) {
	for i := range s.list {
		s.list[i].mu.Lock()
		total += len(s.list[i].n)
		s.list[i].mu.Unlock()
	}
	return total
}

type account struct {
	id      int
	mu      sync.Mutex
	balance int
}

func transfer(a, b *account, n int) {
	if a.id > b.id {
		a, b, n = b, a, -n
	}
	if a == b {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	a.balance -= n
	b.balance += n
}

type closer struct {
	once sync.Once
	done chan struct{}
}

func newCloser() *closer { return &closer{done: make(chan struct{})} }

func (c *closer) Close() { c.once.Do(func() { close(c.done) }) }

func closeTwice() {
	c := newCloser()
	go c.Close()
	c.Close()
	<-c.done
}

type flagged struct {
	mu     sync.Mutex
	closed bool
	ch     chan int
}

func (f *flagged) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	close(f.ch)
}

func (f *flagged) Send(n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	select {
	case f.ch <- n:
		return true
	default:
		return false
	}
}

func closeByTwo() {
	f := &flagged{ch: make(chan int, 1)}
	go f.Close()
	f.Close()
}

func swapped() {
	var closed atomic.Bool
	ch := make(chan struct{})
	shut := func() {
		if closed.CompareAndSwap(false, true) {
			close(ch)
		}
	}
	go shut()
	shut()
	<-ch
}

type worker struct {
	jobs chan int
	wg   sync.WaitGroup
}

func startWorker() *worker {
	w := &worker{jobs: make(chan int)}
	w.wg.Add(1)
	go w.run()
	return w
}

func (w *worker) run() {
	defer w.wg.Done()
	for n := range w.jobs {
		compute(n)
	}
}

func (w *worker) stop() {
	close(w.jobs)
	w.wg.Wait()
}

func useWorker() {
	w := startWorker()
	w.jobs <- 1
	w.stop()
}

type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	items []int
	done  bool
}

func newQueue() *queue {
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(n int) {
	q.mu.Lock()
	q.items = append(q.items, n)
	q.mu.Unlock()
	q.ready.Signal()
}

func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.done {
		q.ready.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, true
}

func (q *queue) end() {
	q.mu.Lock()
	q.done = true
	q.mu.Unlock()
	q.ready.Broadcast()
}

func useQueue() {
	q := newQueue()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			if _, ok := q.take(); !ok {
				return
			}
		}
	}()
	q.put(1)
	q.end()
	wg.Wait()
}

func condDone() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := false
	go func() {
		mu.Lock()
		done = true
		cond.Broadcast()
		mu.Unlock()
	}()
	mu.Lock()
	for !done {
		cond.Wait()
	}
	mu.Unlock()
}

func lazily() func() int {
	var once sync.Once
	n := 0
	return func() int {
		once.Do(func() { n, _ = compute(1) })
		return n
	}
}

func onceValue() int {
	f := sync.OnceValue(func() int { return global })
	return f() + f()
}

func waitTwice(items []int) {
	var wg sync.WaitGroup
	for range items {
		wg.Add(1)
		go func() { defer wg.Done() }()
	}
	wg.Wait()
	wg.Add(1)
	go wg.Done()
	wg.Wait()
}

func addMany(items []int) {
	var wg sync.WaitGroup
	wg.Add(len(items))
	for range items {
		go func() {
			defer wg.Done()
			compute(1)
		}()
	}
	wg.Wait()
}

func addOnCondition(items []int) {
	var wg sync.WaitGroup
	for _, n := range items {
		if n < 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := compute(n); err != nil {
				return
			}
			compute(n + 1)
		}()
	}
	wg.Wait()
}

func waitOrContext(ctx context.Context, items []int) error {
	var wg sync.WaitGroup
	for range items {
		wg.Add(1)
		go func() { defer wg.Done() }()
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type bus struct {
	mu   sync.RWMutex
	subs map[int]chan int
}

func (b *bus) publish(n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, ch := range b.subs {
		select {
		case ch <- n:
		default:
		}
	}
}

func (b *bus) subscribe(id int) <-chan int {
	ch := make(chan int, 8)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs[id] = ch
	return ch
}

func (b *bus) unsubscribe(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ch, ok := b.subs[id]; ok {
		delete(b.subs, id)
		close(ch)
	}
}

func lockInLoop(list []*counter) {
	for _, c := range list {
		c.mu.Lock()
		if len(c.n) == 0 {
			c.mu.Unlock()
			continue
		}
		clear(c.n)
		c.mu.Unlock()
	}
}

func lockSwitch(c *counter, kind int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kind {
	case 0:
		return len(c.n)
	case 1:
		return 1
	}
	return 0
}

func lockPanics(c *counter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.n) == 0 {
		panic("empty")
	}
}

func lockClosure(c *counter) int {
	get := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.n)
	}
	return get() + get()
}

func sendOutsideLock(c *counter, ch chan<- int) {
	c.mu.Lock()
	n := len(c.n)
	c.mu.Unlock()
	ch <- n
}
