package idioms

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type outcome[T any] struct {
	value T
	err   error
}

// A pool of workers that answer each task on the task's own channel.

type task struct {
	n     int
	reply chan outcome[int]
}

type taskPool struct {
	tasks chan task
	quit  chan struct{}
	wg    sync.WaitGroup
	once  sync.Once
}

func newTaskPool(workers int) *taskPool {
	p := &taskPool{tasks: make(chan task), quit: make(chan struct{})}
	p.wg.Add(workers)
	for i := 0; i < workers; i++ {
		go p.work()
	}
	return p
}

func (p *taskPool) work() {
	defer p.wg.Done()
	for {
		select {
		case t := <-p.tasks:
			v, err := compute(t.n)
			t.reply <- outcome[int]{v, err}
		case <-p.quit:
			return
		}
	}
}

func (p *taskPool) Do(ctx context.Context, n int) (int, error) {
	t := task{n, make(chan outcome[int], 1)}
	select {
	case p.tasks <- t:
	case <-p.quit:
		return 0, errEmpty
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	select {
	case r := <-t.reply:
		return r.value, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (p *taskPool) Close() error {
	p.once.Do(func() { close(p.quit) })
	p.wg.Wait()
	return nil
}

func useTaskPool(ctx context.Context) error {
	p := newTaskPool(3)
	defer p.Close()
	for i := range 4 {
		if _, err := p.Do(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// Results by index, errors joined.

func mapAll[T, R any](ctx context.Context, in []T, limit int,
	f func(context.Context, T) (R, error)) ([]R, error) {
	out := make([]R, len(in))
	errs := make([]error, len(in))
	sem := make(chan struct{}, max(limit, 1))
	var wg sync.WaitGroup
	for i, x := range in {
		wg.Add(1)
		sem <- struct{}{}
		go func(i int, x T) {
			defer func() {
				<-sem
				wg.Done()
			}()
			out[i], errs[i] = f(ctx, x)
		}(i, x)
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

// The first error cancels the rest.

func firstFailure(ctx context.Context, items []int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, n := range items {
		wg.Go(func() {
			if _, err := work(ctx, n); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Servers that shut down.

func runServer(ctx context.Context, h http.Handler) error {
	srv := &http.Server{Addr: ":0", Handler: h}
	errc := make(chan error, 1)
	go func() { errc <- srv.ListenAndServe() }()
	select {
	case err := <-errc:
		return err
	case <-ctx.Done():
	}
	down, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := srv.Shutdown(down); err != nil {
		return err
	}
	if err := <-errc; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func mainLike() {
	srv := &http.Server{Addr: ":0"}
	idle := make(chan struct{})
	go func() {
		sigint := make(chan os.Signal, 1)
		signal.Notify(sigint, os.Interrupt, syscall.SIGTERM)
		<-sigint
		if err := srv.Shutdown(context.Background()); err != nil {
			log.Printf("shutdown: %v", err)
		}
		close(idle)
	}()
	if err := srv.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatalf("listen: %v", err)
	}
	<-idle
}

func untilSignal(run func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		stop()
		return <-done
	}
}

func accepts(l net.Listener, serve func(net.Conn)) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			serve(c)
		}()
	}
}

type connTable struct {
	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool
	wg     sync.WaitGroup
}

func (s *connTable) track(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.conns == nil {
		s.conns = make(map[net.Conn]struct{})
	}
	s.conns[c] = struct{}{}
	s.wg.Add(1)
	return true
}

func (s *connTable) untrack(c net.Conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.wg.Done()
}

func (s *connTable) Handle(c net.Conn) {
	if !s.track(c) {
		c.Close()
		return
	}
	defer s.untrack(c)
	io.Copy(io.Discard, c)
}

func (s *connTable) Close() {
	s.mu.Lock()
	s.closed = true
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

// Timers.

type debouncer struct {
	mu    sync.Mutex
	timer *time.Timer
	after time.Duration
}

func (d *debouncer) Call(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.timer = time.AfterFunc(d.after, f)
}

func (d *debouncer) Flush() {
	d.mu.Lock()
	t := d.timer
	d.timer = nil
	d.mu.Unlock()
	if t != nil {
		t.Stop()
	}
}

func watchdog(ctx context.Context, beats <-chan struct{}) error {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	for {
		select {
		case _, ok := <-beats:
			if !ok {
				return nil
			}
			if !t.Stop() {
				select {
				case <-t.C:
				default:
				}
			}
			t.Reset(time.Second)
		case <-t.C:
			return errEmpty
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func afterFuncCancels(f func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	t := time.AfterFunc(time.Second, cancel)
	defer t.Stop()
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(ctx)
	}()
	<-done
}

func sleepContext(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func backoff(ctx context.Context, f func() error) (err error) {
	delay := time.Millisecond
	for range 5 {
		if err = f(); err == nil {
			return nil
		}
		if err := sleepContext(ctx, delay); err != nil {
			return err
		}
		delay *= 2
	}
	return err
}

// Contexts in a tree.

func contextTree(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		child, stop := context.WithTimeout(ctx, time.Second)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer stop()
			<-child.Done()
		}()
	}
	cancel()
	wg.Wait()
	return parent.Err()
}

func stopAfter(ctx context.Context, c net.Conn) (err error) {
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Now()) })
	defer func() {
		if !stop() {
			err = ctx.Err()
		}
	}()
	_, err = io.Copy(io.Discard, c)
	return err
}

func detached(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(context.WithoutCancel(ctx), 1)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Queues with Cond.

type ring[T any] struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	buf      []T
	head, n  int
	closed   bool
}

func newRing[T any](size int) *ring[T] {
	r := &ring[T]{buf: make([]T, size)}
	r.notEmpty = sync.NewCond(&r.mu)
	r.notFull = sync.NewCond(&r.mu)
	return r
}

func (r *ring[T]) Push(v T) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n == len(r.buf) && !r.closed {
		r.notFull.Wait()
	}
	if r.closed {
		return false
	}
	r.buf[(r.head+r.n)%len(r.buf)] = v
	r.n++
	r.notEmpty.Signal()
	return true
}

func (r *ring[T]) Pop() (v T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n == 0 {
		if r.closed {
			return v, false
		}
		r.notEmpty.Wait()
	}
	v = r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.n--
	r.notFull.Signal()
	return v, true
}

func (r *ring[T]) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.notEmpty.Broadcast()
	r.notFull.Broadcast()
}

func useRing() (sum int) {
	r := newRing[int](2)
	go func() {
		defer r.Close()
		for i := range 4 {
			if !r.Push(i) {
				return
			}
		}
	}()
	for {
		n, ok := r.Pop()
		if !ok {
			return sum
		}
		sum += n
	}
}

// A group of readers that wait for a generation.

type generation struct {
	mu   sync.Mutex
	wake chan struct{}
	n    int
}

func (g *generation) Next() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	if g.wake != nil {
		close(g.wake)
		g.wake = nil
	}
}

func (g *generation) Await(ctx context.Context, n int) error {
	for {
		g.mu.Lock()
		if g.n >= n {
			g.mu.Unlock()
			return nil
		}
		if g.wake == nil {
			g.wake = make(chan struct{})
		}
		wake := g.wake
		g.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Upgrades of a read lock.

type memo struct {
	mu sync.RWMutex
	m  map[string]*entry
}

type entry struct {
	once sync.Once
	v    int
	err  error
}

func (m *memo) Get(k string) (int, error) {
	m.mu.RLock()
	e := m.m[k]
	m.mu.RUnlock()
	if e == nil {
		m.mu.Lock()
		if e = m.m[k]; e == nil {
			e = new(entry)
			if m.m == nil {
				m.m = map[string]*entry{}
			}
			m.m[k] = e
		}
		m.mu.Unlock()
	}
	e.once.Do(func() { e.v, e.err = compute(len(k)) })
	return e.v, e.err
}

func (m *memo) Keys() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.m))
}

func (m *memo) Range(f func(string, int) bool) {
	m.mu.RLock()
	copied := maps.Clone(m.m)
	m.mu.RUnlock()
	for k, e := range copied {
		if !f(k, e.v) {
			return
		}
	}
}

func (m *memo) Trim(max int) (n int) {
	m.mu.RLock()
	over := len(m.m) > max
	m.mu.RUnlock()
	if !over {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.m {
		if len(m.m) <= max {
			break
		}
		delete(m.m, k)
		n++
	}
	return n
}

// Locks that are tried.

type refresher struct {
	mu   sync.Mutex
	busy atomic.Bool
	last time.Time
}

func (r *refresher) Maybe() bool {
	if !r.mu.TryLock() {
		return false
	}
	defer r.mu.Unlock()
	r.last = time.Now()
	return true
}

func (r *refresher) Once(f func()) {
	if !r.busy.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer r.busy.Store(false)
		f()
	}()
}

func (r *refresher) Until(ctx context.Context) error {
	for !r.mu.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	defer r.mu.Unlock()
	r.last = time.Now()
	return nil
}

// A limiter by ticker and a bucket of tokens.

type limiter struct {
	tokens chan struct{}
	stop   chan struct{}
	done   chan struct{}
}

func newLimiter(n int, every time.Duration) *limiter {
	l := &limiter{make(chan struct{}, n), make(chan struct{}), make(chan struct{})}
	for range n {
		l.tokens <- struct{}{}
	}
	go func() {
		defer close(l.done)
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				select {
				case l.tokens <- struct{}{}:
				default:
				}
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

func (l *limiter) Wait(ctx context.Context) error {
	select {
	case <-l.tokens:
		return nil
	case <-l.stop:
		return errEmpty
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *limiter) Stop() {
	close(l.stop)
	<-l.done
}

func useLimiter(ctx context.Context) error {
	l := newLimiter(2, time.Millisecond)
	defer l.Stop()
	for range 3 {
		if err := l.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Commands and pipes.

func runCommand(ctx context.Context, name string) (string, error) {
	cmd := exec.CommandContext(ctx, name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for sc := bufio.NewScanner(out); sc.Scan(); {
			lines <- sc.Text()
		}
	}()
	var b bytes.Buffer
	for l := range lines {
		b.WriteString(l)
	}
	return b.String(), cmd.Wait()
}

func pipeWritten(encode func(io.Writer) error) ([]byte, error) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(encode(w)) }()
	defer r.Close()
	return io.ReadAll(r)
}
