package mistakes

// Programs as other people write them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"
)

// channel wrapped in a struct, unbuffered answer, timeout
type otherFuture[T any] struct {
	val chan T
	err chan error
}

// Correct by itself.
func otherNewFuture[T any]() *otherFuture[T] {
	return &otherFuture[T]{val: make(chan T), err: make(chan error)}
}

func answerInTime(ctx context.Context, fetch func() (string, error)) (string, error) {
	f := otherNewFuture[string]()
	go func() {
		s, err := fetch()
		if err != nil {
			f.err <- err
			return
		}
		f.val <- s
	}()
	select {
	case s := <-f.val:
		return s, nil
	case err := <-f.err:
		return "", err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// embedded mutex, early return in defer-less loop
type otherRegistry struct {
	sync.Mutex
	items map[string]func() error
}

func (r *otherRegistry) RunAll() error {
	for _, name := range []string{"a", "b"} {
		r.Lock()
		f, ok := r.items[name]
		if !ok {
			continue
		}
		r.Unlock()
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// defer Unlock in a loop
func (r *otherRegistry) DeferInLoop(names []string) int {
	n := 0
	for _, name := range names {
		r.Lock()
		defer r.Unlock()
		if _, ok := r.items[name]; ok {
			n++
		}
	}
	return n
}

// method value given to a goroutine; nobody closes
type otherPrinter struct {
	lines chan string
	done  chan struct{}
}

// Correct by itself.
func (p *otherPrinter) loop() {
	defer close(p.done)
	for l := range p.lines {
		fmt.Println(l)
	}
}

func methodValue(lines []string) {
	p := &otherPrinter{lines: make(chan string), done: make(chan struct{})}
	run := p.loop
	go run()
	for _, l := range lines {
		p.lines <- l
	}
	<-p.done
}

// labelled break leaves the producer behind
func labelledBreak(stop func(int) bool) int {
	ch := make(chan int)
	go func() {
		for i := 0; i < 10; i++ {
			ch <- i
		}
		close(ch)
	}()
	sum := 0
loop:
	for {
		select {
		case v, ok := <-ch:
			if !ok || stop(v) {
				break loop
			}
			sum += v
		}
	}
	return sum
}

// break in a select inside for does not leave the loop
func oneSendTooMany() {
	ch := make(chan int)
	go func() {
		ch <- 1
		close(ch)
	}()
	done := make(chan bool)
	go func() {
		for range ch {
		}
		done <- true
		done <- true
	}()
	<-done
}

// select with default drops the wake-up, then waits
func wakeByDefault(work func()) {
	wake := make(chan struct{})
	go func() {
		work()
		select {
		case wake <- struct{}{}:
		default:
		}
	}()
	<-wake
}

// time.After and result channel
func dialInTime(dial func() int) (int, error) {
	res := make(chan int)
	go func() { res <- dial() }()
	select {
	case n := <-res:
		return n, nil
	case <-time.After(3 * time.Second):
		return 0, errors.New("timeout")
	}
}

// context chain: waits for the child's end, cancels the sibling
func contextChain() {
	root, cancelRoot := context.WithCancel(context.Background())
	defer cancelRoot()
	a, cancelA := context.WithCancel(root)
	b, cancelB := context.WithCancel(root)
	defer cancelB()
	_ = a
	done := make(chan struct{})
	go func() {
		<-b.Done()
		close(done)
	}()
	cancelA()
	<-done
}

// Cond: if the flag is set without a broadcast
type otherGate struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
}

func condWithFlag() {
	g := &otherGate{}
	g.cond = sync.NewCond(&g.mu)
	go func() {
		g.mu.Lock()
		g.open = true
		g.mu.Unlock()
	}()
	g.mu.Lock()
	for !g.open {
		g.cond.Wait()
	}
	g.mu.Unlock()
}

// channel of channels: the server answers only positive requests
func channelOfChannels(n int) int {
	reqs := make(chan chan int)
	go func() {
		for r := range reqs {
			if n > 0 {
				r <- n
			}
		}
	}()
	defer close(reqs)
	r := make(chan int)
	reqs <- r
	return <-r
}

// closures in a map
func closuresInMap(key string) int {
	ch := make(chan int)
	handlers := map[string]func(){
		"send": func() { ch <- 1 },
		"skip": func() {},
	}
	go handlers["skip"]()
	return <-ch
}

// WaitGroup by value
func groupInParameter(n int) {
	var wg sync.WaitGroup
	work := func(wg sync.WaitGroup) { defer wg.Done() }
	wg.Add(1)
	go work(wg)
	wg.Wait()
}

// Add in the goroutine's error path only
func doneUnlessError(jobs []func() error) {
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Add(1)
		go func() {
			if err := j(); err != nil {
				return
			}
			wg.Done()
		}()
	}
	wg.Wait()
}

// RWMutex upgrade
type otherCache struct {
	mu sync.RWMutex
	m  map[string]int
}

func (c *otherCache) UpgradedLock(k string, load func() int) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if v, ok := c.m[k]; ok {
		return v
	}
	v := load()
	c.mu.Lock()
	c.m[k] = v
	c.mu.Unlock()
	return v
}

// nested locks through an interface-typed helper
type otherAcct struct {
	mu  sync.Mutex
	bal int
}

// Correct by itself.
func (a *otherAcct) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bal
}

