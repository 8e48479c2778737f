// Package witnesses has tests that fail in several orders, none of which is the simplest.
package witnesses

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

func TestSwitches(t *testing.T) {
	var x, y atomic.Int32
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			x.Add(int32(i + 1))
			y.Store(x.Load())
		})
	}
	wg.Wait()
	if v := y.Load(); v != 6 {
		t.Errorf("y is %d", v)
	}
}

func TestWords(t *testing.T) {
	ch := make(chan string, 4)
	for _, w := range []string{"a", "b", "c", "d"} {
		go func() { ch <- w }()
	}
	s := ""
	for range 4 {
		s += <-ch
	}
	if s != "abcd" && s[0] != 'b' {
		t.Errorf("order %s", s)
	}
}

func TestPanics(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			a := n.Load()
			n.Add(1)
			if a == int32(i) && i > 0 {
				panic(fmt.Sprint("late ", i))
			}
		})
	}
	wg.Wait()
}

func TestExit(t *testing.T) {
	var n atomic.Int32
	go func() { n.Add(1); n.Add(1) }()
	go func() {
		if n.Load() == 1 {
			os.Exit(3)
		}
	}()
	go func() {
		if n.Load() == 2 {
			t.Error("two")
		}
	}()
	n.Add(1)
}

func TestLeaks(t *testing.T) {
	a, b := make(chan int), make(chan int)
	for i := range 3 {
		go func() {
			select {
			case a <- i:
			case b <- i:
			}
		}()
	}
	<-a
	select {
	case <-b:
	case v := <-a:
		if v == 2 {
			<-b
		}
	}
}

func TestLocks(t *testing.T) {
	var m [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			m[i].Lock()
			m[(i+1)%3].Lock()
			m[(i+1)%3].Unlock()
			m[i].Unlock()
		})
	}
	wg.Wait()
}

func TestCounts(t *testing.T) {
	n := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			v := n
			mu.Unlock()
			mu.Lock()
			n = v + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 3 {
		t.Fatalf("n is %d", n)
	}
}

func TestNil(t *testing.T) {
	var p atomic.Pointer[int]
	var q atomic.Pointer[int]
	go func() { v := 1; p.Store(&v); q.Store(&v) }()
	go func() { p.Store(nil) }()
	go func() { q.Store(nil) }()
	if p.Load() != nil {
		if q.Load() != nil {
			_ = *p.Load() + *q.Load()
		}
	}
}
