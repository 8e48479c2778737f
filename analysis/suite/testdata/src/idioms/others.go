package idioms

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

func otherNewFuture[T any]() *otherFuture[T] {
	return &otherFuture[T]{val: make(chan T, 1), err: make(chan error, 1)}
}

func AnswerInTime(ctx context.Context, fetch func() (string, error)) (string, error) {
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
		r.Unlock()
		if !ok {
			continue
		}
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
		func() {
			r.Lock()
			defer r.Unlock()
			if _, ok := r.items[name]; ok {
				n++
			}
		}()
	}
	return n
}

// method value given to a goroutine; nobody closes
type otherPrinter struct {
	lines chan string
	done  chan struct{}
}

func (p *otherPrinter) loop() {
	defer close(p.done)
	for l := range p.lines {
		fmt.Println(l)
	}
}

func MethodValue(lines []string) {
	p := &otherPrinter{lines: make(chan string), done: make(chan struct{})}
	run := p.loop
	go run()
	for _, l := range lines {
		p.lines <- l
	}
	close(p.lines)
	<-p.done
}

// labelled break leaves the producer behind
func LabelledBreak(stop func(int) bool) int {
	ch := make(chan int)
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		defer close(ch)
		for i := 0; i < 10; i++ {
			select {
			case ch <- i:
			case <-quit:
				return
			}
		}
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
func OneSendTooMany() {
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
	}()
	<-done
}

// select with default drops the wake-up, then waits
func WakeByDefault(work func()) {
	wake := make(chan struct{}, 1)
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
func DialInTime(dial func() int) (int, error) {
	res := make(chan int, 1)
	go func() { res <- dial() }()
	select {
	case n := <-res:
		return n, nil
	case <-time.After(3 * time.Second):
		return 0, errors.New("timeout")
	}
}

// context chain: waits for the child's end, cancels the sibling
func ContextChain() {
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
	cancelB()
	<-done
}

// Cond: if the flag is set without a broadcast
type otherGate struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
}

func CondWithFlag() {
	g := &otherGate{}
	g.cond = sync.NewCond(&g.mu)
	go func() {
		g.mu.Lock()
		g.open = true
		g.cond.Broadcast()
		g.mu.Unlock()
	}()
	g.mu.Lock()
	for !g.open {
		g.cond.Wait()
	}
	g.mu.Unlock()
}

// channel of channels: the server answers only positive requests
func ChannelOfChannels(n int) int {
	reqs := make(chan chan int)
	go func() {
		for r := range reqs {
			if n > 0 {
				r <- n
			} else {
				close(r)
			}
		}
	}()
	defer close(reqs)
	r := make(chan int)
	reqs <- r
	return <-r
}

// closures in a map
func ClosuresInMap(key string) int {
	ch := make(chan int)
	handlers := map[string]func(){
		"send": func() { ch <- 1 },
		"skip": func() {},
	}
	go handlers["skip"]()
	go handlers["send"]()
	return <-ch
}

// WaitGroup by value
func GroupByValue(n int) {
	var wg sync.WaitGroup
	work := func(wg *sync.WaitGroup) { defer wg.Done() }
	wg.Add(1)
	go work(&wg)
	wg.Wait()
}

// Add in the goroutine's error path only
func DoneUnlessError(jobs []func() error) {
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := j(); err != nil {
				return
			}
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
	v, ok := c.m[k]
	c.mu.RUnlock()
	if ok {
		return v
	}
	v = load()
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

func (a *otherAcct) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bal
}

func (a *otherAcct) LockedTwice(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bal < n {
		return false
	}
	a.bal -= n
	return true
}

// pipeline whose first stage is never drained on error
func PipeOfChecks(in []int, check func(int) error) error {
	src := make(chan int)
	go func() {
		defer close(src)
		for _, x := range in {
			src <- x
		}
	}()
	for x := range src {
		if err := check(x); err != nil {
			go func() {
				for range src {
				}
			}()
			return err
		}
	}
	return nil
}

// semaphore in a struct, not released on error
type otherSem chan struct{}

func (s otherSem) acquire() { s <- struct{}{} }
func (s otherSem) release() { <-s }

func SemaphoreInStruct(n int, do func(int) error) error {
	s := make(otherSem, 1)
	for i := 0; i < n; i++ {
		s.acquire()
		if err := do(i); err != nil {
			fmt.Println(err)
			s.release()
			continue
		}
		s.release()
	}
	return nil
}

// stop channel without buffer, loop has gone
type otherTicker struct{ stop chan struct{} }

func StopOfTicker(work func() bool) {
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
	close(t.stop)
}

// range over a ticker that is stopped
func rangeOverTicker(work func()) {
	t := time.NewTicker(time.Second)
	quit := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-t.C:
				work()
			case <-quit:
				return
			}
		}
	}()
	t.Stop()
	close(quit)
	<-done
}

