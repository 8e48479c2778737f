package mistakes

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type outcome[T any] struct {
	value T
	err   error
}

// The reply has no buffer, and the caller may have left.

type task struct {
	n     int
	reply chan outcome[int]
}

func replyLeft(ctx context.Context) (int, error) {
	tasks := make(chan task)
	go func() {
		for t := range tasks {
			v, err := compute(t.n)
			t.reply <- outcome[int]{v, err}
		}
	}()
	defer close(tasks)
	t := task{1, make(chan outcome[int])}
	tasks <- t
	select {
	case r := <-t.reply:
		return r.value, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

type taskPool struct {
	tasks chan task
	quit  chan struct{}
	wg    sync.WaitGroup
}

// Correct by itself.
func (p *taskPool) work() {
	defer p.wg.Done()
	for {
		select {
		case t := <-p.tasks:
			t.reply <- outcome[int]{t.n, nil}
		case <-p.quit:
			return
		}
	}
}

func poolWaitsBeforeQuit() {
	p := &taskPool{tasks: make(chan task), quit: make(chan struct{})}
	p.wg.Add(2)
	for i := 0; i < 2; i++ {
		go p.work()
	}
	p.wg.Wait()
	close(p.quit)
}

func mapAllKept[T any](in []T, f func(T) error) error {
	sem := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for _, x := range in {
		wg.Add(1)
		sem <- struct{}{}
		go func() {
			defer wg.Done()
			if err := f(x); err != nil {
				return
			}
			<-sem
		}()
	}
	wg.Wait()
	return nil
}

func errorsWithoutRoom(items []int) error {
	errs := make(chan error)
	var wg sync.WaitGroup
	for _, n := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := fails(n); err != nil {
				errs <- err
			}
		}()
	}
	wg.Wait()
	close(errs)
	var all error
	for err := range errs {
		all = errors.Join(all, err)
	}
	return all
}

func runServer(ctx context.Context, h http.Handler) error {
	srv := &http.Server{Addr: ":0", Handler: h}
	errc := make(chan error)
	go func() { errc <- srv.ListenAndServe() }()
	select {
	case err := <-errc:
		return err
	case <-ctx.Done():
	}
	return srv.Shutdown(context.Background())
}

func serverIdleNotClosed(stop <-chan struct{}) error {
	srv := &http.Server{Addr: ":0"}
	idle := make(chan struct{})
	go func() {
		<-stop
		if err := srv.Shutdown(context.Background()); err != nil {
			return
		}
		close(idle)
	}()
	err := srv.ListenAndServe()
	<-idle
	return err
}

type connTable struct {
	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool
	wg     sync.WaitGroup
}

func (s *connTable) Track(c net.Conn) bool {
	s.mu.Lock()
	if s.closed {
		return false
	}
	s.conns[c] = struct{}{}
	s.wg.Add(1)
	s.mu.Unlock()
	return true
}

func (s *connTable) untrack(c net.Conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.wg.Done()
}

func (s *connTable) CloseUnderLock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
		s.untrack(c)
	}
}

type debouncer struct {
	mu    sync.Mutex
	timer *time.Timer
}

func (d *debouncer) Call(f func()) bool {
	d.mu.Lock()
	if d.timer != nil {
		if !d.timer.Stop() {
			return false
		}
	}
	d.timer = time.AfterFunc(time.Second, f)
	d.mu.Unlock()
	return true
}

func childNotCancelled(parent context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		<-ctx.Done()
	}()
	wg.Wait()
	cancel()
}

type ring[T any] struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	buf      []T
	closed   bool
}

// Correct by itself.
func (r *ring[T]) Pop() (v T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.buf) == 0 {
		if r.closed {
			return v, false
		}
		r.notEmpty.Wait()
	}
	v = r.buf[0]
	r.buf = r.buf[1:]
	return v, true
}

func ringNotClosed() {
	r := &ring[int]{}
	r.notEmpty = sync.NewCond(&r.mu)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, ok := r.Pop(); !ok {
				return
			}
		}
	}()
	r.mu.Lock()
	r.buf = append(r.buf, 1)
	r.mu.Unlock()
	r.notEmpty.Signal()
	<-done
}

