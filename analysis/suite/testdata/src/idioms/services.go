// Services, generics, iterators and helpers.
package idioms

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"
)

var errFailed = errors.New("failed")

func work(ctx context.Context, n int) (int, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return n, nil
}

// Hub.
type hub struct {
	register, unregister chan chan string
	broadcast            chan string
	quit                 chan struct{}
	done                 chan struct{}
}

func newHub() *hub {
	h := &hub{register: make(chan chan string), unregister: make(chan chan string),
		broadcast: make(chan string), quit: make(chan struct{}), done: make(chan struct{})}
	go h.run()
	return h
}

func (h *hub) run() {
	defer close(h.done)
	clients := map[chan string]bool{}
	for {
		select {
		case c := <-h.register:
			clients[c] = true
		case c := <-h.unregister:
			if clients[c] {
				delete(clients, c)
				close(c)
			}
		case m := <-h.broadcast:
			for c := range clients {
				select {
				case c <- m:
				default:
					delete(clients, c)
					close(c)
				}
			}
		case <-h.quit:
			return
		}
	}
}

func (h *hub) stop() {
	close(h.quit)
	<-h.done
}

func useHub() {
	h := newHub()
	c := make(chan string, 1)
	h.register <- c
	h.broadcast <- "a"
	<-c
	h.unregister <- c
	h.stop()
}

// Generic map with a lock.
type safeMap[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (s *safeMap[K, V]) get(k K) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[k]
	return v, ok
}

func (s *safeMap[K, V]) getOrPut(k K, f func() V) V {
	if v, ok := s.get(k); ok {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.m[k]; ok {
		return v
	}
	v := f()
	s.m[k] = v
	return v
}

// Generic parallel map.
func parallel[T, R any](in []T, f func(T) R) []R {
	out := make([]R, len(in))
	var wg sync.WaitGroup
	for i, v := range in {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = f(v)
		}()
	}
	wg.Wait()
	return out
}

func useParallel() []int { return parallel([]int{1, 2}, func(n int) int { return n }) }

// Generic stage.
func stage[T any](ctx context.Context, in <-chan T, f func(T) T) <-chan T {
	out := make(chan T)
	go func() {
		defer close(out)
		for v := range in {
			select {
			case out <- f(v):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func useStage(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	src := make(chan int)
	go func() {
		defer close(src)
		for i := range 3 {
			select {
			case src <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range stage(ctx, src, func(n int) int { return n }) {
	}
}

// Embedded mutex.
type box struct {
	sync.Mutex
	n int
}

func (b *box) inc() {
	b.Lock()
	defer b.Unlock()
	b.n++
}

func (b *box) swap(o *box) {
	b.Lock()
	n := b.n
	b.Unlock()
	o.Lock()
	o.n = n
	o.Unlock()
}

// Lock handed to a helper.
func withLock(mu sync.Locker, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

func (b *box) helped() { withLock(&b.Mutex, func() { b.n++ }) }

// Method value deferred.
func (b *box) methodValue() {
	b.Lock()
	unlock := b.Unlock
	defer unlock()
	b.n++
}

// Begin and end in different methods.
type tx struct {
	mu   sync.Mutex
	open bool
}

func (t *tx) Begin() { t.mu.Lock(); t.open = true }

func (t *tx) Commit() { t.open = false; t.mu.Unlock() }

func (t *tx) Rollback() {
	if !t.open {
		return
	}
	t.open = false
	t.mu.Unlock()
}

func inTx(t *tx, f func() error) error {
	t.Begin()
	if err := f(); err != nil {
		t.Rollback()
		return err
	}
	t.Commit()
	return nil
}

// Unlock while calling.
func (b *box) around(f func()) {
	b.Lock()
	defer b.Unlock()
	b.Mutex.Unlock()
	f()
	b.Mutex.Lock()
	b.n++
}

// TryLock.
func (b *box) try() bool {
	if b.TryLock() {
		defer b.Unlock()
		b.n++
		return true
	}
	return false
}

// Semaphore with context.
type sem chan struct{}

func (s sem) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s sem) release() { <-s }

func limited2(ctx context.Context, items []int) error {
	s := make(sem, 2)
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, n := range items {
		if err := s.acquire(ctx); err != nil {
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer s.release()
			work(ctx, n)
		}()
	}
	return nil
}

// Cond queue with limit.
type bounded struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	items    []int
	max      int
	closed   bool
}

func newBounded(max int) *bounded {
	b := &bounded{max: max}
	b.notEmpty, b.notFull = sync.NewCond(&b.mu), sync.NewCond(&b.mu)
	return b
}

func (b *bounded) put(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) >= b.max && !b.closed {
		b.notFull.Wait()
	}
	if b.closed {
		return false
	}
	b.items = append(b.items, n)
	b.notEmpty.Signal()
	return true
}

func (b *bounded) take() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 && !b.closed {
		b.notEmpty.Wait()
	}
	if len(b.items) == 0 {
		return 0, false
	}
	n := b.items[0]
	b.items = b.items[1:]
	b.notFull.Signal()
	return n, true
}

func (b *bounded) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.notEmpty.Broadcast()
	b.notFull.Broadcast()
}

func useBounded() {
	b := newBounded(1)
	done := make(chan int)
	go func() {
		sum := 0
		for {
			n, ok := b.take()
			if !ok {
				done <- sum
				return
			}
			sum += n
		}
	}()
	for i := range 2 {
		b.put(i)
	}
	b.close()
	<-done
}

// Service with start and stop.
type service struct {
	mu      sync.Mutex
	running bool
	stopc   chan struct{}
	wg      sync.WaitGroup
}

func (s *service) Start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return errFailed
	}
	s.running = true
	s.stopc = make(chan struct{})
	s.wg.Add(1)
	go s.loop(s.stopc)
	return nil
}

func (s *service) loop(stop <-chan struct{}) {
	defer s.wg.Done()
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			s.tick()
		}
	}
}

