package idioms

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A bus of events with subscribers that may leave.

type topic[E any] struct {
	mu     sync.RWMutex
	subs   map[*subscriber[E]]struct{}
	closed bool
}

type subscriber[E any] struct {
	ch   chan E
	quit chan struct{}
	once sync.Once
	from *topic[E]
}

func (t *topic[E]) Subscribe(room int) (*subscriber[E], error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errEmpty
	}
	s := &subscriber[E]{ch: make(chan E, room), quit: make(chan struct{}), from: t}
	if t.subs == nil {
		t.subs = map[*subscriber[E]]struct{}{}
	}
	t.subs[s] = struct{}{}
	return s, nil
}

func (t *topic[E]) Publish(ctx context.Context, e E) {
	t.mu.RLock()
	list := make([]*subscriber[E], 0, len(t.subs))
	for s := range t.subs {
		list = append(list, s)
	}
	t.mu.RUnlock()
	for _, s := range list {
		select {
		case s.ch <- e:
		case <-s.quit:
		case <-ctx.Done():
			return
		}
	}
}

func (s *subscriber[E]) Leave() {
	s.once.Do(func() {
		s.from.mu.Lock()
		delete(s.from.subs, s)
		s.from.mu.Unlock()
		close(s.quit)
	})
}

func (s *subscriber[E]) Next(ctx context.Context) (e E, err error) {
	select {
	case e = <-s.ch:
		return e, nil
	case <-s.quit:
		return e, errEmpty
	case <-ctx.Done():
		return e, ctx.Err()
	}
}

func useTopic(ctx context.Context) error {
	var t topic[int]
	s, err := t.Subscribe(0)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.Publish(ctx, 1)
	}()
	s.Leave()
	<-done
	return nil
}

// Handlers in a map.

type dispatcher struct {
	mu       sync.Mutex
	handlers map[string][]func(int)
	nextID   int
}

func (d *dispatcher) On(name string, f func(int)) (off func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.handlers == nil {
		d.handlers = make(map[string][]func(int))
	}
	d.handlers[name] = append(d.handlers[name], f)
	at := len(d.handlers[name]) - 1
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.handlers[name][at] = nil
	}
}

func (d *dispatcher) Emit(name string, n int) {
	d.mu.Lock()
	list := append([]func(int){}, d.handlers[name]...)
	d.mu.Unlock()
	for _, f := range list {
		if f != nil {
			f(n)
		}
	}
}

func useDispatcher() {
	var d dispatcher
	got := make(chan int, 1)
	off := d.On("a", func(n int) { got <- n })
	d.Emit("a", 1)
	off()
	d.Emit("a", 2)
	<-got
}

func commandsInMap(name string) error {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	commands := map[string]func() error{
		"start": func() error { wg.Go(func() { <-stop }); return nil },
		"stop":  func() error { return nil },
	}
	f, ok := commands[name]
	if !ok {
		return fmt.Errorf("no command %q", name)
	}
	err := f()
	close(stop)
	wg.Wait()
	return err
}

// An actor whose mailbox has functions.

type loopActor struct {
	ops  chan func()
	quit chan struct{}
	done chan struct{}
	n    int
}

func startLoop() *loopActor {
	a := &loopActor{ops: make(chan func()), quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		for {
			select {
			case op := <-a.ops:
				op()
			case <-a.quit:
				return
			}
		}
	}()
	return a
}

func (a *loopActor) call(f func()) bool {
	ran := make(chan struct{})
	select {
	case a.ops <- func() { f(); close(ran) }:
		<-ran
		return true
	case <-a.done:
		return false
	}
}

func (a *loopActor) Add(n int) bool { return a.call(func() { a.n += n }) }

func (a *loopActor) Get() (n int, ok bool) {
	ok = a.call(func() { n = a.n })
	return n, ok
}

func (a *loopActor) Stop() {
	close(a.quit)
	<-a.done
}

