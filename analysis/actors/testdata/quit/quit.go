// Package quit is patterns P2 and P12: one data mailbox, a quit channel or a context, and a timer.
package quit

import (
	"context"
	"time"
)

type Counter struct {
	in   chan int
	quit chan struct{}
}

func Start() *Counter {
	c := &Counter{in: make(chan int), quit: make(chan struct{})}
	go c.loop()
	return c
}

func (c *Counter) loop() {
	sum := 0
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case n := <-c.in:
			sum += n
		case <-tick.C:
			sum = 0
		case <-time.After(time.Minute):
			return
		case <-c.quit:
			return
		}
	}
}

func (c *Counter) Stop() { close(c.quit) }

func Watch(ctx context.Context, in <-chan string, log func(string)) {
	go func() {
		for {
			select {
			case s, ok := <-in:
				if !ok {
					return
				}
				log(s)
			case <-ctx.Done():
				return
			}
		}
	}()
}

// A channel of empty structs that is sent to and does not end the loop is a message: raft's tick.
func Ticks(n int) {
	tick := make(chan struct{})
	stop := make(chan bool)
	go func() {
		elapsed := 0
		for {
			select {
			case <-tick:
				elapsed++
			case <-stop:
				return
			}
		}
	}()
	for range n {
		tick <- struct{}{}
	}
	stop <- true
}

// WANT:
// actor Counter.loop select
// mailbox Counter.loop Counter.in data int 0
// mailbox Counter.loop Counter.quit control struct{} 0
// mailbox Counter.loop Ticker.C timer time.Time unknown
// mailbox Counter.loop time.After() timer time.Time unknown
// handler Counter.loop Counter.quit stops
// state Counter.loop sum local rw
// ! state Counter.loop tick
// actor Watch.func1 select
// mailbox Watch.func1 in data string unknown
// mailbox Watch.func1 Context.Done() control struct{} unknown
// state Watch.func1 log captured r
// actor Ticks.func1 select
// mailbox Ticks.func1 tick data struct{} 0
// mailbox Ticks.func1 stop control bool 0
// state Ticks.func1 elapsed local rw
// ! rejected
// sent Counter.loop Counter.quit in (*Counter).Stop close by env
