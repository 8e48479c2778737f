package mistakes

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

// Correct by itself.
func work(ctx context.Context, n int) (int, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return n, nil
}

// hub: the loop returns without close(done)
type hub struct {
	broadcast chan string
	quit      chan struct{}
	done      chan struct{}
}

func hubStop() {
	h := &hub{make(chan string), make(chan struct{}), make(chan struct{})}
	go func() {
		for {
			select {
			case <-h.broadcast:
			case <-h.quit:
				return
			}
		}
	}()
	close(h.quit)
	<-h.done
}

// generic: early return without unlock
type safeMap[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (s *safeMap[K, V]) genericEarly(k K) (V, error) {
	s.mu.RLock()
	v, ok := s.m[k]
	if !ok {
		return v, errFailed
	}
	s.mu.RUnlock()
	return v, nil
}

// Correct by itself.
func (s *safeMap[K, V]) get(k K) V {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[k]
}

func (s *safeMap[K, V]) genericTwice(k K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[k]; !ok {
		s.get(k)
	}
}

func genericStage[T any](ctx context.Context, in []T, f func(T) T) T {
	out := make(chan T)
	go func() {
		for _, v := range in {
			out <- f(v)
		}
	}()
	select {
	case v := <-out:
		return v
	case <-ctx.Done():
		var zero T
		return zero
	}
}

type box struct {
	sync.Mutex
	n int
}

// Correct by itself.
func (b *box) size2() int {
	b.Lock()
	defer b.Unlock()
	return b.n
}

// Correct by itself.
func (b *box) size3() int {
	b.Lock()
	defer b.Unlock()
	return b.n
}

// Correct by itself.
func (b *box) size() int {
	b.Lock()
	defer b.Unlock()
	return b.n
}

func (b *box) embeddedTwice() int {
	b.Lock()
	defer b.Unlock()
	return b.size() + 1
}

// Correct by itself.
func withLock(mu sync.Locker, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

func (b *box) helperTwice() {
	withLock(&b.Mutex, func() {
		b.size2()
	})
}

func (b *box) methodValueTwice() {
	b.Lock()
	defer b.Unlock()
	f := b.size3
	f()
}

func (b *box) tryKept() bool {
	if !b.TryLock() {
		return false
	}
	if b.n == 0 {
		return false
	}
	b.Unlock()
	return true
}

type sem chan struct{}

// Correct by itself.
func (s sem) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func semKept(items []int) {
	s := make(sem, 1)
	for _, n := range items {
		s <- struct{}{}
		if n == 0 {
			continue
		}
		<-s
	}
}

type bounded struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	items    []int
	closed   bool
}

// Correct by itself.
func (b *bounded) take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 && !b.closed {
		b.notEmpty.Wait()
	}
	return len(b.items)
}

func condNoBroadcast() {
	b := &bounded{}
	b.notEmpty = sync.NewCond(&b.mu)
	done := make(chan int)
	go func() { done <- b.take() }()
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	<-done
}

type Service struct {
	mu    sync.Mutex
	stopc chan struct{}
	wg    sync.WaitGroup
	n     int
}

// Correct by itself.
func (s *Service) Start() {
	s.stopc = make(chan struct{})
	s.wg.Add(1)
	go s.loop()
}

// Correct by itself.
func (s *Service) loop() {
	defer s.wg.Done()
	for {
		select {
		case <-s.stopc:
			return
		case <-time.After(time.Second):
			s.tick()
		}
	}
}

// Correct by itself.
func (s *Service) tick() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func (s *Service) StopUnderLock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.stopc)
	s.wg.Wait()
}

type request struct {
	n     int
	reply chan int
}

func askTimeout(reqs chan request) int {
	mine := make(chan request)
	go func() {
		for r := range mine {
			r.reply <- r.n
		}
	}()
	defer close(mine)
	r := request{1, make(chan int)}
	mine <- r
	select {
	case n := <-r.reply:
		return n
	case <-time.After(time.Second):
		return 0
	}
}

func closeByBoth() {
	c := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			select {
			case <-c:
			default:
				close(c)
			}
		}()
	}
	wg.Wait()
}

type waiters struct {
	mu sync.Mutex
	m  map[int]chan int
}