func (s *service) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
}

func (s *service) Stop() {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return
	}
	s.running = false
	close(s.stopc)
	s.mu.Unlock()
	s.wg.Wait()
}

// Request and answer.
type request struct {
	n     int
	reply chan int
}

type server2 struct {
	reqs chan request
	quit chan struct{}
	done chan struct{}
}

func (s *server2) serve() {
	defer close(s.done)
	for {
		select {
		case r := <-s.reqs:
			r.reply <- r.n
		case <-s.quit:
			return
		}
	}
}

func (s *server2) ask(n int) (int, bool) {
	r := request{n, make(chan int, 1)}
	select {
	case s.reqs <- r:
		return <-r.reply, true
	case <-s.done:
		return 0, false
	}
}

// Retries with backoff.
func retry2(ctx context.Context, f func() error) error {
	wait := time.Millisecond
	for {
		if err := f(); err == nil {
			return nil
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
		wait *= 2
	}
}

// Once-guarded close.
type stopper struct {
	once sync.Once
	c    chan struct{}
}

func (s *stopper) stop() { s.once.Do(func() { close(s.c) }) }

func stopTwice() {
	s := &stopper{c: make(chan struct{})}
	go s.stop()
	go s.stop()
	<-s.c
}

// Channels in a map.
type waiters struct {
	mu sync.Mutex
	m  map[int]chan int
}

func (w *waiters) wait(ctx context.Context, id int) (int, error) {
	c := make(chan int, 1)
	w.mu.Lock()
	w.m[id] = c
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.m, id)
		w.mu.Unlock()
	}()
	select {
	case n := <-c:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (w *waiters) wake(id, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c, ok := w.m[id]; ok {
		c <- n
		delete(w.m, id)
	}
}

// Channels in a slice.
func fan(n int) {
	chans := make([]chan int, 3)
	for i := range chans {
		chans[i] = make(chan int)
	}
	var wg sync.WaitGroup
	for _, c := range chans {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range c {
			}
		}()
	}
	for i := range 4 {
		chans[i%3] <- n
	}
	for _, c := range chans {
		close(c)
	}
	wg.Wait()
}

