package idioms

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestKeys: each goroutine stores under a key of its own, and Range comes after all of them. 1.
func TestKeys(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	for i := range 5 {
		wg.Go(func() { m.Store(i, i*i) })
	}
	wg.Wait()
	sum := 0
	m.Range(func(_, v any) bool { sum += v.(int); return true })
	t.Log(sum)
}

// TestSameKey: the last value stays. 3! = 6.
func TestSameKey(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	for i := range 3 {
		wg.Go(func() { m.Store("k", i) })
	}
	wg.Wait()
	t.Log(m.Load("k"))
}

// TestOffers: who comes first stores; the others only look. 3.
func TestOffers(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	for i := range 3 {
		wg.Go(func() { m.LoadOrStore("k", i) })
	}
	wg.Wait()
	t.Log(m.Load("k"))
}

// TestTaken: one goroutine deletes the entry, the others find none. 3.
func TestTaken(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	m.Store("k", 1)
	winner := 0
	for i := range 3 {
		wg.Go(func() {
			if _, there := m.LoadAndDelete("k"); there {
				winner = i
			}
		})
	}
	wg.Wait()
	t.Log(winner)
}

// TestRange: Range sees any of the sets of entries. 2^3 = 8.
func TestRange(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	for i := range 3 {
		wg.Go(func() { m.Store(i, i) })
	}
	n := 0
	wg.Go(func() { m.Range(func(_, _ any) bool { n++; return true }) })
	wg.Wait()
	t.Log(n)
}

// TestStops: the timers are different ones. 1.
func TestStops(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			timer := time.NewTimer(time.Minute + time.Duration(i))
			defer timer.Stop()
		})
	}
	wg.Wait()
}

// TestTimeouts: each context has a timer of its own. 1.
func TestTimeouts(t *testing.T) {
	var wg sync.WaitGroup
	failed := make([]error, 4)
	for i := range failed {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			failed[i] = ctx.Err()
		})
	}
	wg.Wait()
	t.Log(failed)
}

// TestFlag: all stores are of one value. 1.
func TestFlag(t *testing.T) {
	var wg sync.WaitGroup
	var closed atomic.Bool
	for range 4 {
		wg.Add(1)
		go func(*atomic.Bool) {
			defer wg.Done()
			closed.Store(true)
		}(&closed)
	}
	wg.Wait()
	t.Log(closed.Load())
}

// TestFlagSeen: each of two equal stores comes before the load, or after it. 2^2 = 4.
func TestFlagSeen(t *testing.T) {
	var wg sync.WaitGroup
	var stopped atomic.Int32
	seen := int32(0)
	set := func(int) { stopped.Store(1) }
	for i := range 2 {
		wg.Go(func() { set(i) })
	}
	wg.Go(func() { seen = stopped.Load() })
	wg.Wait()
	t.Log(seen)
}

// TestSleeps: all wake up at one instant, and nobody sees who is first. 1.
func TestSleeps(t *testing.T) {
	var wg sync.WaitGroup
	done := make([]bool, 4)
	for i := range done {
		wg.Go(func() {
			time.Sleep(time.Hour)
			done[i] = true
		})
	}
	wg.Wait()
	t.Log(done)
}

// TestSleepers: after waking up, each of two loads and then stores. Both loads may come before both stores: 2 orders of the stores
// there; or one goroutine comes before the other one: 2. 4.
func TestSleepers(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Hour)
			v := n.Load()
			n.Store(v + int32(i) + 1)
		})
	}
	wg.Wait()
	t.Log(n.Load())
}
