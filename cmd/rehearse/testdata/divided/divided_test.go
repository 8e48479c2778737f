package divided

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestTimers(t *testing.T) {
	c := make(chan int, 4)
	for i := range 3 {
		go func() {
			select {
			case c <- i:
			case <-time.After(time.Duration(i+1) * time.Millisecond):
				c <- 10 + i
			}
		}()
	}
	t.Log(<-c, <-c, <-c)
}

func TestTimeoutLeak(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Millisecond)
	defer cancel()
	c := make(chan int)
	for i := range 2 {
		go func() { c <- i }()
	}
	for range 2 {
		select {
		case v := <-c:
			t.Log(v)
		case <-ctx.Done():
			t.Log("late")
		}
	}
}

func TestHTTP(t *testing.T) {
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, n.Add(1))
	}))
	defer s.Close()
	var wg sync.WaitGroup
	out := make([]string, 2)
	for i := range 2 {
		wg.Go(func() {
			r, err := http.Get(s.URL)
			if err != nil {
				out[i] = err.Error()
				return
			}
			defer r.Body.Close()
			b, _ := io.ReadAll(r.Body)
			out[i] = string(b)
		})
	}
	wg.Wait()
	t.Log(out)
}

func TestPanic(t *testing.T) {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					t.Log("recovered", i)
				}
			}()
			if i == 2 {
				close(c)
				return
			}
			select {
			case c <- i:
			default:
			}
		})
	}
	wg.Wait()
}

func TestPanicBad(t *testing.T) {
	c := make(chan int, 3)
	done := make(chan bool, 3)
	for i := range 3 {
		go func() {
			if i == 1 {
				close(c)
			} else {
				c <- i
			}
			done <- true
		}()
	}
	for range 3 {
		<-done
	}
}

func TestForced(t *testing.T) {
	var stop atomic.Bool
	var n int
	done := make(chan bool)
	c := make(chan int, 3)
	go func() {
		for !stop.Load() {
			n++
		}
		close(done)
	}()
	for i := range 2 {
		go func() { c <- i }()
	}
	time.Sleep(20 * time.Millisecond)
	stop.Store(true)
	<-done
	t.Log(<-c, <-c)
}

func TestRace(t *testing.T) {
	x, y := 0, 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 3 {
		wg.Go(func() {
			x++
			mu.Lock()
			y += i
			mu.Unlock()
		})
	}
	wg.Wait()
	t.Log(x, y)
}

func TestDraws(t *testing.T) {
	var wg sync.WaitGroup
	out := make([]int, 2)
	var mu sync.Mutex
	var order []int
	for i := range 2 {
		wg.Go(func() {
			out[i] = rand.Intn(3)
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()
	t.Log(out, order)
}

func TestDrawsBig(t *testing.T) {
	c := make(chan int, 3)
	for i := range 3 {
		go func() {
			if rand.Intn(1000) < 500 {
				c <- i
			} else {
				c <- -i
			}
		}()
	}
	t.Log(<-c, <-c, <-c)
}

func TestMaps(t *testing.T) {
	m := map[int]int{1: 1, 2: 2, 3: 3}
	c := make(chan int, 3)
	for k := range m {
		go func() { c <- k }()
	}
	t.Log(<-c, <-c, <-c)
}

func TestFiles(t *testing.T) {
	d := t.TempDir()
	var wg sync.WaitGroup
	res := make([]bool, 3)
	for i := range 3 {
		wg.Go(func() {
			f, err := os.OpenFile(filepath.Join(d, "lock"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
			if err != nil {
				return
			}
			res[i] = true
			f.Close()
		})
	}
	wg.Wait()
	t.Log(res)
}

func TestDeadlock(t *testing.T) {
	var a, b, c sync.Mutex
	var wg sync.WaitGroup
	l := []*sync.Mutex{&a, &b, &c}
	for i := range 3 {
		wg.Go(func() {
			l[i].Lock()
			l[(i+1)%3].Lock()
			l[(i+1)%3].Unlock()
			l[i].Unlock()
		})
	}
	wg.Wait()
}

func TestOnceErr(t *testing.T) {
	var once sync.Once
	var err error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { once.Do(func() { err = errors.New(fmt.Sprint(i)) }) })
	}
	wg.Wait()
	t.Log(err)
}

func TestCond(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n := 0
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			for n == 0 {
				c.Wait()
			}
			n--
			t.Log(i)
			mu.Unlock()
		})
	}
	for range 3 {
		mu.Lock()
		n++
		mu.Unlock()
		c.Signal()
	}
	wg.Wait()
}

func TestTicker(t *testing.T) {
	tk := time.NewTicker(2 * time.Millisecond)
	defer tk.Stop()
	c := make(chan int, 2)
	go func() { time.Sleep(3 * time.Millisecond); c <- 1 }()
	go func() { time.Sleep(5 * time.Millisecond); c <- 2 }()
	s := ""
	for k := 0; k < 4; k++ {
		select {
		case <-tk.C:
			s += "t"
		case v := <-c:
			s += fmt.Sprint(v)
		}
	}
	t.Log(s)
}

func TestManyTimers(t *testing.T) {
	n := 0
	c := make(chan int, 4)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	for range 70 {
		<-time.After(time.Millisecond)
		n++
	}
	t.Log(n, <-c, <-c)
}

func TestNow(t *testing.T) {
	c := make(chan int, 3)
	a := time.Now()
	for i := range 2 {
		go func() { c <- i }()
	}
	if time.Since(a) > 50*time.Millisecond {
		t.Log("long")
	}
	t.Log(<-c, <-c)
}

func TestSub(t *testing.T) {
	for i := range 2 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			c := make(chan int, 2)
			go func() { c <- 1 }()
			go func() { c <- 2 }()
			t.Log(<-c, <-c)
		})
	}
}

func TestDivergentMutex(t *testing.T) {
	var mu sync.RWMutex
	m := map[string]int{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			mu.RLock()
			_, ok := m["a"]
			mu.RUnlock()
			if !ok {
				mu.Lock()
				m["a"] += i + 1
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Log(m["a"])
}

// TestTwoFindings has two, which one process finds in another order.
func TestTwoFindings(t *testing.T) {
	c := ordered(3)
	if <-c == 2 {
		t.Fatal("two")
	}
	if <-c == 2 {
		t.Error("two second")
	}
	t.Log(<-c)
}

// TestLocks has locks of all kinds, and what waits for them.
func TestLocks(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	cond := sync.NewCond(&mu)
	ready, v, got := false, 0, [2]int{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
			rw.RLock()
			got[i] = v
			rw.RUnlock()
		})
	}
	wg.Go(func() { rw.Lock(); v = 1; rw.Unlock() })
	mu.Lock()
	ready = true
	mu.Unlock()
	cond.Broadcast()
	wg.Wait()
	t.Log(got)
}

// TestSwaps has atomic operations that fail.
func TestSwaps(t *testing.T) {
	var p atomic.Pointer[int]
	var n atomic.Int32
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if p.CompareAndSwap(p.Load(), &i) {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	t.Log(n.Load(), *p.Load())
}