// Channel of channels.
func pool() {
	idle := make(chan chan int, 2)
	var wg sync.WaitGroup
	for range 2 {
		c := make(chan int)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range c {
				idle <- c
			}
		}()
		idle <- c
	}
	for i := range 3 {
		c := <-idle
		c <- i
	}
	for range 2 {
		close(<-idle)
	}
	wg.Wait()
}

// Range over a function.
func (b *box) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.Lock()
		defer b.Unlock()
		for i := range b.n {
			if !yield(i) {
				return
			}
		}
	}
}

func sumAll(b *box) (sum int) {
	for n := range b.all() {
		if n > 3 {
			return sum
		}
		sum += n
	}
	return sum
}

// Labelled break.
func labelled(ctx context.Context, in <-chan int) (sum int) {
loop:
	for {
		select {
		case n, ok := <-in:
			if !ok {
				break loop
			}
			sum += n
		case <-ctx.Done():
			break loop
		}
	}
	return sum
}

func useLabelled(ctx context.Context) int {
	in := make(chan int, 3)
	go func() {
		defer close(in)
		for i := range 3 {
			in <- i
		}
	}()
	return labelled(ctx, in)
}

// Goto.
func jumps(b *box, n int) error {
	b.Lock()
	if n < 0 {
		goto fail
	}
	b.n = n
	b.Unlock()
	return nil
fail:
	b.Unlock()
	return errFailed
}

// Errgroup by hand.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error { g.wg.Wait(); return g.err }

func useGroup(ctx context.Context, items []int) error {
	var g group
	for _, n := range items {
		g.Go(func() error { _, err := work(ctx, n); return err })
	}
	return g.Wait()
}

// First error wins, others drained.
func firstError(ctx context.Context, items []int) error {
	errs := make(chan error)
	for _, n := range items {
		go func() { _, err := work(ctx, n); errs <- err }()
	}
	var first error
	for range items {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Ticker and done.
func poll(done <-chan struct{}, f func() bool) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
			if f() {
				return
			}
		}
	}
}

func usePoll() {
	done := make(chan struct{})
	fin := make(chan struct{})
	go func() { defer close(fin); poll(done, func() bool { return false }) }()
	close(done)
	<-fin
}

// Double-checked flag.
type lazy struct {
	mu   sync.Mutex
	done atomic.Bool
	v    int
}

func (l *lazy) get() int {
	if l.done.Load() {
		return l.v
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done.Load() {
		l.v = 1
		l.done.Store(true)
	}
	return l.v
}

// Reader goroutine whose reader is closed.
func readLines(r io.ReadCloser, ctx context.Context) ([]byte, error) {
	type res struct {
		b   []byte
		err error
	}
	c := make(chan res, 1)
	go func() {
		b, err := io.ReadAll(r)
		c <- res{b, err}
	}()
	select {
	case x := <-c:
		return x.b, x.err
	case <-ctx.Done():
		r.Close()
		x := <-c
		return x.b, ctx.Err()
	}
}

// Double buffer.
func batcher(in <-chan int, flush func([]int)) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		var buf []int
		t := time.NewTimer(time.Second)
		defer t.Stop()
		for {
			select {
			case n, ok := <-in:
				if !ok {
					flush(buf)
					return
				}
				buf = append(buf, n)
				if len(buf) < 10 {
					continue
				}
			case <-t.C:
			}
			flush(buf)
			buf = nil
			t.Reset(time.Second)
		}
	}()
	return done
}

func useBatcher() {
	in := make(chan int)
	done := batcher(in, func([]int) {})
	in <- 1
	close(in)
	<-done
}

// Lock in order of address.
func both(a, b *box) {
	first, second := a, b
	if a.n > b.n {
		first, second = b, a
	}
	first.Lock()
	defer first.Unlock()
	if second != first {
		second.Lock()
		defer second.Unlock()
	}
}

// Deferred closure unlocks unless handed on.
func (b *box) handOn() (release func(), err error) {
	b.Lock()
	ok := false
	defer func() {
		if !ok {
			b.Unlock()
		}
	}()
	if b.n == 0 {
		return nil, errFailed
	}
	ok = true
	return b.Unlock, nil
}

