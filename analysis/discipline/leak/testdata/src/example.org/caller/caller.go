// Package caller calls functions whose code is that of other packages.
package caller

import (
	"context"
	"time"

	"example.org/answers"
	"example.org/chain"
)

func early(ctx context.Context) (int, error) {
	c := make(chan int)
	go answers.Result(c) // want `the goroutine started here waits for ever to send to a channel at answers.go:\d+, if (ctx ends|the timer fires|[a-z]+ ends) first`
	select {
	case v := <-c:
		return v, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func roomy(ctx context.Context) (int, error) {
	c := make(chan int, 1)
	go answers.Result(c)
	select {
	case v := <-c:
		return v, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func timeout(key string) string {
	out := make(chan string)
	answers.Async(key, out) // want `the goroutine started here waits for ever to send to a channel at answers.go:\d+, if (ctx ends|the timer fires|[a-z]+ ends) first`
	select {
	case s := <-out:
		return s
	case <-time.After(time.Second):
		return ""
	}
}

func deeper(bad bool) int {
	c := make(chan int)
	go chain.Result(c) // want `waits for ever to send to a channel at answers.go:\d+, if bad is true`
	if bad {
		return 0
	}
	return <-c
}

func nothing(n int) {
	c := make(chan int)
	done := make(chan bool)
	go func() { // want `waits for ever to receive from c at caller.go:\d+, if n < 0`
		println(<-c)
		close(done)
	}()
	if answers.Checked(n, c) != nil {
		return
	}
	<-done
}

func polite(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := make(chan int)
	go answers.Polite(ctx, c)
	select {
	case v := <-c:
		println(v)
	case <-ctx.Done():
	}
}

func registered() {
	c := make(chan int)
	answers.Register(c)
	go func() { c <- 1 }()
}

func unknown() {
	c := make(chan int)
	go answers.Each(c, 1)
}

func thrice(n int) {
	t := answers.NewTwice()
	c := make(chan int, 3)
	t.Ask(c)
	t.Ask(c)
	done := make(chan bool)
	go func() { // want `the goroutine started here waits for ever to send to a channel at answers.go:\d+`
		t.Ask(c)
		close(done)
	}()
	println(<-c, <-c)
}

func received() int {
	c := make(chan int)
	go answers.Call(func(n int) { c <- n })
	return <-c
}

func text() []uint8 {
	c := make(chan []uint8)
	go answers.Put(c, "x")
	return <-c
}

func setup(c *answers.Config) { c.Workers = 4 }

func served() {
	c := &answers.Config{Jobs: make(chan func())}
	setup(c)
	answers.Serve(c)
	c.Jobs <- func() {}
	close(c.Jobs)
}

func buffered() {
	buffer := answers.NewConfig().Buffer
	if buffer > 0 {
		return
	}
	c := make(chan int)
	go func() { c <- 1 }() // want `waits for ever to send to c at caller.go:\d+, if Buffer <= 0`
}

type closer struct{ c chan int }

func (c closer) Call() { close(c.c) }

func calledBack(g *answers.Guard) {
	c := closer{make(chan int)}
	go func() { <-c.c }()
	g.Then(c)
}

func startedBack() {
	c := make(chan int, 1)
	go func() { <-c }()
	answers.Start(2, func(n int) { c <- n })
}
