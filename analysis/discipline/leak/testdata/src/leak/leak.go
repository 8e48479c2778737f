package leak

import (
	"context"
	"errors"
	"sync"
	"time"
)

func work() (int, error) { return len(global), nil }

var global string

// The answer comes after the context has ended.

func timeout(ctx context.Context) (int, error) {
	ch := make(chan int)
	go func() { // want `the goroutine started here waits for ever to send to ch at leak.go:\d+, if (ctx ends|the timer fires|[a-z]+ ends) first`
		n, _ := work()
		ch <- n
	}()
	select {
	case n := <-ch:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func timeoutMended(ctx context.Context) (int, error) {
	ch := make(chan int, 1)
	go func() {
		n, _ := work()
		ch <- n
	}()
	select {
	case n := <-ch:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func after() int {
	ch, errs := make(chan int), make(chan error)
	go func() { // want `waits for ever`
		n, err := work()
		if err != nil {
			errs <- err
			return
		}
		ch <- n
	}()
	select {
	case n := <-ch:
		return n
	case <-errs:
	case <-time.After(time.Second):
	}
	return 0
}

func afterMended() int {
	ch, errs := make(chan int, 1), make(chan error, 1)
	go func() {
		n, err := work()
		if err != nil {
			errs <- err
			return
		}
		ch <- n
	}()
	select {
	case n := <-ch:
		return n
	case <-errs:
	case <-time.After(time.Second):
	}
	return 0
}

// An early return.

func early(check func() error) error {
	ch := make(chan int)
	go func() { ch <- 1 }() // want `waits for ever to send to ch at leak.go:\d+, if what check returns is an error`
	if err := check(); err != nil {
		return err
	}
	<-ch
	return nil
}

func earlyMended(check func() error) error {
	ch := make(chan int)
	go func() { ch <- 1 }()
	err := check()
	<-ch
	return err
}

// One answer is enough.

func firstOf(urls []string) int {
	ch := make(chan int)
	for range urls {
		go func() { // want `waits for ever to send to ch`
			n, _ := work()
			ch <- n
		}()
	}
	if len(urls) == 0 {
		return 0
	}
	return <-ch
}

func firstOfMended(urls []string) int {
	ch := make(chan int, len(urls))
	for range urls {
		go func() {
			n, _ := work()
			ch <- n
		}()
	}
	if len(urls) == 0 {
		return 0
	}
	return <-ch
}

func allOf(urls []string) (sum int) {
	ch := make(chan int)
	for range urls {
		go func() {
			n, _ := work()
			ch <- n
		}()
	}
	for range urls {
		sum += <-ch
	}
	return sum
}

// A return is missing after the send of an error.

// The error of work is always nil, so that there is one send.
func double() error {
	ch := make(chan error)
	go func() {
		_, err := work()
		if err != nil {
			ch <- err
		}
		ch <- nil
	}()
	return <-ch
}

func doubleSend() error {
	ch := make(chan error)
	go func() { // want `waits for ever to send to ch at leak.go:\d+, if .*`
		if time.Now().IsZero() {
			ch <- errors.New("zero")
		}
		ch <- nil
	}()
	return <-ch
}

func doubleMended() error {
	ch := make(chan error)
	go func() {
		if time.Now().IsZero() {
			ch <- errors.New("zero")
			return
		}
		ch <- nil
	}()
	return <-ch
}

// Nobody closes the channel.

func rangeOver(items []int) {
	ch := make(chan int)
	go func() { // want `waits for ever to receive from ch`
		for i := range ch {
			println(i)
		}
	}()
	for _, i := range items {
		ch <- i
	}
}

func rangeOverMended(items []int) {
	ch := make(chan int)
	go func() {
		for i := range ch {
			println(i)
		}
	}()
	for _, i := range items {
		ch <- i
	}
	close(ch)
}

// The context is never cancelled.

func dropped() int {
	ctx, cancel := context.WithCancel(context.Background())
	ch := make(chan int, 1)
	go func() {
		<-ctx.Done()
	}()
	go func() { ch <- 1 }()
	defer cancel()
	return <-ch
}

func neverCancelled(bad bool) int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // want `waits for ever to receive from ctx.Done\(\)`
		<-ctx.Done()
	}()
	if bad {
		return 0
	}
	cancel()
	return 1
}

// A group and a channel.

func collect(items []int) []int {
	var wg sync.WaitGroup
	out := make(chan int)
	for range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out <- 1
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	var all []int
	for v := range out {
		all = append(all, v)
	}
	return all
}

func collectHalf(items []int) int {
	var wg sync.WaitGroup
	out := make(chan int)
	for range items {
		wg.Add(1)
		go func() { // want `waits for ever to send to out`
			defer wg.Done()
			out <- 1
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for v := range out {
		if v > 0 {
			return v
		}
	}
	return 0
}

// Workers that are told to stop.

func workers(jobs []func()) {
	in, quit := make(chan func()), make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case f := <-in:
					f()
				case <-quit:
					return
				}
			}
		}()
	}
	for _, j := range jobs {
		in <- j
	}
	close(quit)
	wg.Wait()
}

func errgroupLike(fs []func() error) error {
	errs := make(chan error, len(fs))
	for _, f := range fs {
		go func() { errs <- f() }()
	}
	for range fs {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// What others may end is silent.

func handedOut() <-chan int {
	ch := make(chan int)
	go func() { ch <- 1 }()
	return ch
}

type server struct {
	in   chan int
	done chan struct{}
}

func newServer() *server {
	s := &server{in: make(chan int), done: make(chan struct{})}
	go s.loop()
	return s
}

func (s *server) loop() {
	for {
		select {
		case <-s.in:
		case <-s.done:
			return
		}
	}
}

var kept chan int

func keep() {
	ch := make(chan int)
	kept = ch
	go func() { ch <- 1 }()
}

type ticking struct{ t *time.Ticker }

func ticker(stop <-chan struct{}) {
	t := time.NewTicker(time.Second)
	go func() {
		defer t.Stop()
		for {
			select {
			case <-t.C:
				println("tick")
			case <-stop:
				return
			}
		}
	}()
}

func hedge(ctx context.Context) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ch := make(chan int)
	for range 2 {
		go func() {
			select {
			case ch <- 1:
			case <-ctx.Done():
			}
		}()
	}
	return <-ch
}

// The number that doubles in each round must not double its name.
func doubling(n int, limit int) {
	ch := make(chan int, 1)
	for range 60 {
		n += n
	}
	if n < limit {
		return
	}
	go func() { ch <- n }()
}
