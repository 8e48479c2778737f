// Package mistakes has the programs of package idioms, and more, each with one mistake: the finder
// must report something in each function, or in what it starts.
package mistakes

import (
	"context"
	"errors"
	"sync"
	"time"
)

func compute(n int) (int, error) { return n * global, nil }

var global int

var errEmpty = errors.New("empty")

func fails(n int) error {
	if n > global {
		return errEmpty
	}
	return nil
}

func resultsWithoutRoom(items []int) []int {
	jobs, results := make(chan int), make(chan int)
	for range 3 {
		go func() {
			for n := range jobs {
				results <- n
			}
		}()
	}
	for range 5 {
		jobs <- 1
	}
	close(jobs)
	var out []int
	for range 5 {
		out = append(out, <-results)
	}
	return out
}

func jobsNotClosed() {
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range jobs {
		}
	}()
	jobs <- 1
	wg.Wait()
}

func resultsNotClosed() (sum int) {
	results := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			results <- 1
		}()
	}
	go wg.Wait()
	for n := range results {
		sum += n
	}
	return sum
}

func waitBeforeReceive() int {
	results := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		results <- 1
	}()
	wg.Wait()
	return <-results
}

func firstOfTwo() int {
	ch := make(chan int)
	go func() { ch <- 1 }()
	go func() { ch <- 2 }()
	return <-ch
}

func answerOrTime() (int, error) {
	ch := make(chan int)
	go func() {
		n, _ := compute(1)
		ch <- n
	}()
	select {
	case n := <-ch:
		return n, nil
	case <-time.After(time.Second):
		return 0, errEmpty
	}
}

func answerOrContext(ctx context.Context) (int, error) {
	ch := make(chan int)
	go func() {
		n, _ := compute(1)
		ch <- n
	}()
	select {
	case n := <-ch:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func earlyReturn(n int) error {
	ch := make(chan error)
	go func() { ch <- fails(n) }()
	if err := fails(n + 1); err != nil {
		return err
	}
	return <-ch
}

func cancelDropped() {
	ctx, _ := context.WithCancel(context.Background())
	go func() { <-ctx.Done() }()
}

func cancelAfterWait() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		<-ctx.Done()
	}()
	wg.Wait()
	cancel()
}

func stopNotClosed() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		<-stop
	}()
	<-stopped
	close(stop)
}

func pipelineLeft(items []int) int {
	src := make(chan int)
	go func() {
		defer close(src)
		for _, n := range items {
			src <- n
		}
	}()
	for n := range src {
		if n > 10 {
			return n
		}
	}
	return 0
}

func collectedEarly(items []int) error {
	errs := make(chan error)
	for _, n := range items {
		go func() { errs <- fails(n) }()
	}
	for range items {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func semaphoreKept() {
	sem := make(chan struct{}, 1)
	for range 2 {
		sem <- struct{}{}
		go func() { compute(1) }()
	}
}

func semaphoreKeptOnError(items []int) {
	sem := make(chan struct{}, 1)
	for _, n := range items {
		sem <- struct{}{}
		go func() {
			if fails(n) != nil {
				return
			}
			<-sem
		}()
	}
}

func handshakeLate() {
	ready, goOn := make(chan struct{}), make(chan struct{})
	go func() {
		<-goOn
		close(ready)
	}()
	<-ready
	close(goOn)
}

func pingPong() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		pong <- 1
		<-ping
	}()
	ping <- 1
	<-pong
}

func afterFuncStopped() {
	ch := make(chan struct{})
	t := time.AfterFunc(time.Second, func() { close(ch) })
	t.Stop()
	<-ch
}

func panicSkipsSend(f func() error) error {
	done := make(chan error)
	go func() {
		if err := f(); err == nil {
			done <- nil
		}
	}()
	return <-done
}

func doubleSend() {
	ch := make(chan error)
	go func() {
		if err := fails(1); err != nil {
			ch <- err
		}
		ch <- nil
	}()
	<-ch
}

func closedTwice() {
	ch := make(chan struct{})
	go func() { close(ch) }()
	close(ch)
}

func sentAfterClose() {
	ch := make(chan int, 1)
	go func() { ch <- 1 }()
	close(ch)
}

func checkedClose() {
	ch := make(chan struct{})
	shut := func() {
		select {
		case <-ch:
		default:
			close(ch)
		}
	}
	go shut()
	shut()
}

type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) get(key string) (int, bool) {
	c.mu.Lock()
	n, ok := c.n[key]
	if !ok {
		return 0, false
	}
	c.mu.Unlock()
	return n, true
}

func (c *counter) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.n)
}

func (c *counter) lockedSize() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size()
}

func (c *counter) loop(keys []string) {
	for _, k := range keys {
		c.mu.Lock()
		if c.n[k] == 0 {
			continue
		}
		delete(c.n, k)
		c.mu.Unlock()
	}
}

type cache struct {
	mu    sync.RWMutex
	items map[string]int
}

func (c *cache) upgrade(key string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if _, ok := c.items[key]; !ok {
		c.mu.Lock()
		c.items[key] = 1
		c.mu.Unlock()
	}
}

func (c *cache) load(key string) (int, error) {
	c.mu.RLock()
	n, ok := c.items[key]
	if !ok {
		return 0, errEmpty
	}
	c.mu.RUnlock()
	return n, nil
}

func opposite() {
	var a, b sync.Mutex
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}

func onceInItself() {
	var once sync.Once
	var f func()
	f = func() { once.Do(f) }
	f()
}

func doneMissed(items []int) {
	var wg sync.WaitGroup
	for _, n := range items {
		wg.Add(1)
		go func() {
			if err := fails(n); err != nil {
				return
			}
			wg.Done()
		}()
	}
	wg.Wait()
}

func waitInLoop(items []int) {
	var wg sync.WaitGroup
	wg.Add(len(items))
	for range items {
		go wg.Done()
		wg.Wait()
	}
}

func addTooMuch() {
	var wg sync.WaitGroup
	wg.Add(3)
	for range 2 {
		go wg.Done()
	}
	wg.Wait()
}

func signalFirst() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		cond.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	cond.Wait()
	mu.Unlock()
}

func signalOne() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
		}()
	}
	mu.Lock()
	ready = true
	cond.Signal()
	mu.Unlock()
	wg.Wait()
}

func sendUnderLock() {
	var mu sync.Mutex
	ch := make(chan int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		<-ch
	}()
	mu.Lock()
	ch <- 1
	mu.Unlock()
}

func waitUnderLock() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	wg.Wait()
	mu.Unlock()
}

func nilChannel() {
	var ch chan int
	go func() { ch <- 1 }()
	<-ch
}

func unbufferedSelf() {
	ch := make(chan int)
	ch <- 1
	<-ch
}

func rangeOwn() {
	ch := make(chan int, 3)
	ch <- 1
	for range ch {
	}
}
