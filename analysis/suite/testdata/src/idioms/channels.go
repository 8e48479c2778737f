// Package idioms has correct programs in the commonest shapes: the finder must be silent.
package idioms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

func compute(n int) (int, error) { return n * global, nil }

var global int

var errEmpty = errors.New("empty")

// Results have room.

func poolSizedResults(items []int) []int {
	jobs, results := make(chan int), make(chan int, len(items))
	for range 3 {
		go func() {
			for n := range jobs {
				r, _ := compute(n)
				results <- r
			}
		}()
	}
	for _, n := range items {
		jobs <- n
	}
	close(jobs)
	var out []int
	for range items {
		out = append(out, <-results)
	}
	return out
}

func poolClosedByWaiter(items []int) []int {
	jobs, results := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range jobs {
				results <- n
			}
		}()
	}
	go func() {
		defer close(jobs)
		for _, n := range items {
			jobs <- n
		}
	}()
	go func() {
		wg.Wait()
		close(results)
	}()
	var out []int
	for n := range results {
		out = append(out, n)
	}
	return out
}

func poolWaitGroupGo(items []int) {
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range jobs {
			}
		})
	}
	for _, n := range items {
		jobs <- n
	}
	close(jobs)
	wg.Wait()
}

func trySend(ch chan int, n int) bool {
	select {
	case ch <- n:
		return true
	default:
		return false
	}
}

func notifyOnce() {
	wake := make(chan struct{}, 1)
	for range 3 {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	<-wake
}

func firstOfTwo() int {
	ch := make(chan int, 2)
	go func() { ch <- 1 }()
	go func() { ch <- 2 }()
	return <-ch
}

func answerOrTime() (int, error) {
	ch := make(chan int, 1)
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
	type result struct {
		n   int
		err error
	}
	ch := make(chan result, 1)
	go func() {
		n, err := compute(1)
		ch <- result{n, err}
	}()
	select {
	case r := <-ch:
		return r.n, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func answerGivenUp(ctx context.Context) (int, error) {
	ch := make(chan int)
	go func() {
		n, _ := compute(1)
		select {
		case ch <- n:
		case <-ctx.Done():
		}
	}()
	select {
	case n := <-ch:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func cancelDeferred() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-ctx.Done()
	}()
	compute(1)
}

func cancelTimeout(parent context.Context) error {
	ctx, cancel := context.WithTimeout(parent, time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- wait(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func stopAndWait() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				compute(1)
			}
		}
	}()
	close(stop)
	<-stopped
}

func tickerLoop(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			compute(1)
		case <-ctx.Done():
			return
		}
	}
}

func pipelineDone(items []int) int {
	done := make(chan struct{})
	defer close(done)
	src := make(chan int)
	go func() {
		defer close(src)
		for _, n := range items {
			select {
			case src <- n:
			case <-done:
				return
			}
		}
	}()
	squares := make(chan int)
	go func() {
		defer close(squares)
		for n := range src {
			select {
			case squares <- n * n:
			case <-done:
				return
			}
		}
	}()
	for n := range squares {
		if n > 10 {
			return n
		}
	}
	return 0
}

func generator(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i
		}
	}()
	return out
}

func drainGenerator() (sum int) {
	for n := range generator(3) {
		sum += n
	}
	return sum
}

func fanIn(a, b <-chan int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	for _, ch := range []<-chan int{a, b} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range ch {
				out <- n
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func fanInNil(a, b chan int) (sum int) {
	for a != nil || b != nil {
		select {
		case n, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			sum += n
		case n, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			sum += n
		}
	}
	return sum
}

func nilCase(items []int) {
	in, out := make(chan int), chan int(nil)
	go func() {
		defer close(in)
		for _, n := range items {
			in <- n
		}
	}()
	for range in {
		select {
		case out <- 1:
		default:
		}
	}
}

func semaphoreChan(items []int) {
	sem := make(chan struct{}, 3)
	var wg sync.WaitGroup
	for range items {
		sem <- struct{}{}
		wg.Add(1)
		go func() {
			defer func() {
				<-sem
				wg.Done()
			}()
			compute(1)
		}()
	}
	wg.Wait()
}

func semaphoreFill() {
	sem := make(chan struct{}, 2)
	for range 4 {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			compute(2)
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
}

func errorsCollected(items []int) error {
	errs := make(chan error, len(items))
	for _, n := range items {
		go func() {
			_, err := compute(n)
			errs <- err
		}()
	}
	for range items {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func handshake() {
	ready, goOn := make(chan struct{}), make(chan struct{})
	go func() {
		close(ready)
		<-goOn
	}()
	<-ready
	close(goOn)
}

func pingPong() int {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for n := range ping {
			pong <- n + 1
		}
		close(pong)
	}()
	n := 0
	for range 3 {
		ping <- n
		n = <-pong
	}
	close(ping)
	<-pong
	return n
}

func server(requests <-chan chan int, quit <-chan struct{}) {
	for {
		select {
		case answer := <-requests:
			answer <- 1
		case <-quit:
			return
		}
	}
}

func serve() int {
	requests, quit := make(chan chan int), make(chan struct{})
	go server(requests, quit)
	answer := make(chan int)
	requests <- answer
	n := <-answer
	close(quit)
	return n
}

func pipe(r io.Reader, w io.Writer) error {
	pr, pw := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(w, pr)
		done <- err
	}()
	_, err := io.Copy(pw, r)
	pw.CloseWithError(err)
	return <-done
}

func timerStopped(ch chan int) int {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	select {
	case n := <-ch:
		return n
	case <-t.C:
		return 0
	}
}

func timerDrained() {
	t := time.NewTimer(time.Second)
	if !t.Stop() {
		select {
		case <-t.C:
		default:
		}
	}
}

func afterFuncClose() {
	ch := make(chan struct{})
	time.AfterFunc(time.Second, func() { close(ch) })
	<-ch
}

func panicking(f func()) (err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		f()
	}()
	<-done
	return err
}

func batches(in <-chan int, size int) <-chan []int {
	out := make(chan []int)
	go func() {
		defer close(out)
		var batch []int
		for n := range in {
			if batch = append(batch, n); len(batch) == size {
				out <- batch
				batch = nil
			}
		}
		if len(batch) > 0 {
			out <- batch
		}
	}()
	return out
}

func limited(items []int) (n int) {
	ch := make(chan int)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(ch)
		for _, n := range items {
			select {
			case ch <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	for n = range ch {
		if n > 3 {
			break
		}
	}
	cancel()
	for range ch {
	}
	return n
}

func retry(ctx context.Context) error {
	for i := range 3 {
		if _, err := compute(i); err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errEmpty
}
