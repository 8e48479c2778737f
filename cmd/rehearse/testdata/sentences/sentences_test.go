// Package sentences has a mistake in each test. The first sentence of each finding is in
// sentences.txt.
package sentences

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A message is lost: the receiver gives up on the default case.
func TestLostMessage(t *testing.T) {
	news := make(chan string)
	go func() {
		select {
		case news <- "hello":
		default:
		}
	}()
	select {
	case got := <-news:
		t.Log(got)
	case <-time.After(time.Second):
		t.Error("nobody said hello")
	}
}

func TestTwoMutexes(t *testing.T) {
	var from, to sync.Mutex
	var both sync.WaitGroup
	both.Go(func() {
		from.Lock()
		defer from.Unlock()
		to.Lock()
		defer to.Unlock()
	})
	both.Go(func() {
		to.Lock()
		defer to.Unlock()
		from.Lock()
		defer from.Unlock()
	})
	both.Wait()
}

func TestSendOnClosed(t *testing.T) {
	results := make(chan int, 2)
	go func() { results <- 1 }()
	go func() { close(results) }()
	time.Sleep(time.Second)
}

func fetch(ctx context.Context) (int, error) {
	answer := make(chan int)
	go func() { answer <- 42 }()
	select {
	case n := <-answer:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func TestLeakBehindContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	fetch(ctx)
}

func TestAddInGoroutine(t *testing.T) {
	var workers sync.WaitGroup
	var done atomic.Int32
	for range 2 {
		go func() {
			workers.Add(1)
			defer workers.Done()
			done.Add(1)
		}()
	}
	workers.Wait()
	if n := done.Load(); n != 2 {
		t.Errorf("%d of 2 workers are done", n)
	}
}

func TestNegativeCounter(t *testing.T) {
	var workers sync.WaitGroup
	workers.Add(1)
	once := func() { workers.Done() }
	go once()
	go once()
	workers.Wait()
}

type account struct {
	mu      sync.Mutex
	balance int
}

func TestDataRace(t *testing.T) {
	a := &account{}
	done := make(chan bool)
	go func() {
		a.mu.Lock()
		a.balance += 10
		a.mu.Unlock()
		done <- true
	}()
	if a.balance > 100 {
		t.Log("rich")
	}
	<-done
}

func TestLogsLate(t *testing.T) {
	done := make(chan bool)
	go func() {
		done <- true
		t.Log("worker ends")
	}()
	<-done
}

func TestTimerBeatsWork(t *testing.T) {
	answer := make(chan int, 1)
	go func() { answer <- 42 }()
	select {
	case <-answer:
	case <-time.After(time.Millisecond):
		t.Error("timed out")
	}
}

func TestReadLockTwice(t *testing.T) {
	var mu sync.RWMutex
	var all sync.WaitGroup
	all.Go(func() {
		mu.RLock()
		defer mu.RUnlock()
		mu.RLock()
		defer mu.RUnlock()
	})
	all.Go(func() {
		mu.Lock()
		defer mu.Unlock()
	})
	all.Wait()
}

func TestMissedSignal(t *testing.T) {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	done := make(chan bool)
	go func() {
		mu.Lock()
		ready.Wait()
		mu.Unlock()
		done <- true
	}()
	ready.Signal()
	<-done
}

func TestNoSignal(t *testing.T) {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	full := false
	mu.Lock()
	for !full {
		ready.Wait()
	}
	mu.Unlock()
}

func TestSelectDefault(t *testing.T) {
	jobs := make(chan int, 1)
	go func() { jobs <- 7 }()
	go func() {
		select {
		case <-jobs:
		default:
			t.Error("no job")
		}
	}()
	time.Sleep(time.Second)
}

func TestTwiceClosed(t *testing.T) {
	quit := make(chan struct{})
	stop := func() {
		select {
		case <-quit:
		default:
			close(quit)
		}
	}
	var both sync.WaitGroup
	both.Go(stop)
	both.Go(stop)
	both.Wait()
}

func TestCheckThenAct(t *testing.T) {
	a := &account{balance: 100}
	withdraw := func() {
		a.mu.Lock()
		enough := a.balance >= 100
		a.mu.Unlock()
		if enough {
			a.mu.Lock()
			a.balance -= 100
			a.mu.Unlock()
		}
	}
	var both sync.WaitGroup
	both.Go(withdraw)
	both.Go(withdraw)
	both.Wait()
	if a.balance < 0 {
		t.Errorf("the balance is %d", a.balance)
	}
}

func TestLostUpdate(t *testing.T) {
	var hits atomic.Int64
	hit := func() { hits.Store(hits.Load() + 1) }
	var both sync.WaitGroup
	both.Go(hit)
	both.Go(hit)
	both.Wait()
	if n := hits.Load(); n != 2 {
		t.Errorf("%d hits", n)
	}
}

type logger struct {
	lines chan string
	quit  chan bool
}

func (l *logger) loop(out *[]string) {
	for {
		select {
		case line := <-l.lines:
			*out = append(*out, line)
		case <-l.quit:
			close(l.quit)
			return
		}
	}
}

// The logger may see quit before the line that was written before it.
func TestLostLine(t *testing.T) {
	l := &logger{make(chan string, 1), make(chan bool)}
	var out []string
	go l.loop(&out)
	l.lines <- "last words"
	l.quit <- true
	<-l.quit
	if len(out) != 1 {
		t.Errorf("the log has %q", out)
	}
}

func TestNobodyReceives(t *testing.T) {
	results := make(chan int)
	for i := range 3 {
		go func() { results <- i }()
	}
	t.Log(<-results >= 0)
}

func TestWaitsForItself(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func TestOnceInOnce(t *testing.T) {
	var a, b sync.Once
	done := make(chan bool)
	go func() {
		a.Do(func() { b.Do(func() {}) })
		done <- true
	}()
	b.Do(func() { a.Do(func() {}) })
	<-done
}

func TestWaitUnderLock(t *testing.T) {
	var mu sync.Mutex
	var all sync.WaitGroup
	all.Go(func() {
		mu.Lock()
		defer mu.Unlock()
	})
	mu.Lock()
	all.Wait()
	mu.Unlock()
}

func TestOrderOfReplies(t *testing.T) {
	replies := make(chan string)
	for _, name := range []string{"first", "second"} {
		go func() { replies <- name }()
	}
	if a, b := <-replies, <-replies; a != "first" {
		t.Errorf("%s came before %s", a, b)
	}
}

func TestMapRace(t *testing.T) {
	seen := map[string]int{}
	var both sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		both.Go(func() { seen[k]++ })
	}
	both.Wait()
}

func TestNilMap(t *testing.T) {
	var mu sync.Mutex
	var cache map[string]int
	go func() {
		mu.Lock()
		defer mu.Unlock()
		cache = map[string]int{}
	}()
	mu.Lock()
	defer mu.Unlock()
	cache["a"] = 1
}

func TestUnbalanced(t *testing.T) {
	tokens := make(chan bool, 1)
	for i := range 2 {
		go func() {
			tokens <- true
			if i == 0 {
				return // and keeps its token
			}
			<-tokens
		}()
	}
	time.Sleep(time.Second)
}

func TestTooEarly(t *testing.T) {
	started := make(chan bool)
	var port atomic.Int32
	go func() {
		close(started)
		port.Store(8080)
	}()
	<-started
	if p := port.Load(); p != 8080 {
		t.Error(fmt.Sprintf("connected to port %d", p))
	}
}

func TestNeverMade(t *testing.T) {
	var feed struct{ updates chan int }
	go func() { feed.updates <- 1 }()
	<-feed.updates
}

func TestEarlyReturn(t *testing.T) {
	var all sync.WaitGroup
	for i := range 3 {
		all.Add(1)
		go func() {
			if i == 1 {
				return // without Done
			}
			all.Done()
		}()
	}
	all.Wait()
}

func TestClosedTwice(t *testing.T) {
	done := make(chan bool)
	var closed atomic.Bool
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if !closed.Load() {
				close(done)
				closed.Store(true)
			}
		})
	}
	both.Wait()
}

// A condition is not looked at again when the process was woken.
func TestNoLoop(t *testing.T) {
	var mu sync.Mutex
	filled, items := sync.NewCond(&mu), 0
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if items == 0 {
				filled.Wait()
			}
			if items--; items < 0 {
				t.Errorf("%d items", items)
			}
		}()
	}
	for range 2 {
		mu.Lock()
		items++
		mu.Unlock()
		filled.Signal()
	}
	time.Sleep(time.Second)
}

// The late Add has nothing to do with the failure.
func TestOtherGroup(t *testing.T) {
	var other sync.WaitGroup
	go func() {
		other.Add(1)
		other.Done()
	}()
	other.Wait()
	var both sync.WaitGroup
	var hits atomic.Int32
	for range 2 {
		both.Go(func() { hits.Store(hits.Load() + 1) })
	}
	both.Wait()
	if n := hits.Load(); n != 2 {
		t.Error(n)
	}
}

func TestNobodyCloses(t *testing.T) {
	out := make(chan int)
	for i := range 2 {
		go func() { out <- i }()
	}
	for range out {
	}
}