func (w *waiters) waitEarly(id int) (int, error) {
	w.mu.Lock()
	c, ok := w.m[id]
	if !ok {
		return 0, errFailed
	}
	w.mu.Unlock()
	return <-c, nil
}

func fanNotClosed() {
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
	for _, c := range chans[1:] {
		close(c)
	}
	wg.Wait()
}

func poolNotIdle() {
	idle := make(chan chan int)
	c := make(chan int)
	go func() {
		for range c {
			idle <- c
		}
	}()
	c <- 1
	c <- 2
	<-idle
}

// Correct by itself.
func (b *box) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.Lock()
		for i := range b.n {
			if !yield(i) {
				return
			}
		}
		b.Unlock()
	}
}

func rangeFuncKept(b *box) int {
	for n := range b.all() {
		return n
	}
	return b.size()
}

func rangeFuncTwice(b *box) (sum int) {
	for range b.all() {
		b.Lock()
		sum++
		b.Unlock()
	}
	return sum
}

func breakInSelect() {
	in, quit := make(chan int), make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-in:
			case <-quit:
				break
			}
		}
	}()
	in <- 1
	quit <- struct{}{}
	<-done
}

func (b *box) gotoKept(n int) error {
	b.Lock()
	if n < 0 {
		goto fail
	}
	b.n = n
	b.Unlock()
	return nil
fail:
	return errFailed
}

func addInside(items []int) {
	var wg sync.WaitGroup
	res := make(chan int)
	for range items {
		go func() {
			wg.Add(1)
			defer wg.Done()
			res <- 1
		}()
	}
	wg.Wait()
	close(res)
	for range res {
	}
}

func doneTwice() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { wg.Done() }()
	wg.Wait()
}

func firstError(ctx context.Context, items []int) error {
	errs := make(chan error)
	for _, n := range items {
		go func() { _, err := work(ctx, n); errs <- err }()
	}
	for range items {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func pollNotStopped() {
	done, fin := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(fin)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Second):
			}
		}
	}()
	<-fin
	close(done)
}

func readLines(r io.Reader, ctx context.Context) ([]byte, error) {
	c := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(r)
		c <- b
	}()
	select {
	case x := <-c:
		return x, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func batcherNotClosed() {
	in := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range in {
		}
	}()
	in <- 1
	<-done
}

func twoLocks() {
	var a, b box
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Lock()
		defer a.Unlock()
		b.Lock()
		defer b.Unlock()
	}()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}

// two exported methods in two orders
type Bank struct{ a, b sync.Mutex }

func (k *Bank) AB() {
	k.a.Lock()
	defer k.a.Unlock()
	k.b.Lock()
	defer k.b.Unlock()
}

func (k *Bank) BA() {
	k.b.Lock()
	defer k.b.Unlock()
	k.a.Lock()
	defer k.a.Unlock()
}

func (b *box) namedKept(f func() error) (err error) {
	b.Lock()
	defer func() {
		if err == nil {
			b.Unlock()
		}
	}()
	return f()
}

func (b *box) condKept(f func() error) error {
	b.Lock()
	if err := f(); err != nil {
		return err
	}
	defer b.Unlock()
	return nil
}

type pauser struct {
	mu sync.Mutex
	c  chan struct{}
}

func pauseUnderLock() {
	p := &pauser{c: make(chan struct{})}
	go func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(p.c)
	}()
	p.mu.Lock()
	<-p.c
	p.mu.Unlock()
}

func refreshNotQuit() {
	quit, done := make(chan struct{}), make(chan struct{})
	stop := func() { <-done; close(quit) }
	go func() {
		defer close(done)
		<-quit
	}()
	stop()
}

type job struct {
	wg *sync.WaitGroup
	n  int
}

// Correct by itself.
func (j job) run() {
	if j.n == 0 {
		return
	}
	j.wg.Done()
}

func runJobs() {
	var wg sync.WaitGroup
	jobs := []job{{&wg, 0}, {&wg, 2}}
	wg.Add(len(jobs))
	for _, j := range jobs {
		go j.run()
	}
	wg.Wait()
}

func handover() {
	c := make(chan int)
	go func() { <-c }()
	select {
	case c <- 1:
	default:
	}
}

func workers(jobs []func()) {
	c := make(chan func())
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			for f := range c {
				f()
			}
			wg.Done()
		}()
	}
	for _, j := range jobs {
		c <- j
	}
	wg.Wait()
	close(c)
}