func (a *otherAcct) LockedTwice(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Balance() < n {
		return false
	}
	a.bal -= n
	return true
}

// pipeline whose first stage is never drained on error
func pipeOfChecks(in []int, check func(int) error) error {
	src := make(chan int)
	go func() {
		defer close(src)
		for _, x := range in {
			src <- x
		}
	}()
	for x := range src {
		if err := check(x); err != nil {
			return err
		}
	}
	return nil
}

// semaphore in a struct, not released on error
type otherSem chan struct{}

func (s otherSem) acquire() { s <- struct{}{} }
func (s otherSem) release() { <-s }

func semaphoreInStruct(n int, do func(int) error) error {
	s := make(otherSem, 1)
	for i := 0; i < n; i++ {
		s.acquire()
		if err := do(i); err != nil {
			fmt.Println(err)
			continue
		}
		s.release()
	}
	return nil
}

// stop channel without buffer, loop has gone
type otherTicker struct{ stop chan struct{} }

func stopOfTicker(work func() bool) {
	t := &otherTicker{stop: make(chan struct{})}
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if work() {
					return
				}
			case <-t.stop:
				return
			}
		}
	}()
	t.stop <- struct{}{}
}

// range over a ticker that is stopped
func rangeOverTicker(work func()) {
	t := time.NewTicker(time.Second)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range t.C {
			work()
		}
	}()
	t.Stop()
	<-done
}

// actor that calls itself
type otherActor struct {
	reqs chan func()
	n    int
}

// Correct by itself.
func otherNewActor() *otherActor {
	a := &otherActor{reqs: make(chan func())}
	go func() {
		for f := range a.reqs {
			f()
		}
	}()
	return a
}

// Correct by itself.
func (a *otherActor) do(f func()) {
	done := make(chan struct{})
	a.reqs <- func() {
		f()
		close(done)
	}
	<-done
}

// Correct by itself.
func (a *otherActor) get() (n int) {
	a.do(func() { n = a.n })
	return n
}

func actorCallsItself() {
	a := otherNewActor()
	a.do(func() { a.n = a.get() + 1 })
}

// ctx.Done in the locked region returns without unlock
type otherConn struct {
	mu  sync.Mutex
	out chan []byte
}

func (c *otherConn) GivesUpInside(ctx context.Context, b []byte) error {
	c.mu.Lock()
	select {
	case c.out <- b:
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Unlock()
	return nil
}

// defer wg.Done after the early return
func earlyReturnInGroup(paths []string, stat func(string) bool) {
	wg := &sync.WaitGroup{}
	for i := range paths {
		wg.Add(1)
		go func(p string) {
			if p == "" {
				return
			}
			defer wg.Done()
			stat(p)
		}(paths[i])
	}
	wg.Wait()
}

// two accounts, locked in either order
type otherAccount struct {
	sync.Mutex
	n int
}

// Correct by itself.
func otherTransfer(from, to *otherAccount, n int) {
	from.Lock()
	defer from.Unlock()
	to.Lock()
	defer to.Unlock()
	from.n -= n
	to.n += n
}

func bothOrders() {
	a, b := new(otherAccount), new(otherAccount)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); otherTransfer(a, b, 1) }()
	go func() { defer wg.Done(); otherTransfer(b, a, 1) }()
	wg.Wait()
}

// Once waits for what calls Once
type otherLazy struct {
	once sync.Once
	v    int
}

func (l *otherLazy) get() int {
	l.once.Do(func() { l.v = l.half() * 2 })
	return l.v
}

// Correct by itself.
func (l *otherLazy) half() int { return l.get() / 2 }

// Correct by itself.
func onceInOnce() int {
	l := &otherLazy{}
	return l.get()
}

// subscriber map: publish under the lock to an unbuffered channel whose reader wants the lock
type otherBus struct {
	mu   sync.Mutex
	subs map[string]chan int
	last int
}