func ringClosedSilently() {
	r := &ring[int]{}
	r.notEmpty = sync.NewCond(&r.mu)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Pop()
	}()
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	<-done
}

type generation struct {
	mu   sync.Mutex
	wake chan struct{}
	n    int
}

func (g *generation) Next() {
	g.mu.Lock()
	g.n++
	if g.wake == nil {
		return
	}
	close(g.wake)
	g.wake = nil
	g.mu.Unlock()
}

type memo struct {
	mu sync.RWMutex
	m  map[string]int
}

func (m *memo) Get(k string) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, ok := m.m[k]
	if !ok {
		m.mu.Lock()
		m.m[k] = 1
		m.mu.Unlock()
	}
	return n
}

func (m *memo) Trim(max int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.m {
		if m.Size() <= max {
			break
		}
		delete(m.m, k)
	}
	return max
}

func (m *memo) Size() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.m)
}

func (m *memo) Wrong(k string) int {
	m.mu.RLock()
	n := m.m[k]
	m.mu.Unlock()
	return n
}

type refresher struct {
	mu   sync.Mutex
	last time.Time
}

func (r *refresher) Maybe() bool {
	if !r.mu.TryLock() {
		return false
	}
	if time.Since(r.last) < time.Second {
		return false
	}
	r.last = time.Now()
	r.mu.Unlock()
	return true
}

func limiterStopsLate() {
	tokens, stop, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case tokens <- struct{}{}:
			case <-stop:
				return
			}
		}
	}()
	<-tokens
	<-done
	close(stop)
}

type topic struct {
	mu   sync.Mutex
	subs map[*subscriber]struct{}
}

type subscriber struct {
	ch   chan int
	from *topic
}

// Correct by itself.
func (t *topic) Drop(s *subscriber) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.Leave()
}

// Correct by itself.
func (s *subscriber) Leave() {
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	delete(s.from.subs, s)
}

func dropOwn() {
	t := &topic{subs: map[*subscriber]struct{}{}}
	s := &subscriber{ch: make(chan int, 1), from: t}
	t.subs[s] = struct{}{}
	t.Drop(s)
}

type dispatcher struct {
	mu       sync.Mutex
	handlers map[string]func(int)
}

func (d *dispatcher) Emit(name string, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.handlers[name]; f != nil {
		f(n)
	}
}

func (d *dispatcher) Off(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.handlers, name)
}

func useDispatcher() {
	d := dispatcher{handlers: map[string]func(int){}}
	d.handlers["a"] = func(int) { d.Off("a") }
	d.Emit("a", 1)
}

type loopActor struct {
	ops  chan func()
	done chan struct{}
}

func startLoop() *loopActor {
	a := &loopActor{ops: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		for op := range a.ops {
			op()
		}
	}()
	return a
}

// Correct by itself.
func (a *loopActor) call(f func()) {
	ran := make(chan struct{})
	a.ops <- func() { f(); close(ran) }
	<-ran
}

func callInCall() {
	a := startLoop()
	a.call(func() { a.call(func() {}) })
	close(a.ops)
}

func stopWithoutClose() {
	a := startLoop()
	a.call(func() {})
	<-a.done
}

type swapCloser struct {
	down atomic.Bool
	ch   chan int
}

func (s *swapCloser) shut() {
	if !s.down.Load() {
		close(s.ch)
		s.down.Store(true)
	}
}

func closeRace() {
	s := &swapCloser{ch: make(chan int)}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(s.shut)
	}
	wg.Wait()
}

type base struct {
	sync.RWMutex
	n int
}

type derived struct {
	base
	names map[string]int
}

func (d *derived) Set(k string, n int) {
	d.Lock()
	defer d.Unlock()
	d.names[k] = n
}

func (d *derived) SetNew(k string, n int) bool {
	d.RLock()
	defer d.RUnlock()
	if _, ok := d.names[k]; ok {
		return false
	}
	d.Set(k, n)
	return true
}

type locked[T any] struct {
	sync.Mutex
	v T
}

// Correct by itself.
func (l *locked[T]) With(f func(*T)) {
	l.Lock()
	defer l.Unlock()
	f(&l.v)
}

func withInWith() {
	var l locked[int]
	l.With(func(n *int) { l.With(func(m *int) { *m = *n }) })
}

