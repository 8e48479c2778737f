package deadlock

import (
	"sync"
	"time"
)

// Wait in the loop.

func inLoop(items []int) {
	var wg sync.WaitGroup
	wg.Add(len(items))
	for range items {
		go func() { defer wg.Done() }()
		wg.Wait() // want `inLoop waits here for ever for wg, if .*`
	}
}

func afterLoop(items []int) {
	var wg sync.WaitGroup
	wg.Add(len(items))
	for range items {
		go func() { defer wg.Done() }()
	}
	wg.Wait()
}

// Done is missed on an error.

func missed(f func() error) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if err := f(); err != nil {
			return
		}
		wg.Done()
	}()
	wg.Wait() // want `missed waits here for ever for wg, if what f returns is an error`
}

func missedMended(f func() error) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if err := f(); err != nil {
			return
		}
	}()
	wg.Wait()
}

// Fewer are started than were added.

func fewer(items []int) {
	var wg sync.WaitGroup
	wg.Add(len(items))
	for _, i := range items {
		if i == 0 {
			continue
		}
		go func() { defer wg.Done() }()
	}
	wg.Wait() // want `fewer waits here for ever for wg`
}

func fewerMended(items []int) {
	var wg sync.WaitGroup
	for _, i := range items {
		if i == 0 {
			continue
		}
		wg.Add(1)
		go func() { defer wg.Done() }()
	}
	wg.Wait()
}

// All results are received after all goroutines have ended.

func noRoom(items []int) (sum int) {
	out := make(chan int)
	var wg sync.WaitGroup
	for _, i := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out <- i
		}()
	}
	wg.Wait() // want `noRoom waits here for ever for wg`
	close(out)
	for i := range out {
		sum += i
	}
	return sum
}

func room(items []int) (sum int) {
	out := make(chan int, len(items))
	var wg sync.WaitGroup
	for _, i := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out <- i
		}()
	}
	wg.Wait()
	close(out)
	for i := range out {
		sum += i
	}
	return sum
}

// A Cond that is signalled before anybody waits.

func early() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		c.Signal()
	}()
	mu.Lock()
	c.Wait() // want `early waits here for ever to be woken by c`
	mu.Unlock()
}

func inTime() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		defer mu.Unlock()
		ready = true
		c.Signal()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}

// The answer of nobody.

func unanswered() int {
	ask, answer := make(chan int), make(chan int)
	go func() {
		n := <-ask
		if n > 0 {
			answer <- n
		}
	}()
	ask <- time.Now().Second()
	return <-answer // want `unanswered waits here for ever to receive from answer, if .*`
}

func answered() int {
	ask, answer := make(chan int), make(chan int)
	go func() {
		n := <-ask
		answer <- n
	}()
	ask <- time.Now().Second()
	return <-answer
}

// A send under a lock that the receiver needs.

func underLock() {
	var mu sync.Mutex
	ch := make(chan int)
	go func() {
		mu.Lock()
		<-ch
		mu.Unlock()
	}()
	mu.Lock() // want `underLock waits here for ever for the lock mu, which underLock.func1 has locked`
	ch <- 1   // want `underLock waits here for ever to send to ch`
	mu.Unlock()
}

func outsideLock() {
	var mu sync.Mutex
	ch := make(chan int)
	go func() {
		mu.Lock()
		mu.Unlock()
		<-ch
	}()
	mu.Lock()
	mu.Unlock()
	ch <- 1
}

// A semaphore.

func semaphore(items []int) {
	sem := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for range items {
		sem <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-sem }()
		}()
	}
	wg.Wait()
}
