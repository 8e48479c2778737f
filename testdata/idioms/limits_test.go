package idioms

import (
	"context"
	"sync"
	"testing"
)

// Limits let only a few goroutines work at a time. The counts are derived for n goroutines. If these
// are twins, the search runs one of n! executions. Where sections commute, those that work and
// those that enter have one execution, but for those with one place.

// limited is a group of which so many members work at a time as the channel has room for: errgroup with SetLimit.
type limited struct {
	wg  sync.WaitGroup
	sem chan struct{}
}

func (g *limited) run(f func()) {
	g.sem <- struct{}{}
	g.wg.Add(1)
	go func() {
		defer func() {
			<-g.sem
			g.wg.Done()
		}()
		f()
	}()
}

// work runs n members, at most limit at a time. Each time that one has to wait there are limit others that may make room for it, and at
// the end they leave in any order: limit^(n-limit) * limit!.
func work(n, limit int) []int {
	g, slots := limited{sem: make(chan struct{}, limit)}, make([]int, n)
	for i := range slots {
		g.run(func() { slots[i] = i })
	}
	g.wg.Wait()
	return slots
}

// TestLimit3of2: 2 * 2! = 4.
func TestLimit3of2(t *testing.T) { t.Log(work(3, 2)) }

// TestLimit4of2: 2^2 * 2! = 8.
func TestLimit4of2(t *testing.T) { t.Log(work(4, 2)) }

// TestLimit6of1: they come one after the other. 1.
func TestLimit6of1(t *testing.T) { t.Log(work(6, 1)) }

// TestLimit5of3: 3^2 * 3! = 54.
func TestLimit5of3(t *testing.T) { t.Log(work(5, 3)) }

// enter has n goroutines each take and give back a place in a channel: they come in any order, n!, and leave as in work.
func enter(n, limit int) {
	var wg sync.WaitGroup
	sem := make(chan struct{}, limit)
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sem <- struct{}{}
			<-sem
		}()
	}
	wg.Wait()
}

// TestPlaces3of1: 3! * 1 = 6.
func TestPlaces3of1(t *testing.T) { enter(3, 1) }

// TestPlaces3of2: 3! * 2 * 2! = 24.
func TestPlaces3of2(t *testing.T) { enter(3, 2) }

// TestPlaces4of3: 4! * 3 * 3! = 432.
func TestPlaces4of3(t *testing.T) { enter(4, 3) }

// semaphore lets those in first that came first: golang.org/x/sync/semaphore with weights of 1.
type semaphore struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{}
}

func (s *semaphore) acquire() {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return
	}
	ready := make(chan struct{})
	s.waiting = append(s.waiting, ready)
	s.mu.Unlock()
	<-ready
}

func (s *semaphore) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	close(s.waiting[0])
	s.waiting = s.waiting[1:]
}

func weigh(n, free int) {
	var wg sync.WaitGroup
	s := &semaphore{free: free}
	for range n {
		wg.Go(func() {
			s.acquire()
			s.release()
		})
	}
	wg.Wait()
}

// TestSemaphore2of2: 4 locks, of each goroutine one after the other: 4! / 2^2 = 6.
func TestSemaphore2of2(t *testing.T) { weigh(2, 2) }

// TestSemaphore3of3: likewise, 6! / 2^3 = 90.
func TestSemaphore3of3(t *testing.T) { weigh(3, 3) }

// TestSemaphore2of1: who comes first, 2!, leaves before or after the other one has come, 2; then the order is given. 4.
func TestSemaphore2of1(t *testing.T) { weigh(2, 1) }

// TestSemaphore3of1: 3!, times the ways of 3 comings and 3 goings with never more goings than comings, the Catalan number 5: 30.
func TestSemaphore3of1(t *testing.T) { weigh(3, 1) }

// flight has those wait who come while another one is at it: golang.org/x/sync/singleflight.
type flight struct {
	mu   sync.Mutex
	call map[string]*sync.WaitGroup
}

func (f *flight) do(key string) {
	f.mu.Lock()
	if c := f.call[key]; c != nil {
		f.mu.Unlock()
		c.Wait()
		return
	}
	c := &sync.WaitGroup{}
	c.Add(1)
	f.call[key] = c
	f.mu.Unlock()
	c.Done()
	f.mu.Lock()
	delete(f.call, key)
	f.mu.Unlock()
}

func fly(keys ...string) {
	var wg sync.WaitGroup
	f := &flight{call: map[string]*sync.WaitGroup{}}
	for _, k := range keys {
		wg.Go(func() { f.do(k) })
	}
	wg.Wait()
}

// TestFlight2: they come in any order, 2!, and the second joins the first or begins anew, 2. 4.
func TestFlight2(t *testing.T) { fly("a", "a") }

// TestFlight3: 3! * 2^2 = 24.
func TestFlight3(t *testing.T) { fly("a", "a", "a") }

// TestFlights: each of three keys is locked for twice, and there is one lock for all: 6! / 2^3 = 90.
func TestFlights(t *testing.T) { fly("a", "b", "c") }

// TestChildren: three contexts of one, each with a goroutine that waits for it. One cancels all. 1.
func TestChildren(t *testing.T) {
	root, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 3 {
		ctx, stop := context.WithCancel(root)
		wg.Go(func() {
			defer stop()
			<-ctx.Done()
		})
	}
	cancel()
	wg.Wait()
}

// TestDerived: each goroutine enters a context of its own at one parent, and takes it out again, under the parent's lock: 6! / 2^3 = 90.
func TestDerived(t *testing.T) {
	root, cancel := context.WithCancel(context.Background())
	defer cancel()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			_, stop := context.WithCancel(root)
			stop()
		})
	}
	wg.Wait()
}

// stages has jobs go through stages of workers. Of 2 jobs one worker of a stage takes both, and they leave in their order; or two take
// one each, and they leave in any order. Of 3 jobs and 3 workers one takes all, 3; two share them, 6 times 2 + 3 + 3 orders in which they
// leave; or each takes one, 3! times 3!.
func stages(n, workers, jobs int) {
	in := make(chan int, jobs)
	for i := range jobs {
		in <- i
	}
	close(in)
	for range n {
		from, to := in, make(chan int, jobs)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for j := range from {
					to <- j
				}
			})
		}
		go func() {
			wg.Wait()
			close(to)
		}()
		in = to
	}
	for range in {
	}
}

// TestStage2: 2 + 2*2 = 6.
func TestStage2(t *testing.T) { stages(1, 2, 2) }

// TestStage3: 3 + 6*8 + 6*6 = 87.
func TestStage3(t *testing.T) { stages(1, 3, 3) }

// TestTwoStages2: 6^2 = 36.
func TestTwoStages2(t *testing.T) { stages(2, 2, 2) }

// TestTwoStages3: 3 workers for 2 jobs: (3 + 6*2)^2 = 225.
func TestTwoStages3(t *testing.T) { stages(2, 3, 2) }