// Correct by itself.
func (b *otherBus) publish(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.subs {
		c <- v
	}
}

func publishLocked() {
	b := &otherBus{subs: map[string]chan int{}}
	c := make(chan int)
	b.subs["a"] = c
	go func() {
		for {
			b.mu.Lock()
			b.last++
			b.mu.Unlock()
			v := <-c
			if v == 0 {
				return
			}
		}
	}()
	b.publish(1)
	b.publish(2)
}

// the http handler starts a worker which nobody hears after the deadline
func handlerInTime(w http.ResponseWriter, r *http.Request) {
	result := make(chan []byte)
	go func() {
		var buf bytes.Buffer
		io.Copy(&buf, r.Body)
		result <- buf.Bytes()
	}()
	select {
	case b := <-result:
		w.Write(b)
	case <-r.Context().Done():
		http.Error(w, "gone", 503)
	}
}

// signal handler's channel is not the one that is waited for
func signalStops() {
	sigs := make(chan os.Signal, 1)
	stop := make(chan struct{})
	signal.Notify(sigs, os.Interrupt)
	go func() {
		<-sigs
		signal.Stop(sigs)
	}()
	<-stop
}

// break in a select of a for loop: the goroutine never ends
func breaksOnlySelect() {
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-quit:
				break
			case <-time.After(time.Second):
			}
		}
	}()
	close(quit)
	wg.Wait()
}

// Cond with two kinds of waiters, Signal
type otherQueue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	shut  bool
}

func signalForTwo() {
	q := &otherQueue{}
	q.cond = sync.NewCond(&q.mu)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			q.mu.Lock()
			defer q.mu.Unlock()
			for !q.shut {
				q.cond.Wait()
			}
		}()
	}
	q.mu.Lock()
	q.shut = true
	q.cond.Signal()
	q.mu.Unlock()
	wg.Wait()
}

// RWMutex: recursive read lock with a writer
type otherTree struct {
	mu   sync.RWMutex
	kids []*otherTree
	n    int
}

// Correct by itself.
func (t *otherTree) Sum() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n + t.Len()
}

// Correct by itself.
func (t *otherTree) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.kids)
}

// Correct by itself.
func (t *otherTree) SumOfTree(k *otherTree) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kids = append(t.kids, k)
}

// results collected after the loop; more jobs than buffer
func semaphoreAndResults(jobs []int) (out []int) {
	sem := make(chan struct{}, 2)
	results := make(chan int, 2)
	for _, j := range jobs {
		sem <- struct{}{}
		go func() {
			results <- j * j
			<-sem
		}()
	}
	for range jobs {
		out = append(out, <-results)
	}
	return out
}

// generic map of chans; the getter waits for a chan that a loser closes twice
type otherOnce[K comparable] struct {
	mu sync.Mutex
	m  map[K]chan struct{}
}

func (o *otherOnce[K]) done(k K) {
	o.mu.Lock()
	ch, ok := o.m[k]
	if !ok {
		return
	}
	delete(o.m, k)
	o.mu.Unlock()
	close(ch)
}

// atomic flag decides who closes, but both wait
func firstCloses() {
	var first atomic.Bool
	ready := make(chan struct{})
	fin := make(chan struct{}, 2)
	for range 2 {
		go func() {
			defer func() { fin <- struct{}{} }()
			if first.CompareAndSwap(false, true) {
				<-ready
				close(ready)
				return
			}
			<-ready
		}()
	}
	<-fin
	<-fin
}

// two channels, both sides send first
func bothSendFirst() {
	a, b := make(chan int), make(chan int)
	go func() {
		b <- 1
		<-a
	}()
	a <- 1
	<-b
}

// recovered panic leaves the lock
type otherState struct {
	mu sync.Mutex
	f  func()
}

func (s *otherState) RecoversInside() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = io.EOF
		}
	}()
	s.mu.Lock()
	s.f()
	s.mu.Unlock()
	return nil
}

// closure keeps unlock in a variable and forgets it on one path
func (s *otherState) ForgetsOnePath(fail bool) error {
	unlock := s.lockit()
	if fail {
		return io.EOF
	}
	unlock()
	return nil
}

// Correct by itself.
func (s *otherState) lockit() func() {
	s.mu.Lock()
	return s.mu.Unlock
}

// errors channel too small for the number of senders
func errorsOfMany(fns ...func() error) error {
	errs := make(chan error, 1)
	for _, f := range fns {
		go func() { errs <- f() }()
	}
	for range fns {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}
