package divided

import (
	"fmt"
	"sync"
	"testing"
)

// ordered returns a channel that n goroutines send to.
func ordered(n int) chan int {
	c := make(chan int, n)
	for i := range n {
		go func() { c <- i }()
	}
	return c
}

// TestLateSections has sections that commute, in a few orders.
func TestLateSections(t *testing.T) {
	c := ordered(3)
	a, b, x, y, z := <-c, <-c, 0, 0, 0
	if a == 2 && b == 1 {
		var mu sync.Mutex
		var wg sync.WaitGroup
		wg.Add(3)
		go func() { mu.Lock(); x = 1; mu.Unlock(); wg.Done() }()
		go func() { mu.Lock(); y = 2; mu.Unlock(); wg.Done() }()
		go func() { mu.Lock(); z = 3; mu.Unlock(); wg.Done() }()
		wg.Wait()
	}
	t.Log(a, b, <-c, x, y, z)
}

// TestLateOrdinary has sections in a few orders, and none of them commutes.
func TestLateOrdinary(t *testing.T) {
	c := ordered(3)
	a, b := <-c, <-c
	var s []int
	if a == 2 && b == 1 {
		var mu sync.Mutex
		d := make(chan bool, 3)
		for i := range 3 {
			go func() { mu.Lock(); s = append(s, i); d <- true; mu.Unlock() }()
		}
		_, _, _ = <-d, <-d, <-d
		mu.Lock()
		mu.Unlock()
	}
	t.Log(a, b, <-c, s)
}

// TestLateEqual has sends of equal values, in a few orders.
func TestLateEqual(t *testing.T) {
	c := ordered(3)
	a, b := <-c, <-c
	if a == 2 && b == 1 {
		d := make(chan string, 3)
		go func() { d <- "x" }()
		go func() { x := "x"; d <- x }()
		go func() { d <- "xy"[:1] }()
		_, _, _ = <-d, <-d, <-d
	}
	t.Log(a, b, <-c)
}

// TestLateTwins has twins, in a few orders.
func TestLateTwins(t *testing.T) {
	c := ordered(3)
	a, b, s := <-c, <-c, ""
	if a == 2 && b == 1 {
		in, out := make(chan int, 3), make(chan int, 3)
		for range 3 {
			go func() {
				for v := range in {
					out <- v * v
				}
			}()
		}
		for v := range 3 {
			in <- v
		}
		close(in)
		s = fmt.Sprint(<-out, <-out, <-out)
	}
	t.Log(a, b, <-c, s)
}

// TestLateGroup has a group whose Add and Done do not match, in a few orders.
func TestLateGroup(t *testing.T) {
	c := ordered(3)
	a := <-c
	var wg sync.WaitGroup
	if a == 2 {
		go func() { wg.Add(1); wg.Done() }()
		go func() { wg.Add(1); wg.Done() }()
	}
	wg.Wait()
	t.Log(a, <-c, <-c)
}

// TestLateRace has a data race in a few orders.
func TestLateRace(t *testing.T) {
	c := ordered(4)
	a, b, x := <-c, <-c, 0
	if a == 3 && b == 2 {
		go func() { x++ }()
		x++
	}
	t.Log(<-c, <-c)
}

// TestLateGather gathers results in some order, in a few orders of something else.
func TestLateGather(t *testing.T) {
	c := ordered(3)
	a, b, sum := <-c, <-c, 0
	if a == 2 && b == 1 {
		d := make(chan int, 3)
		go func() { d <- 1 }()
		go func() { d <- 2 }()
		go func() { d <- 4 }()
		for range 3 {
			sum += <-d
		}
	}
	t.Log(a, b, <-c, sum)
}