// Named result decides.
func (b *box) named(f func() error) (err error) {
	b.Lock()
	defer func() {
		if err != nil {
			b.n = 0
		}
		b.Unlock()
	}()
	if err = f(); err != nil {
		return err
	}
	return nil
}

// Conditional unlock by a flag.
func (b *box) flagged(lock bool) {
	if lock {
		b.Lock()
	}
	b.n++
	if lock {
		b.Unlock()
	}
}

// Conditional defer.
func (b *box) condDefer(lock bool) int {
	if lock {
		b.Lock()
		defer b.Unlock()
	}
	return b.n
}

// Pause and resume by swapping a channel.
type pauser struct {
	mu sync.Mutex
	c  chan struct{}
}

func (p *pauser) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c == nil {
		p.c = make(chan struct{})
	}
}

func (p *pauser) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c != nil {
		close(p.c)
		p.c = nil
	}
}

func (p *pauser) wait() {
	p.mu.Lock()
	c := p.c
	p.mu.Unlock()
	if c != nil {
		<-c
	}
}

// Broadcast by closing and replacing.
type event struct {
	mu sync.Mutex
	c  chan struct{}
}

func (e *event) fire() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.c)
	e.c = make(chan struct{})
}

func (e *event) wait(ctx context.Context) {
	e.mu.Lock()
	c := e.c
	e.mu.Unlock()
	select {
	case <-c:
	case <-ctx.Done():
	}
}

// Background refresh that the caller stops.
func refresh(f func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(time.Second):
				f()
			}
		}
	}()
	return func() { close(quit); <-done }
}

func useRefresh() {
	stop := refresh(func() {})
	defer stop()
}

// Wait group in a struct given to goroutines.
type job struct {
	wg *sync.WaitGroup
	n  int
}

func (j job) run() { defer j.wg.Done() }

func runJobs() {
	var wg sync.WaitGroup
	jobs := []job{{&wg, 1}, {&wg, 2}}
	wg.Add(len(jobs))
	for _, j := range jobs {
		go j.run()
	}
	wg.Wait()
}

// Unbuffered handover with default.
func handover() {
	c := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c:
		case <-time.After(time.Second):
		}
	}()
	select {
	case c <- 1:
	default:
	}
	<-done
}

// Recursive walk with a semaphore.
func walk(depth int, sem chan struct{}, wg *sync.WaitGroup) {
	defer wg.Done()
	if depth == 0 {
		return
	}
	for range 2 {
		wg.Add(1)
		select {
		case sem <- struct{}{}:
			go func() {
				defer func() { <-sem }()
				walk(depth-1, sem, wg)
			}()
		default:
			walk(depth-1, sem, wg)
		}
	}
}

func useWalk() {
	var wg sync.WaitGroup
	wg.Add(1)
	walk(1, make(chan struct{}, 1), &wg)
	wg.Wait()
}

// Init order: package variables.
var registry = newRegistry()

type reg struct {
	mu sync.Mutex
	m  map[string]int
}

func newRegistry() *reg { return &reg{m: map[string]int{}} }

func register(name string) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.m[name]++
}

func init() { register("a") }

// Panics recovered in a worker.
func safely(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errFailed
		}
	}()
	f()
	return nil
}

func workers(jobs []func()) {
	c := make(chan func())
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for f := range c {
				safely(f)
			}
		}()
	}
	for _, j := range jobs {
		c <- j
	}
	close(c)
	wg.Wait()
}

// Or-done.
func orDone(done <-chan struct{}, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for {
			select {
			case <-done:
				return
			case v, ok := <-in:
				if !ok {
					return
				}
				select {
				case out <- v:
				case <-done:
					return
				}
			}
		}
	}()
	return out
}

func useOrDone() int {
	done := make(chan struct{})
	defer close(done)
	in := make(chan int, 2)
	in <- 1
	in <- 2
	return <-orDone(done, in)
}

