// Package monitor has the small programs that a sync.Cond, a sync.Pool and a sync.Map are used for, and the classic
// mistakes.
//
// # Counts
//
// Lost: the process signals before the main function waits (which then waits for ever), or after. The signal is not
// under the lock, and there are 3 places for it that matter: before the main function becomes a waiter, and after it.
// That is 2 inequivalent executions, one of them a deadlock.
//
// Count: a load and a store that are no update: the stores are in one of 2 orders, and each load is before or after the
// other's store. Of the 4 events, two in the order of each process, there are 6 interleavings; two of them differ only in
// the order of the loads, once with one store first and once with the other: 4 inequivalent executions. The sum is 2 if
// one process comes after the other (2 of the 4), else 1.
//
// Handover: who takes the lock first decides; 2 inequivalent executions, one outcome. Pooled: everything has an order,
// 1 execution, also because each begins with an empty pool. Registered: who comes first, 2 executions and outcomes.
package monitor

import (
	"sync"
	"sync/atomic"
)

// Lost waits for a signal that may have been given before, because nobody looks at a condition.
func Lost() {
	c := sync.NewCond(new(sync.Mutex))
	c.L.Lock()
	go c.Signal()
	c.Wait()
	c.L.Unlock()
}

// Handover waits until another process has set a value, as a Cond is meant to be used, and returns the value.
func Handover() int {
	c := sync.NewCond(new(sync.Mutex))
	value := 0
	go func() {
		c.L.Lock()
		value = 1
		c.L.Unlock()
		c.Broadcast()
	}()
	c.L.Lock()
	defer c.L.Unlock()
	for value == 0 {
		c.Wait()
	}
	return value
}

// Count has two processes count without an atomic update.
func Count() int32 {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			n.Store(n.Load() + 1)
		}()
	}
	wg.Wait()
	return n.Load()
}

// replies keeps channels. It is a package variable: an exploration must not find in it what an earlier execution put.
var replies = sync.Pool{New: func() any { return make(chan int, 1) }}

// Pooled has two processes answer through channels of the pool.
func Pooled() int {
	sum := 0
	for i := range 2 {
		ch := replies.Get().(chan int)
		go func() { ch <- i + 1 }()
		sum += <-ch
		replies.Put(ch)
	}
	return sum
}

// Registered has two processes register under one name in a Map and reports who was first.
func Registered() any {
	var m sync.Map
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			m.LoadOrStore("name", i)
		}()
	}
	wg.Wait()
	v, _ := m.Load("name")
	return v
}