func deferInLoop(list []*base) (n int) {
	for range 2 {
		list[0].Lock()
		defer list[0].Unlock()
		n++
	}
	return n
}

func searchMatrix(m [][]int, mu *sync.Mutex) (x, y int) {
rows:
	for i, row := range m {
		for j, v := range row {
			mu.Lock()
			if v == global {
				x, y = i, j
				break rows
			}
			mu.Unlock()
		}
	}
	return x, y
}

func drainsStopped() (sum int) {
	in := make(chan int)
	go func() {
		defer close(in)
		for i := range 3 {
			in <- i
		}
	}()
loop:
	for {
		select {
		case n, ok := <-in:
			if !ok || n > 0 {
				break loop
			}
			sum += n
		}
	}
	return sum
}

func startTicking() {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-t.C:
			case <-stop:
				return
			}
		}
	}()
	wg.Wait()
	close(stop)
}

type future[T any] struct {
	done chan struct{}
	v    T
	err  error
}

func async[T any](f func() (T, error)) *future[T] {
	u := &future[T]{done: make(chan struct{})}
	go func() {
		v, err := f()
		if err != nil {
			u.err = err
			return
		}
		u.v = v
		close(u.done)
	}()
	return u
}

func useFuture() (int, error) {
	u := async(func() (int, error) { return 0, fails(1) })
	<-u.done
	return u.v, u.err
}

func hedged(ctx context.Context, backends []func(context.Context) (int, error)) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan int)
	for _, b := range backends {
		go func() {
			if v, err := b(ctx); err == nil {
				results <- v
			}
		}()
	}
	return <-results
}

func orderedLeft(in []int) (int, error) {
	queue := make(chan chan int)
	go func() {
		defer close(queue)
		for _, n := range in {
			ch := make(chan int, 1)
			queue <- ch
			ch <- n
		}
	}()
	for ch := range queue {
		if n := <-ch; n < 0 {
			return n, errEmpty
		}
	}
	return 0, nil
}

func barrierTooMany(n int) {
	var ready sync.WaitGroup
	start := make(chan struct{})
	for range 3 {
		ready.Add(1)
		go func() {
			<-start
			ready.Done()
		}()
	}
	ready.Wait()
	close(start)
}

func unboundedNotClosed(in <-chan int) (sum int) {
	mid := make(chan int)
	go func() {
		defer close(mid)
		for range 3 {
			mid <- 1
		}
	}()
	out := make(chan int)
	go func() {
		for n := range mid {
			out <- n
		}
	}()
	for n := range out {
		sum += n
	}
	return sum
}

type shared struct {
	refs atomic.Int32
	done chan struct{}
}

func (s *shared) release() {
	if s.refs.Add(-1) == 0 {
		close(s.done)
	}
}

func releasedTooOften() {
	s := &shared{done: make(chan struct{})}
	s.refs.Store(3)
	go s.release()
	s.release()
	<-s.done
}

func retryUnderLock(mu *sync.Mutex, f func() error) error {
	for range 3 {
		mu.Lock()
		err := f()
		if err != nil {
			continue
		}
		mu.Unlock()
		return nil
	}
	return errEmpty
}

// Mistakes with a function or lock in itself.

func onceFuncInItself() {
	var f func()
	f = sync.OnceFunc(func() { f() })
	f()
}

func onceValueInItself() int {
	var get func() int
	get = sync.OnceValue(func() int { return get() + 1 })
	return get()
}

type account struct {
	sync.Mutex
	n int
}

// Correct by itself.
func (a *account) pay(to *account, n int) {
	a.Lock()
	defer a.Unlock()
	to.Lock()
	defer to.Unlock()
	a.n -= n
	to.n += n
}

func payMyself() {
	var a account
	a.pay(&a, 1)
}

func merge(into, from *account) {
	into.Lock()
	from.Lock()
	into.n += from.n
	from.Unlock()
	into.Unlock()
}

func mergeAll(list []*account) {
	first := list[0]
	for _, a := range list {
		merge(first, a)
	}
}

type crew struct {
	wg sync.WaitGroup
	n  int
}

// Correct by itself.
func (c crew) work() {
	defer c.wg.Done()
	compute(c.n)
}

func crewByValue() {
	var c crew
	c.wg.Add(1)
	go c.work()
	c.wg.Wait()
}