func useLoop() int {
	a := startLoop()
	defer a.Stop()
	a.Add(1)
	n, _ := a.Get()
	return n
}

// Closing once.

type stream struct {
	mu     sync.Mutex
	closed bool
	done   chan struct{}
	err    atomic.Pointer[error]
}

func (s *stream) CloseWith(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.err.Store(&err)
	close(s.done)
}

func (s *stream) Err() error {
	<-s.done
	return *s.err.Load()
}

type swapCloser struct {
	down atomic.Bool
	ch   chan int
	wg   sync.WaitGroup
}

func (s *swapCloser) Close() error {
	if s.down.Swap(true) {
		return errEmpty
	}
	close(s.ch)
	s.wg.Wait()
	return nil
}

func closeOnceValue() error {
	ch := make(chan int)
	shut := sync.OnceValue(func() error { close(ch); return nil })
	defer shut()
	go func() { shut() }()
	<-ch
	return shut()
}

// Embedded locks.

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
	d.n++
}

func (d *derived) Len() int {
	d.RLock()
	defer d.RUnlock()
	return len(d.names)
}

func (d *derived) SetNew(k string, n int) bool {
	d.RLock()
	_, ok := d.names[k]
	d.RUnlock()
	if ok {
		return false
	}
	d.Set(k, n)
	return true
}

type locked[T any] struct {
	sync.Mutex
	v T
}

func (l *locked[T]) With(f func(*T)) {
	l.Lock()
	defer l.Unlock()
	f(&l.v)
}

func useLocked() (n int) {
	var l locked[[]int]
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { l.With(func(s *[]int) { *s = append(*s, i) }) })
	}
	wg.Wait()
	l.With(func(s *[]int) { n = len(*s) })
	return n
}

// Defers in loops.

func deferInLoop(list []*box) (n int) {
	for _, b := range list {
		func() {
			b.Lock()
			defer b.Unlock()
			n += b.n
		}()
	}
	return n
}

func lockAll(list []*box) (unlock func()) {
	for _, b := range list {
		b.Lock()
	}
	return func() {
		for _, b := range list {
			b.Unlock()
		}
	}
}

func deferAll(a, b, c *box) int {
	for _, x := range []*box{a, b, c} {
		x.Lock()
		defer x.Unlock()
	}
	return a.n + b.n + c.n
}

// Labels.

func drains(in <-chan int, ctl <-chan string) (sum int) {
	paused := false
loop:
	for {
		src := in
		if paused {
			src = nil
		}
		select {
		case n, ok := <-src:
			if !ok {
				break loop
			}
			sum += n
		case c, ok := <-ctl:
			switch {
			case !ok || c == "stop":
				break loop
			case c == "pause":
				paused = true
				continue loop
			}
			paused = false
		}
	}
	return sum
}

func useDrains() int {
	in, ctl := make(chan int), make(chan string)
	go func() {
		defer close(in)
		for i := range 3 {
			in <- i
		}
	}()
	defer close(ctl)
	return drains(in, ctl)
}

func searchMatrix(m [][]int, mu *sync.Mutex) (x, y int) {
rows:
	for i, row := range m {
		for j, v := range row {
			mu.Lock()
			if v == global {
				x, y = i, j
				mu.Unlock()
				break rows
			}
			mu.Unlock()
			if v < 0 {
				continue rows
			}
		}
	}
	return x, y
}

// Method values.

type ticking struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

func (t *ticking) tick() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
}

func (t *ticking) Run(every time.Duration) {
	eachTick(every, t.stop, t.tick)
}

func eachTick(every time.Duration, stop <-chan struct{}, f func()) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			f()
		case <-stop:
			return
		}
	}
}

func startTicking() (stop func()) {
	t := &ticking{stop: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.Run(time.Second)
	}()
	return func() {
		close(t.stop)
		wg.Wait()
	}
}

func steps(t *ticking) {
	for _, step := range []func(){t.tick, t.tick, func() { t.tick() }} {
		step()
	}
}