// Tee.
func tee(in <-chan int) (<-chan int, <-chan int) {
	a, b := make(chan int), make(chan int)
	go func() {
		defer close(a)
		defer close(b)
		for v := range in {
			a, b := a, b
			for range 2 {
				select {
				case a <- v:
					a = nil
				case b <- v:
					b = nil
				}
			}
		}
	}()
	return a, b
}

func useTee() {
	in := make(chan int)
	go func() { defer close(in); in <- 1 }()
	a, b := tee(in)
	for a != nil || b != nil {
		select {
		case _, ok := <-a:
			if !ok {
				a = nil
			}
		case _, ok := <-b:
			if !ok {
				b = nil
			}
		}
	}
}

// Signal with buffered wake and lock.
type wakeable struct {
	mu   sync.Mutex
	q    []int
	wake chan struct{}
}

func (w *wakeable) push(n int) {
	w.mu.Lock()
	w.q = append(w.q, n)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *wakeable) loop(ctx context.Context) {
	for {
		w.mu.Lock()
		q := w.q
		w.q = nil
		w.mu.Unlock()
		if len(q) == 0 {
			select {
			case <-w.wake:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Closed by the last of several senders.
func lastCloses() (sum int) {
	c := make(chan int)
	var left atomic.Int32
	left.Store(2)
	for i := range 2 {
		go func() {
			c <- i
			if left.Add(-1) == 0 {
				close(c)
			}
		}()
	}
	for n := range c {
		sum += n
	}
	return sum
}

// Value from a Once.
type conf struct {
	once sync.Once
	v    int
	err  error
}

func (c *conf) get() (int, error) {
	c.once.Do(func() { c.v, c.err = work(context.Background(), 1) })
	return c.v, c.err
}

// Context value and AfterFunc.
func afterFunc(ctx context.Context) {
	c := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { close(c) })
	if !stop() {
		<-c
	}
}

// Two-phase close.
type conn struct {
	mu     sync.Mutex
	closed bool
	out    chan int
	wg     sync.WaitGroup
}

func dial() *conn {
	c := &conn{out: make(chan int, 1)}
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		for range c.out {
		}
	}()
	return c
}

func (c *conn) write(n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errFailed
	}
	c.out <- n
	return nil
}

func (c *conn) close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	close(c.out)
	c.mu.Unlock()
	c.wg.Wait()
	return nil
}

func useConn() {
	c := dial()
	go c.close()
	c.write(1)
	c.close()
}

// Merge with reflect-free select and counts.
func merge(chans ...<-chan int) <-chan int {
	out := make(chan int, len(chans))
	var wg sync.WaitGroup
	wg.Add(len(chans))
	for _, c := range chans {
		go func(c <-chan int) {
			defer wg.Done()
			for v := range c {
				out <- v
			}
		}(c)
	}
	go func() { wg.Wait(); close(out) }()
	return out
}

func useMerge() (n int) {
	a, b := make(chan int), make(chan int)
	go func() { defer close(a); a <- 1 }()
	go func() { defer close(b); b <- 2 }()
	for v := range merge(a, b) {
		n += v
	}
	return n
}

// Interface with lock methods.
type store interface {
	Lock()
	Unlock()
	Put(int)
}

func putAll(s store, items []int) {
	s.Lock()
	defer s.Unlock()
	for _, n := range items {
		s.Put(n)
	}
}

// Read lock to write lock with release.
func (s *safeMap[K, V]) upgrade(k K, v V) {
	s.mu.RLock()
	_, ok := s.m[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		s.m[k] = v
		s.mu.Unlock()
	}
}

// Heartbeat that is cancelled before waiting.
func heartbeat(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	beat := make(chan struct{})
	go func() {
		defer close(beat)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
	}()
	_, err := work(ctx, 1)
	cancel()
	<-beat
	return err
}

// Wait with timeout and leftover drained by a buffered channel.
func waitFor(wg *sync.WaitGroup, d time.Duration) bool {
	c := make(chan struct{})
	go func() {
		defer close(c)
		wg.Wait()
	}()
	select {
	case <-c:
		return true
	case <-time.After(d):
		return false
	}
}