// actor that calls itself
type otherActor struct {
	reqs chan func()
	n    int
}

func otherNewActor() *otherActor {
	a := &otherActor{reqs: make(chan func())}
	go func() {
		for f := range a.reqs {
			f()
		}
	}()
	return a
}

func (a *otherActor) do(f func()) {
	done := make(chan struct{})
	a.reqs <- func() {
		f()
		close(done)
	}
	<-done
}

func (a *otherActor) get() (n int) {
	a.do(func() { n = a.n })
	return n
}

func actorCallsItself() {
	a := otherNewActor()
	a.do(func() { a.n++ })
	a.get()
	close(a.reqs)
}

// ctx.Done in the locked region returns without unlock
type otherConn struct {
	mu  sync.Mutex
	out chan []byte
}

func (c *otherConn) GivesUpInside(ctx context.Context, b []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.out <- b:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// defer wg.Done after the early return
func earlyReturnInGroup(paths []string, stat func(string) bool) {
	wg := &sync.WaitGroup{}
	for i := range paths {
		wg.Add(1)
		go func(p string) {
			defer wg.Done()
			if p == "" {
				return
			}
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
	go func() { defer wg.Done(); otherTransfer(a, b, -1) }()
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

func (l *otherLazy) half() int { return 4 }

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

func (b *otherBus) publish(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.subs {
		select {
		case c <- v:
		default:
		}
	}
}

func publishLocked() {
	b := &otherBus{subs: map[string]chan int{}}
	c := make(chan int)
	b.subs["a"] = c
	go func() {
		for {
			_, ok := <-c
			b.mu.Lock()
			b.last++
			b.mu.Unlock()
			if !ok {
				return
			}
		}
	}()
	b.publish(1)
	b.publish(2)
	close(c)
}

// the http handler starts a worker which nobody hears after the deadline
func handlerInTime(w http.ResponseWriter, r *http.Request) {
	result := make(chan []byte, 1)
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
		close(stop)
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
				return
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
	q.cond.Broadcast()
	q.mu.Unlock()
	wg.Wait()
}

// RWMutex: recursive read lock with a writer
type otherTree struct {
	mu   sync.RWMutex
	kids []*otherTree
	n    int
}

func (t *otherTree) Sum() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n + len(t.kids)
}

func (t *otherTree) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.kids)
}

func (t *otherTree) SumOfTree(k *otherTree) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kids = append(t.kids, k)
}

// results collected after the loop; more jobs than buffer
func semaphoreAndResults(jobs []int) (out []int) {
	sem := make(chan struct{}, 2)
	results := make(chan int, len(jobs))
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
	delete(o.m, k)
	o.mu.Unlock()
	if ok {
		close(ch)
	}
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
		<-a
		b <- 1
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
	defer s.mu.Unlock()
	s.f()
	return nil
}

// closure keeps unlock in a variable and forgets it on one path
func (s *otherState) ForgetsOnePath(fail bool) error {
	unlock := s.lockit()
	if fail {
		unlock()
		return io.EOF
	}
	unlock()
	return nil
}

func (s *otherState) lockit() func() {
	s.mu.Lock()
	return s.mu.Unlock
}

// errors channel too small for the number of senders
func errorsOfMany(fns ...func() error) error {
	errs := make(chan error, len(fns))
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

// both closed
func untilBothClosed() (sum int) {
	a, b := make(chan int), make(chan int)
	go func() { defer close(a); a <- 1 }()
	go func() { defer close(b); b <- 1 }()
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			sum += v
		case v, ok := <-b:
			if !ok {
				b = nil
			}
			sum += v
		}
	}
	return sum
}

// counts closed ones in a map
func countsClosed() {
	a, b := make(chan int), make(chan int)
	done := make(chan bool)
	go func() {
		seen := map[string]bool{"a": true, "b": true}
		for len(seen) > 0 {
			select {
			case <-a:
				delete(seen, "a")
			case <-b:
				delete(seen, "b")
			}
		}
		close(done)
	}()
	close(a)
	close(b)
	<-done
}

type tally struct{ n int }

func (t *tally) add() bool { t.n++; return t.n < 3 }

func countsInMethod() {
	a, b := make(chan int), make(chan int)
	done := make(chan bool)
	t := new(tally)
	go func() {
		for t.add() {
			select {
			case <-a:
			case <-b:
			}
		}
		close(done)
	}()
	close(a)
	<-done
}

// the other one is ready sooner or later
func untilTheLast() {
	quit, more := make(chan int), make(chan int)
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
			case v := <-more:
				if v == 1 {
					return
				}
			}
		}
	}()
	close(quit)
	more <- 0
	more <- 1
	<-done
}
