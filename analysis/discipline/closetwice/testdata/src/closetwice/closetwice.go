package closetwice

import (
	"context"
	"sync"
)

func two() {
	out := make(chan int)
	for range 2 {
		go func() {
			close(out) // want `out may be closed here for the second time, which panics`
		}()
	}
}

func one() {
	out := make(chan int)
	var once sync.Once
	for range 2 {
		go func() {
			once.Do(func() { close(out) })
		}()
	}
}

func asked() {
	c := make(chan int)
	stop := func() {
		select {
		case <-c:
		default:
			close(c) // want `c may be closed here for the second time, which panics`
		}
	}
	go stop()
	stop()
}

func askedUnderLock() {
	var mu sync.Mutex
	c := make(chan int)
	stop := func() {
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-c:
		default:
			close(c)
		}
	}
	go stop()
	stop()
}

func late(items []int) {
	ch := make(chan int, 8)
	for _, i := range items {
		go func() {
			ch <- i // want `this send to ch may come after its close, and panics then`
		}()
	}
	close(ch)
}

func waits(items []int) {
	ch := make(chan int, 8)
	var wg sync.WaitGroup
	for _, i := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ch <- i
		}()
	}
	wg.Wait()
	close(ch)
}

func recovered(items []int) {
	ch := make(chan int, 8)
	go func() {
		defer func() { recover() }()
		ch <- 1
	}()
	close(ch)
}

func cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	go cancel()
	<-ctx.Done()
	cancel()
}
