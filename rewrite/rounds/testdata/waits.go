// Loops that only wait have a comment that says so; those without one may do more.
package waits

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func loops(x *atomic.Bool, mu *sync.Mutex, done *bool, list []int, ready func() bool, c chan int) {
	for runtime.NumGoroutine() > 1 { // waits
		time.Sleep(time.Millisecond)
	}
	for { // waits
		mu.Lock()
		d := *done
		for i := 0; i < len(list); i++ {
			if list[i] == 7 && x.Load() {
				return
			}
		}
		mu.Unlock()
		if d {
			break
		}
	}
	for n := 0; n != 7; n++ {
		time.Sleep(1)
	}
	n := 0
	for n != 7 {
		n += 1
	}
	for !ready() {
		time.Sleep(1)
	}
	for len(list) != 7 {
		list = append(list, n)
	}
	for f := func() bool { n++; return n == 7 }; !f(); {
	}
	// names mean something else
	{
		time := clock{&n}
		for !x.Load() { // waits p.clock.Sleep
			time.Sleep(1)
		}
		len := func([]int) int { n++; return n }
		for len(list) != 7 {
		}
	}
	for locker := sync.Locker(mu); !x.Load(); {
		locker.Lock()
		locker.Unlock()
	}
	for !isSet(x) { // waits p.isSet
		time.Sleep(1)
	}
	for g := (generic[int]{}); !x.Load(); { // waits p.(*generic[...]).look p.of[...]
		g.look()
		of(3)
		g.look()
	}
	for !x.Load() { // waits
		k := 0
		k++
		k += 7
		_ = k
		fmt.Println("waits", k)
	}
	for !x.Load() { // waits fmt.Println
		fmt.Println(clock{})
	}
	for !x.Load() {
		list[0] = 7
	}
	for !x.Load() {
		go isSet(x)
	}
	for !x.Load() { // waits
		select {
		case <-c:
			return
		default:
			time.Sleep(1)
		}
	}
	for !x.Load() { // waits
		for !x.Load() { // waits
			time.Sleep(1)
		}
	}
	for i := range n { // waits
		_ = i
	}
	var i int
	for i = range n {
	}
	for i != 3 {
		c <- i
	}
	// a function is called
	seq := func(func() bool) { i++ }
	for i != 3 {
		for range seq { // waits
		}
	}
	var once sync.Once
	count := func() { i++ }
	for i != 3 {
		once.Do(count)
	}
	var pool sync.Pool
	for i != 3 {
		pool.Get()
	}
}

func over[F func(func() bool) | func(func(int) bool)](seq F, x *atomic.Bool) {
	for !x.Load() {
		for range seq { // waits
		}
	}
}

type clock struct{ n *int }

func (c clock) Sleep(int)      { *c.n++ }
func (c clock) String() string { return "" }

func isSet(x *atomic.Bool) bool { return x.Load() }

type generic[T any] struct{ t T }

func (g *generic[T]) look() {}

func of[T any](t T) {}
