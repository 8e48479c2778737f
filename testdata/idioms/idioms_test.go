// Package idioms has what nearly every concurrent Go program does: a few goroutines, and something that waits for them. Where nobody
// can tell the orders apart, one execution is enough.
package idioms

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// TestGo: nobody but Wait looks at the counter, and each Done has the Add of its own goroutine before it. 1.
func TestGo(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {})
	}
	wg.Wait()
}

// TestSlots: likewise; each goroutine writes a variable of its own. 1.
func TestSlots(t *testing.T) {
	var wg sync.WaitGroup
	squares := make([]int, 8)
	for i := range squares {
		wg.Add(1)
		go func() {
			defer wg.Done()
			squares[i] = i * i
		}()
	}
	wg.Wait()
	t.Log(squares)
}

// TestReaders: readers do not exclude each other. 1.
func TestReaders(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.RWMutex
	sum, x := make([]int, 4), 7
	for i := range sum {
		wg.Go(func() {
			mu.RLock()
			defer mu.RUnlock()
			sum[i] = x
		})
	}
	wg.Wait()
	t.Log(sum)
}

// TestTotal: nobody uses what Add returns, and Load comes after all of them. 1.
func TestTotal(t *testing.T) {
	var wg sync.WaitGroup
	var total atomic.Int64
	var flags uint32
	for i := range 5 {
		wg.Go(func() {
			total.Add(int64(i))
			atomic.OrUint32(&flags, 1<<i)
		})
	}
	wg.Wait()
	t.Log(total.Load(), atomic.LoadUint32(&flags))
}

// TestLast: each goroutine sees what Add returns, so the orders of the calls differ. 3! = 6.
func TestLast(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int64
	for i := range 3 {
		wg.Go(func() {
			if n.Add(1) == 3 {
				t.Log(i)
			}
		})
	}
	wg.Wait()
}

// TestOnce: who comes first runs the function; the others see only that it has run. 3.
func TestOnce(t *testing.T) {
	var wg sync.WaitGroup
	var once sync.Once
	first := 0
	for i := range 3 {
		wg.Go(func() { once.Do(func() { first = i }) })
	}
	wg.Wait()
	t.Log(first)
}

// TestShards: the locks are different ones. 1.
func TestShards(t *testing.T) {
	var wg sync.WaitGroup
	var shards [3]struct {
		sync.Mutex
		n int
	}
	for i := range shards {
		wg.Go(func() {
			shards[i].Lock()
			defer shards[i].Unlock()
			shards[i].n = i
		})
	}
	wg.Wait()
	t.Log(shards[0].n, shards[1].n, shards[2].n)
}

// TestHandedOver: the Add is the sender's, and the Done the worker's, who knows of it by the job. Which of two workers takes which
// of two jobs makes four executions; the orders of Add and Done make no more.
func TestHandedOver(t *testing.T) {
	var wg sync.WaitGroup
	jobs := make(chan int)
	done := make([]int, 2)
	for range 2 {
		go func() {
			for j := range jobs {
				done[j] = j + 1
				wg.Done()
			}
		}()
	}
	for j := range done {
		wg.Add(1)
		jobs <- j
	}
	wg.Wait()
	close(jobs)
	t.Log(slices.Max(done))
}

// TestEarlyWait: the Add of the parent keeps the counter up until the child has its own, so Wait never comes in between. 1.
func TestEarlyWait(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Go(func() {})
		wg.Done()
	}()
	wg.Wait()
}

// TestNoAddOfItsOwn: three Dones and two Adds before them, so the order of the last Add and the Dones decides whether one panics.
func TestNoAddOfItsOwn(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 3 {
		go wg.Done()
	}
	wg.Add(1)
	wg.Wait()
}
