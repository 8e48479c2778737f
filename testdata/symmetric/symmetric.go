// Package symmetric has programs with goroutines that nobody can tell from each other until they have begun (twins), and some
// with goroutines that only look like them.
//
// # Counts
//
// The second number is that with -independence symmetry: only orders in which twins begin in the order in which they were started.
//
//   - Locked: N twins lock a mutex. N! orders; 1.
//   - Started and Gone: two twins lock a mutex, and a WaitGroup is told of each before it is started. The first one may be done before
//     Add is called for the second one, with a counter of zero between; else either may lock first: 3. If both have been
//     started, which of the two is first makes no difference: 2.
//   - Senders: N twins send one value each to one channel. N! orders; 1.
//   - Pool: K workers take M jobs that wait in a channel. Any worker may take any job: K^M; the ways to part the jobs among
//     at most K workers that have no names, S(M,1) + ... + S(M,K), where S are Stirling's numbers of the second kind.
//   - Flag: N twins look at a flag that another goroutine sets. Each looks before or after that, and the looks have no order: 2^N; how
//     many look before it: N + 1.
//   - First: N twins send, only one value is received, and the others are left: a leak. N; 1.
//   - Lossy: two twins load a counter and then store what they loaded, plus 1. Both load first, and then either stores first; or one is
//     done before the other one begins: 4. As the loads commute, two of the orders in which both load first have the
//     first twin begin first: 3. But for names there are 2: it is by their first moves that twins are put in order.
//   - Numbered and Captured: N goroutines send, each with an argument, or a variable, of its own. N!; N!.
//   - Changing: a variable that both of two goroutines read is changed before each is started, under a mutex. The first one reads it before
//     the second change, or before or after the second one does: 3; and either sends first: 6. Who starts them does more than
//     that, so they are no twins: 6.
package symmetric

import (
	"sync"
	"sync/atomic"
)

// Locked returns the sum that n twins make.
func Locked(n int) (sum int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += sum + 1
		}()
	}
	wg.Wait()
	return sum
}

// Started is Locked for two twins, each of which the WaitGroup is told of.
func Started() (sum int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += sum + 1
		}()
	}
	wg.Wait()
	return sum
}

// Gone is Started with WaitGroup.Go.
func Gone() (sum int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			sum += sum + 1
		})
	}
	wg.Wait()
	return sum
}

// Senders returns how many of n values have come.
func Senders(n int) (got int) {
	c := make(chan struct{}, n)
	for range n {
		go signal(c)
	}
	for range n {
		<-c
		got++
	}
	return got
}

func signal(c chan<- struct{}) { c <- struct{}{} }

// Pool has the given number of workers do jobs, and returns the results.
func Pool(workers, jobs int) []int {
	queue, results := make(chan int, jobs), make([]int, jobs)
	for i := range jobs {
		queue <- i
	}
	close(queue)
	var wg sync.WaitGroup
	wg.Add(workers)
	for range workers {
		go func() {
			defer wg.Done()
			for i := range queue {
				results[i] = i * i
			}
		}()
	}
	wg.Wait()
	return results
}

// flag is what Flag's goroutines share.
type flag struct {
	wg  sync.WaitGroup
	set atomic.Bool
}

func (f *flag) raise() {
	f.set.Store(true)
	f.wg.Done()
}

func (f *flag) look() {
	f.set.Load()
	f.wg.Done()
}

// Flag has n twins look at a flag.
func Flag(n int) {
	f := &flag{}
	f.wg.Add(n + 1)
	go f.raise()
	for range n {
		go f.look()
	}
	f.wg.Wait()
}

// First returns what comes first of n equal values, and leaves the other ones behind.
func First(n int) int {
	c := make(chan int)
	for range n {
		go func() { c <- 1 }()
	}
	return <-c
}

// Lossy returns a counter that two twins have each counted up.
func Lossy() int64 {
	var counter atomic.Int64
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			counter.Store(counter.Load() + 1)
			wg.Done()
		}()
	}
	wg.Wait()
	return counter.Load()
}

// Numbered returns the order in which n goroutines have sent their arguments.
func Numbered(n int) (order []int) {
	c := make(chan int, n)
	for i := range n {
		go send(c, i)
	}
	for range n {
		order = append(order, <-c)
	}
	return order
}

func send(c chan<- int, i int) { c <- i }

// Captured is Numbered with numbers that the goroutines capture.
func Captured(n int) (order []int) {
	c := make(chan int, n)
	for i := range n {
		go func() { c <- i }()
	}
	for range n {
		order = append(order, <-c)
	}
	return order
}

// Changing returns how many of n values have come, and changes a variable of the goroutines that send them.
func Changing(n int) (got int) {
	c, name := make(chan string, n), ""
	var mu sync.Mutex
	for range n {
		mu.Lock()
		name += "x"
		mu.Unlock()
		go func() {
			mu.Lock()
			mine := name
			mu.Unlock()
			c <- mine
		}()
	}
	for range n {
		<-c
		got++
	}
	return got
}
