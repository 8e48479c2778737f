// Package semaphores has correct and mistaken uses of golang.org/x/sync/semaphore.
package semaphores

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

func kept(items []int, f func(int) error) {
	sem := semaphore.NewWeighted(1)
	var wg sync.WaitGroup
	for _, n := range items {
		sem.Acquire(context.Background(), 1) // want `kept waits here for ever to acquire sem, if`
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := f(n); err != nil {
				return
			}
			sem.Release(1)
		}()
	}
	wg.Wait()
}

func given(items []int, f func(int) error) {
	sem := semaphore.NewWeighted(1)
	var wg sync.WaitGroup
	for _, n := range items {
		sem.Acquire(context.Background(), 1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer sem.Release(1)
			f(n)
		}()
	}
	wg.Wait()
}

func untilContext(ctx context.Context, items []int, f func(int) error) error {
	sem := semaphore.NewWeighted(1)
	for _, n := range items {
		if err := sem.Acquire(ctx, 1); err != nil {
			return err
		}
		go func() {
			if err := f(n); err == nil {
				sem.Release(1)
			}
		}()
	}
	return nil
}

func drained(items []int, f func(int)) {
	sem := semaphore.NewWeighted(3)
	for _, n := range items {
		sem.Acquire(context.Background(), 1)
		go func() {
			defer sem.Release(1)
			f(n)
		}()
	}
	sem.Acquire(context.Background(), 3)
}

func drainedTwice() {
	sem := semaphore.NewWeighted(2)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			sem.Acquire(context.Background(), 2)
			sem.Release(2)
		})
	}
	wg.Wait()
}

func tooMuch() {
	sem := semaphore.NewWeighted(2)
	sem.Acquire(context.Background(), 3) // want `tooMuch waits here for ever to acquire sem`
}

func again() {
	sem := semaphore.NewWeighted(1)
	sem.Acquire(context.Background(), 1)
	sem.Acquire(context.Background(), 1) // want `again waits here for ever to acquire sem`
}

func tried() bool {
	sem := semaphore.NewWeighted(1)
	if !sem.TryAcquire(1) {
		return false
	}
	defer sem.Release(1)
	return sem.TryAcquire(1)
}

func ofOthers(sem *semaphore.Weighted) {
	sem.Acquire(context.Background(), 1)
	sem.Acquire(context.Background(), 1)
}

func cancelled() {
	sem := semaphore.NewWeighted(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if sem.Acquire(ctx, 1) == nil {
		<-make(chan int)
	}
}

func cancelledLater() {
	sem := semaphore.NewWeighted(1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if sem.Acquire(ctx, 1) == nil {
		<-make(chan int) // want `cancelledLater waits here for ever to receive`
	}
}

func nothingOf() {
	sem := semaphore.NewWeighted(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if sem.Acquire(ctx, 0) == nil {
		<-make(chan int)
	}
}
