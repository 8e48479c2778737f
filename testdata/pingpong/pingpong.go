// Package pingpong is clean: nothing in it depends on a schedule.
//
// # Counts
//
//   - TestPingPong: two actors play a ball over two unbuffered channels. Each channel has one sender and one receiver,
//     and never more than one ball is in play: 1 inequivalent execution.
//   - TestCounter: two goroutines add to a counter under a mutex. Either has the mutex first: 2 inequivalent
//     executions, if it is known that two WaitGroup.Done commute; an explorer that orders all operations on one
//     WaitGroup sees 2*2 = 4. The sum is the same: 1 outcome.
package pingpong

import "sync"

// Play plays a ball to and fro: each of n rounds adds one on either side. It returns the last ball.
func Play(n int) int {
	ping, pong := make(chan int), make(chan int)
	go player(ping, pong)
	ball := 0
	for range n {
		ping <- ball + 1
		ball = <-pong
	}
	close(ping)
	return ball
}

func player(ping <-chan int, pong chan<- int) {
	for ball := range ping {
		pong <- ball + 1
	}
}

// Counter is a counter for many goroutines.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Add adds d.
func (c *Counter) Add(d int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += d
}

// Sum has n goroutines add 1 to a counter each, and returns its value.
func Sum(n int) int {
	var c Counter
	var wg sync.WaitGroup
	wg.Add(n)
	for range n {
		go func() {
			defer wg.Done()
			c.Add(1)
		}()
	}
	wg.Wait()
	return c.n
}
