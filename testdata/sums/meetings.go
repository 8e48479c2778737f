package sums

import "sync"

// meet is start with a channel that has no room: each goroutine waits until it is its turn.
func meet[T any](n int, f func(i int) T) <-chan T {
	c := make(chan T)
	for i := range n {
		go func() { c <- f(i) }()
	}
	return c
}

// MeetTotal adds up n squares.
func MeetTotal(n int) (sum int) {
	c := meet(n, square)
	for range n {
		sum += <-c
	}
	return sum
}

// MeetSome adds up k of n squares. Who sends the others waits for ever.
func MeetSome(n, k int) (sum int) {
	c := meet(n, square)
	for range k {
		sum += <-c
	}
	return sum
}

// MeetUntil adds up until the channel is closed, by somebody who waits for all senders.
func MeetUntil(n int) (sum int) {
	c := make(chan int)
	var senders sync.WaitGroup
	for i := range n {
		senders.Add(1)
		go func() {
			defer senders.Done()
			c <- square(i)
		}()
	}
	go func() {
		senders.Wait()
		close(c)
	}()
	for v := range c {
		sum += v
	}
	return sum
}

// MeetFib is Fib with channels that have no room.
func MeetFib(n int) int {
	c := make(chan int)
	go meetFib(n, c)
	return <-c
}

func meetFib(n int, client chan<- int) {
	if n < 2 {
		client <- n
		return
	}
	c := make(chan int)
	go meetFib(n-1, c)
	go meetFib(n-2, c)
	client <- <-c + <-c
}

// MeetPool is Pool with channels that have no room.
func MeetPool(jobs, workers int) (bytes, failed int) {
	todo, c := make(chan int), make(chan result)
	for range workers {
		go func() {
			for i := range todo {
				c <- work(i)
			}
		}()
	}
	go func() {
		for i := range jobs {
			todo <- i
		}
		close(todo)
	}()
	for range jobs {
		r := <-c
		bytes += r.bytes
		if r.err != nil {
			failed++
		}
	}
	return bytes, failed
}

// MeetList keeps the order.
func MeetList(n int) (all []int) {
	c := meet(n, square)
	for range n {
		all = append(all, <-c)
	}
	return all
}

// Narrow adds up n squares from a channel that has room for one.
func Narrow(n int) (sum int) {
	c := make(chan int, 1)
	for i := range n {
		go func() { c <- square(i) }()
	}
	for range n {
		sum += <-c
	}
	return sum
}