// Futures.

type future[T any] struct {
	done chan struct{}
	v    T
	err  error
}

func async[T any](f func() (T, error)) *future[T] {
	u := &future[T]{done: make(chan struct{})}
	go func() {
		defer close(u.done)
		u.v, u.err = f()
	}()
	return u
}

func (u *future[T]) Await(ctx context.Context) (v T, err error) {
	select {
	case <-u.done:
		return u.v, u.err
	case <-ctx.Done():
		return v, ctx.Err()
	}
}

func useFuture(ctx context.Context) (int, error) {
	a := async(func() (int, error) { return compute(1) })
	b := async(func() (int, error) { return compute(2) })
	x, err := a.Await(ctx)
	if err != nil {
		return 0, err
	}
	y, err := b.Await(ctx)
	return x + y, err
}

// Hedged requests, first of many.

func hedged(ctx context.Context, backends []func(context.Context) (int, error)) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan outcome[int], len(backends))
	for _, b := range backends {
		go func() {
			v, err := b(ctx)
			results <- outcome[int]{v, err}
		}()
	}
	var last error
	for range backends {
		r := <-results
		if r.err == nil {
			return r.value, nil
		}
		last = r.err
	}
	return 0, last
}

// Subscriptions by context: the goroutine lives as long as the caller's context.

func watch(ctx context.Context, poll func() int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			select {
			case out <- poll():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func useWatch(parent context.Context, poll func() int) int {
	ctx, cancel := context.WithTimeout(parent, time.Minute)
	defer cancel()
	for n := range watch(ctx, poll) {
		if n > 3 {
			return n
		}
	}
	return 0
}

// Ordered output of parallel work: a channel of channels.

func ordered(in []int) (out []int) {
	queue := make(chan chan int, 2)
	go func() {
		defer close(queue)
		for _, n := range in {
			ch := make(chan int, 1)
			queue <- ch
			go func() { ch <- n * n }()
		}
	}()
	for ch := range queue {
		out = append(out, <-ch)
	}
	return out
}

// Two phases with a barrier.

func barrier(n int) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(n)
	done.Add(n)
	for range n {
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			compute(n)
		}()
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// A queue without bound between two channels.

func unbounded[T any](in <-chan T) <-chan T {
	out := make(chan T)
	go func() {
		defer close(out)
		var queue []T
		for in != nil || len(queue) > 0 {
			var to chan T
			var next T
			if len(queue) > 0 {
				to, next = out, queue[0]
			}
			select {
			case v, ok := <-in:
				if !ok {
					in = nil
					continue
				}
				queue = append(queue, v)
			case to <- next:
				queue = queue[1:]
			}
		}
	}()
	return out
}

func useUnbounded() (sum int) {
	in := make(chan int)
	go func() {
		defer close(in)
		for i := range 4 {
			in <- i
		}
	}()
	for n := range unbounded(in) {
		sum += n
	}
	return sum
}

// Reference counts.

type shared struct {
	refs atomic.Int32
	done chan struct{}
}

func openShared() *shared {
	s := &shared{done: make(chan struct{})}
	s.refs.Store(1)
	return s
}

func (s *shared) Retain() *shared { s.refs.Add(1); return s }

func (s *shared) Release() {
	if s.refs.Add(-1) == 0 {
		close(s.done)
	}
}

func useShared() {
	s := openShared()
	for range 2 {
		s.Retain()
		go func() {
			defer s.Release()
			compute(1)
		}()
	}
	s.Release()
	<-s.done
}

// A deliberate daemon: it lives as long as the program.

func collectStats(record func(int)) {
	t := time.NewTicker(time.Minute)
	go func() {
		for range t.C {
			record(1)
		}
	}()
}

var events = make(chan string, 16)

func init() {
	go func() {
		for e := range events {
			fmt.Println(e)
		}
	}()
}

func daemonWithDone(beat func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(time.Minute)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				beat()
			case <-done:
				return
			}
		}
	}()
}