// Producer with quit in both directions.
func produce(quit chan struct{}) (<-chan int, func()) {
	c := make(chan int)
	var once sync.Once
	stop := func() { once.Do(func() { close(quit) }) }
	go func() {
		defer close(c)
		for i := 0; ; i++ {
			select {
			case c <- i:
			case <-quit:
				return
			}
		}
	}()
	return c, stop
}

func useProduce() int {
	c, stop := produce(make(chan struct{}))
	defer stop()
	return <-c + <-c
}

// Switch with fallthrough and unlock.
func (b *box) sw(n int) {
	b.Lock()
	switch n {
	case 0:
		b.n++
		fallthrough
	case 1:
		b.n++
		b.Unlock()
	default:
		b.Unlock()
	}
}

// Lock in a loop with continue and break.
func (b *box) loops(xs []int) {
	for _, x := range xs {
		b.Lock()
		if x == 0 {
			b.Unlock()
			continue
		}
		if x == 1 {
			b.Unlock()
			break
		}
		b.n += x
		b.Unlock()
	}
}

// A goroutine per client that unregisters itself.
type clients struct {
	mu sync.Mutex
	m  map[int]chan int
	wg sync.WaitGroup
}

func (c *clients) add(id int) chan<- int {
	ch := make(chan int)
	c.mu.Lock()
	c.m[id] = ch
	c.mu.Unlock()
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		for range ch {
		}
		c.mu.Lock()
		delete(c.m, id)
		c.mu.Unlock()
	}()
	return ch
}

func useClients() {
	c := &clients{m: map[int]chan int{}}
	for i := range 2 {
		ch := c.add(i)
		ch <- i
		close(ch)
	}
	c.wg.Wait()
}

// Results by index and an error channel with room for one.
func index(items []int) error {
	errc := make(chan error, 1)
	var wg sync.WaitGroup
	for _, n := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := work(context.Background(), n); err != nil {
				select {
				case errc <- err:
				default:
				}
			}
		}()
	}
	wg.Wait()
	select {
	case err := <-errc:
		return err
	default:
		return nil
	}
}

// State machine of functions.
type state func(*machine) state

type machine struct {
	in  chan int
	out chan int
}

func begin(m *machine) state {
	n, ok := <-m.in
	if !ok {
		return nil
	}
	m.out <- n
	return begin
}

func runMachine() int {
	m := &machine{make(chan int), make(chan int, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := state(begin); s != nil; {
			s = s(m)
		}
	}()
	m.in <- 1
	close(m.in)
	<-done
	return <-m.out
}

// Rate limiter that leaks nothing.
func rate(ctx context.Context, n int) {
	tokens := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				select {
				case tokens <- struct{}{}:
				default:
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	for range n {
		select {
		case <-tokens:
		case <-ctx.Done():
			return
		}
	}
}

// A mutex by value in a map of pointers.
type keyed2 struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (k *keyed2) with(key string, f func()) {
	k.mu.Lock()
	l, ok := k.locks[key]
	if !ok {
		l = new(sync.Mutex)
		k.locks[key] = l
	}
	k.mu.Unlock()
	l.Lock()
	defer l.Unlock()
	f()
}

// Workers, of which the caller wants at least one.
func counted2(items []int, workers int) {
	c := make(chan int)
	var wg sync.WaitGroup
	for i := 0; i < workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range c {
			}
		}()
	}
	for _, n := range items {
		c <- n
	}
	close(c)
	wg.Wait()
}

func countedRange(items []int, workers int) {
	c := make(chan int)
	for range workers {
		go func() {
			for range c {
			}
		}()
	}
	for _, n := range items {
		c <- n
	}
	close(c)
}

// The caller gets the lock, and unlocks it.
func (b *box) yields(n int) (lock *sync.Mutex, err error) {
	b.Lock()
	if n == 0 {
		b.Unlock()
		return nil, errFailed
	}
	return &b.Mutex, nil
}

func (b *box) owns(n int) {
	lock, err := b.yields(n)
	if err != nil {
		return
	}
	b.n++
	lock.Unlock()
}
