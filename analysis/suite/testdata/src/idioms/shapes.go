package idioms

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

func doneOnPointer(n int, wg *sync.WaitGroup, out chan<- int) {
	defer wg.Done()
	out <- n
}

func groupByPointer() {
	var wg sync.WaitGroup
	out := make(chan int, 3)
	for i := range 3 {
		wg.Add(1)
		go doneOnPointer(i, &wg, out)
	}
	wg.Wait()
}

type table struct {
	mu sync.Mutex
	m  map[string]int
}

func (t *table) recoveredCallback(k string, load func(string) int) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("load failed")
		}
	}()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = load(k)
	return nil
}

func (t *table) must(n int) {
	if n < 0 {
		panic("negative")
	}
}

func (t *table) recoveredPanic(n int) (ok bool) {
	t.mu.Lock()
	defer func() {
		ok = recover() == nil
		t.mu.Unlock()
	}()
	t.must(n)
	return true
}

// The lock is not held when the callback may panic.
func (t *table) recoveredOutside(load func() int) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("load failed")
		}
	}()
	n := load()
	t.mu.Lock()
	t.m[""] = n
	t.mu.Unlock()
	return nil
}

func pollsUntil(ready func() bool) {
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}()
	ready()
}

// The poll counts, and so comes to an end.
func pollsThrice() {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 3 {
			select {
			case <-stop:
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}()
	wg.Wait()
	close(stop)
}

// A call in each round decides whether the poll goes on.
func pollsFor(more func() bool) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for more() {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	wg.Wait()
	close(stop)
}

// The time ends it, although nobody stops it.
func pollsUntilLate() {
	stop, fin := make(chan struct{}), make(chan struct{})
	late := time.After(time.Second)
	go func() {
		defer close(fin)
		for {
			select {
			case <-stop:
				return
			case <-late:
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}()
	<-fin
	close(stop)
}

// Likewise, between ticks.
func ticksUntilLate(beat func()) {
	stop, fin := make(chan struct{}), make(chan struct{})
	late, often := time.NewTimer(time.Second), time.NewTicker(time.Millisecond)
	go func() {
		defer close(fin)
		for {
			select {
			case <-often.C:
				beat()
			case <-late.C:
				return
			case <-stop:
				return
			}
		}
	}()
	<-fin
	close(stop)
}

// A daemon has no end.
func daemon(beat func()) {
	ctx := context.Background()
	t := time.NewTicker(time.Second)
	go func() {
		for {
			select {
			case <-t.C:
				beat()
			case <-ctx.Done():
				return
			}
		}
	}()
}

func ticksUntil(beat func()) func() {
	t := time.NewTicker(time.Second)
	done := make(chan bool)
	go func() {
		defer t.Stop()
		for {
			select {
			case <-t.C:
				beat()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// A stopped ticker ticks again.
func ticksAgain(work func()) {
	t := time.NewTicker(time.Millisecond)
	fin := make(chan struct{})
	t.Stop()
	go func() {
		<-t.C
		close(fin)
	}()
	work()
	t.Reset(time.Second)
	<-fin
}

func cancelAtEnd(watch func(context.Context) error) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { <-ctx.Done() }()
	return watch(ctx)
}

// Others are given the function that ends the context.
func cancelGiven(keep func(func())) {
	ctx, stop := context.WithCancel(context.Background())
	sub, _ := context.WithCancel(ctx)
	go func() { <-sub.Done() }()
	keep(stop)
}

func onceFuncDeferred(work func() error) error {
	fin := make(chan struct{})
	stop := sync.OnceFunc(func() { close(fin) })
	defer stop()
	go func() { <-fin }()
	if err := work(); err != nil {
		stop()
		return err
	}
	return nil
}

// A timer, a goroutine and a group each call it.
func onceFuncElsewhere(work func()) {
	fin := make(chan struct{})
	stop := sync.OnceFunc(func() { close(fin) })
	t := time.AfterFunc(time.Second, stop)
	defer t.Stop()
	var wg sync.WaitGroup
	wg.Go(stop)
	work()
	go stop()
	<-fin
	wg.Wait()
}

func onceValues(load func() (chan int, error)) int {
	get := sync.OnceValues(load)
	one := sync.OnceValue(func() int {
		if c, err := get(); err == nil && c != nil {
			return 2
		}
		return 1
	})
	return one() + one()
}

func handler(next http.Handler) http.Handler {
	if next == nil {
		next = http.NotFoundHandler()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			next.ServeHTTP(w, r)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
		}
	})
}

// The locks of a room and its users, in one order.
type Room struct {
	mu    sync.Mutex
	users map[string]*User
}

type User struct {
	mu   sync.Mutex
	room *Room
	name string
}

func (r *Room) Join(name string) {
	u := &User{room: r, name: name}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users[name] = u
}

func (r *Room) Broadcast(text string) {
	r.mu.Lock()
	list := make([]*User, 0, len(r.users))
	for _, u := range r.users {
		list = append(list, u)
	}
	r.mu.Unlock()
	for _, u := range list {
		u.mu.Lock()
		u.name = text
		u.mu.Unlock()
	}
}

func (u *User) Leave() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.room.mu.Lock()
	defer u.room.mu.Unlock()
	delete(u.room.users, u.name)
}

// The message is sent without the lock.
type Bus struct {
	mu   sync.Mutex
	subs map[int]chan string
	in   chan string
	quit chan struct{}
}

func NewBus() *Bus {
	b := &Bus{subs: map[int]chan string{}, in: make(chan string), quit: make(chan struct{})}
	go b.loop()
	return b
}

func (b *Bus) loop() {
	for {
		select {
		case m := <-b.in:
			b.mu.Lock()
			for _, s := range b.subs {
				select {
				case s <- m:
				default:
				}
			}
			b.mu.Unlock()
		case <-b.quit:
			return
		}
	}
}

func (b *Bus) Publish(m string) {
	b.mu.Lock()
	n := len(b.subs)
	b.mu.Unlock()
	if n > 0 {
		select {
		case b.in <- m:
		case <-b.quit:
		}
	}
}