func orDoneMissing() int {
	in := make(chan int)
	out := make(chan int)
	go func() {
		for v := range in {
			out <- v
		}
	}()
	in <- 1
	return <-out
}

func teeOneReader() int {
	in, a, b := make(chan int), make(chan int), make(chan int)
	go func() {
		for v := range in {
			a <- v
			b <- v
		}
	}()
	in <- 1
	close(in)
	return <-a
}

func lastCloses() (sum int) {
	c := make(chan int)
	for i := range 2 {
		go func() {
			c <- i
			if i == 1 {
				close(c)
			}
		}()
	}
	for n := range c {
		sum += n
	}
	return sum
}

type conf struct {
	once sync.Once
	v    int
}

// Correct by itself.
func (c *conf) get() int {
	c.once.Do(func() { c.v = c.get() })
	return c.v
}

func contextAfterFunc(ctx context.Context) {
	c := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { close(c) })
	stop()
	<-c
}

func closeThenWrite() {
	out := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		out <- 1
	}()
	close(out)
	wg.Wait()
}

func mergeNoClose() (n int) {
	a, out := make(chan int), make(chan int)
	go func() { defer close(a); a <- 1 }()
	go func() {
		for v := range a {
			out <- v
		}
	}()
	for v := range out {
		n += v
	}
	return n
}

type store interface {
	Lock()
	Unlock()
	Put(int) error
}

func putKept(s store, items []int) error {
	s.Lock()
	for _, n := range items {
		if err := s.Put(n); err != nil {
			return err
		}
	}
	s.Unlock()
	return nil
}

func produceLeft() int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 0; i < 3; i++ {
			c <- i
		}
	}()
	return <-c + <-c
}

func (b *box) switchKept(n int) {
	b.Lock()
	switch n {
	case 0:
		b.n++
	case 1:
		b.Unlock()
	default:
		b.Unlock()
	}
}

func (b *box) continueKept(xs []int) {
	for _, x := range xs {
		b.Lock()
		if x == 0 {
			continue
		}
		b.Unlock()
	}
}

func panicKept(f func()) (err error) {
	var mu sync.Mutex
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { recover() }()
		mu.Lock()
		f()
		panic("x")
	}()
	<-done
	mu.Lock()
	mu.Unlock()
	return nil
}

func machineNotClosed() {
	in := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, ok := <-in; !ok {
				return
			}
		}
	}()
	in <- 1
	<-done
	close(in)
}

func rateLeft(n int) {
	tokens := make(chan struct{})
	go func() {
		for {
			time.Sleep(time.Second)
			tokens <- struct{}{}
		}
	}()
	for range n {
		<-tokens
	}
}

type keyed struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (k *keyed) withKept(key string, f func()) {
	k.mu.Lock()
	l, ok := k.locks[key]
	if !ok {
		return
	}
	k.mu.Unlock()
	l.Lock()
	defer l.Unlock()
	f()
}

func timerNotDrained() {
	t := time.NewTimer(time.Second)
	t.Stop()
	<-t.C
}

func pipeNoReader() error {
	pr, pw := io.Pipe()
	_ = pr
	_, err := pw.Write([]byte("x"))
	return err
}

func pipeLeak() ([]byte, error) {
	pr, pw := io.Pipe()
	go func() {
		pw.Write([]byte("x"))
	}()
	return io.ReadAll(pr)
}

func rwTwice() {
	var mu sync.RWMutex
	done := make(chan struct{})
	go func() {
		defer close(done)
		mu.Lock()
		mu.Unlock()
	}()
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
	<-done
}

type Queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	done  bool
}

func (q *Queue) TakeKept() (int, bool) {
	q.mu.Lock()
	for len(q.items) == 0 && !q.done {
		q.cond.Wait()
	}
	if q.done {
		return 0, false
	}
	n := q.items[0]
	q.mu.Unlock()
	return n, true
}

// Correct by itself.
func (q *Queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}

func (q *Queue) TakeTwice() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	return q.size()
}

func nobodyIsLast(n int) {
	if n <= 0 {
		return
	}
	var left atomic.Int32
	left.Store(int32(n))
	done := make(chan struct{})
	for range n {
		go func() {
			if left.Add(-1) < 0 {
				close(done)
			}
		}()
	}
	<-done
}
