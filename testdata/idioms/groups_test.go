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

// TestNested: members of a group add more members, who add more. Only when all are done, the counter is zero.
func TestNested(t *testing.T) {
	var wg sync.WaitGroup
	var res [2][2][2]int
	for i := range 2 {
		wg.Go(func() {
			for j := range 2 {
				wg.Go(func() {
					for k := range 2 {
						wg.Go(func() { res[i][j][k] = i + j + k })
					}
				})
			}
		})
	}
	wg.Wait()
	t.Log(res)
}

// TestOwnGroups: each member of a group waits for a group of its own, whose members count in both.
func TestOwnGroups(t *testing.T) {
	var all sync.WaitGroup
	var res [3][2]int
	for i := range 3 {
		all.Go(func() {
			var own sync.WaitGroup
			for j := range 2 {
				all.Add(1)
				own.Add(1)
				go func() {
					defer all.Done()
					defer own.Done()
					res[i][j] = i * j
				}()
			}
			own.Wait()
		})
	}
	all.Wait()
	t.Log(res)
}

// TestWalk: a tree is walked by a goroutine for each of its nodes.
func TestWalk(t *testing.T) {
	var wg sync.WaitGroup
	var visit func(depth int)
	visit = func(depth int) {
		defer wg.Done()
		for range min(depth, 2) {
			wg.Add(1)
			go visit(depth - 1)
		}
	}
	wg.Add(1)
	go visit(3)
	wg.Wait()
}
