package idioms

import (
	"sync"
	"testing"
)

// The ways in which programs use a WaitGroup. Nobody can tell the orders apart in any of them. 1 each.

// crew embeds its group.
type crew struct {
	sync.WaitGroup
	done [8]int
}

func (c *crew) work(i int) {
	defer c.Done()
	c.done[i] = i
}

// TestCrew: Add comes once for all, and the goroutines are methods.
func TestCrew(t *testing.T) {
	var c crew
	c.Add(len(c.done))
	for i := range c.done {
		go c.work(i)
	}
	c.Wait()
	t.Log(c.done)
}

// TestMethodValue: Done is handed over as a function.
func TestMethodValue(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(6)
	for range 6 {
		go func(done func()) { done() }(wg.Done)
	}
	wg.Wait()
}

// each is generic.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	var wg sync.WaitGroup
	for i, x := range in {
		wg.Add(1)
		go func() {
			out[i] = f(x)
			wg.Done()
		}()
	}
	wg.Wait()
	return out
}

// TestEach: two rounds, one after the other.
func TestEach(t *testing.T) {
	double := func(n int) int { return 2 * n }
	t.Log(each(each([]int{1, 2, 3, 4, 5}, double), double))
}

// TestRounds: one group is used again after Wait.
func TestRounds(t *testing.T) {
	var wg sync.WaitGroup
	sums := make([]int, 4)
	for round := range 3 {
		for i := range sums {
			wg.Go(func() { sums[i] += round })
		}
		wg.Wait()
	}
	t.Log(sums)
}

// TestTwoWaits: two goroutines wait, and one of them closes a channel.
func TestTwoWaits(t *testing.T) {
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		wg.Go(func() {})
	}
	go func() {
		wg.Wait()
		close(done)
	}()
	wg.Wait()
	<-done
}

// TestGate: all wait for one close.
func TestGate(t *testing.T) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range 6 {
		wg.Go(func() { <-start })
	}
	close(start)
	wg.Wait()
}
