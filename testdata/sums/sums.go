// Package sums has goroutines that send different values into one channel, and somebody who takes them one right after the
// other. It is for -strategy optimal with -independence commute.
//
// # Counts
//
// Under Go's own delivery, sends into one channel have an order: N goroutines that send once have N! orders. If the receiver only
// adds up what it takes, nobody can tell them apart: one execution.
//
//   - Total, Collect, Until, Pi and a test that adds up itself: N!, and 1.
//   - Fib is testdata/fib with channels that have room, and without messages down: a call that makes two others receives their results in
//     either order, 2^I(n) executions, where I(0) = I(1) = 0 and I(n) = 1 + I(n-1) + I(n-2): 16 for 4, and 4096 for 6; and 1.
//   - Pool has W workers that take jobs from one channel, in an order that matters to each: of J jobs each one goes to one of the
//     W. Only the results' order does not matter: W^J.
//   - Twice adds up N values and then N others, with a look at a variable in between: which N of 2N come first, (2N)!/(N!N!).
//   - MeetTotal, MeetUntil and MeetFib are Total, Until and Fib with channels that have no room, so that a goroutine goes on when it has
//     been received from: N! and 2^I(n), and 1. MeetPool is Pool with such channels: W^J. MeetSome receives from K of N only, and the
//     others wait for ever: N!/(N-K)! orders, and the ways to choose the K, N!/(K!(N-K)!). MeetList keeps the order: N!.
//   - Narrow has room for one value: N!, with the fact, too.
//   - Float, List, Last and First can tell the order: N!, with as many outcomes in List; in Last and First N!, too, though there are N
//     outcomes. Rounds calls one function twice in a row, whose receives are in no group: (2N)!.
package sums

import (
	"errors"
	"sync/atomic"
)

// start starts n goroutines that send f(0), f(1), ...
func start[T any](n int, f func(i int) T) <-chan T {
	c := make(chan T, n)
	for i := range n {
		go func() { c <- f(i) }()
	}
	return c
}

func square(i int) int { return i * i }

// Total adds up n squares.
func Total(n int) (sum int) {
	c := start(n, square)
	for range n {
		sum += <-c
	}
	return sum
}

// result is what a worker has to say.
type result struct {
	bytes int
	name  string
	err   error
}

var errOdd = errors.New("odd")

func work(i int) (r result) {
	if i%2 == 1 {
		r.err = errOdd
		return r
	}
	r.bytes, r.name = 10*i, string(rune('a'+i))
	return r
}

// Collect adds up what n workers have done, and counts the errors.
func Collect(n int) (bytes, failed int, last string) {
	c := start(n, work)
	for i := 0; i < n; i++ {
		r := <-c
		if r.err != nil {
			failed++
			continue
		}
		bytes += r.bytes
		last = max(last, r.name)
	}
	return bytes, failed, last
}

// Until adds up in a goroutine, until the channel is closed.
func Until(n int) int {
	c, done := make(chan int, n), make(chan int)
	finished := make(chan struct{}, n)
	go func() {
		sum := 0
		for v := range c {
			sum += v
		}
		done <- sum
	}()
	for i := range n {
		go func() {
			c <- square(i)
			finished <- struct{}{}
		}()
	}
	for range n {
		<-finished
	}
	close(c)
	return <-done
}

// Pi is testdata/pi with whole numbers: w workers add up the terms of a series, in millionths.
func Pi(w int) int {
	sum := 0
	for c, i := start(w, term), 0; i < w; i++ {
		sum += <-c
	}
	return sum
}

func term(i int) int {
	sum := 0
	for k := 100 * i; k < 100*(i+1); k++ {
		sum += (1 - 2*(k%2)) * 4000000 / (2*k + 1)
	}
	return sum
}

// Fib returns the n-th Fibonacci number.
func Fib(n int) int {
	c := make(chan int, 1)
	go fib(n, c)
	return <-c
}

func fib(n int, client chan<- int) {
	if n < 2 {
		client <- n
		return
	}
	c := make(chan int, 2)
	go fib(n-1, c)
	go fib(n-2, c)
	client <- <-c + <-c
}

// Pool has jobs done by workers.
func Pool(jobs, workers int) (bytes, failed int) {
	todo, c := make(chan int, jobs), make(chan result, jobs)
	for i := range jobs {
		todo <- i
	}
	close(todo)
	for range workers {
		go func() {
			for i := range todo {
				c <- work(i)
			}
		}()
	}
	for range jobs {
		r := <-c
		bytes += r.bytes
		if r.err != nil {
			failed++
		}
	}
	return bytes, failed
}

// Twice adds up n squares of 2n, and then the others.
func Twice(n int) (first, second int) {
	c := start(2*n, square)
	var looked atomic.Int64
	for range n {
		first += <-c
	}
	looked.Load()
	for range n {
		second += <-c
	}
	return first, second
}

// Float adds up fractions.
func Float(n int) (sum float64) {
	c := start(n, func(i int) float64 { return 1 / float64(i+1) })
	for range n {
		sum += <-c
	}
	return sum
}

// List keeps the order.
func List(n int) (all []int) {
	c := start(n, square)
	for range n {
		all = append(all, <-c)
	}
	return all
}

// Last returns the last value.
func Last(n int) (v int) {
	c := start(n, square)
	for range n {
		v = <-c
	}
	return v
}

// First returns the first one.
func First(n int) int {
	c, first := start(n, square), -1
	for range n {
		if v := <-c; first < 0 {
			first = v
		}
	}
	return first
}

// Rounds adds up n values, and then n others.
func Rounds(n int) (first, second int) {
	c := start(2*n, square)
	return add(c, n), add(c, n)
}

func add(c <-chan int, n int) (sum int) {
	for range n {
		sum += <-c
	}
	return sum
}
