package mistakes

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// Correct by itself: its caller hands over a copy of the group.
func doneOnCopy(n int, wg sync.WaitGroup, out chan<- int) {
	defer wg.Done()
	out <- n
}

func groupByValue() {
	var wg sync.WaitGroup
	out := make(chan int, 3)
	for i := range 3 {
		wg.Add(1)
		go doneOnCopy(i, wg, out)
	}
	wg.Wait()
}

// recovered panics that leave the lock locked
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
	t.m[k] = load(k)
	t.mu.Unlock()
	return nil
}

// Correct by itself.
func (t *table) must(n int) {
	if n < 0 {
		panic("negative")
	}
}

func (t *table) recoveredPanic(n int) (ok bool) {
	defer func() { ok = recover() == nil }()
	t.mu.Lock()
	t.must(n)
	t.mu.Unlock()
	return true
}

// polls that nobody stops
func pollsOn(ready func() bool) {
	stop := make(chan struct{})
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
	if ready() {
		close(stop)
	}
}

func ticksOn(beat func()) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	done := make(chan bool)
	go func() {
		for {
			select {
			case <-t.C:
				beat()
			case <-done:
				return
			}
		}
	}()
	beat()
}

func rangesOverStopped(work func()) {
	t := time.NewTicker(time.Millisecond)
	fin := make(chan struct{})
	go func() {
		for range t.C {
			work()
		}
		close(fin)
	}()
	work()
	t.Stop()
	<-fin
}

// Nobody ends the context: who has it can only wait.
func cancelMissed(watch func(context.Context) error) error {
	ctx, stop := context.WithCancel(context.Background())
	go func() { <-ctx.Done() }()
	if err := watch(ctx); err != nil {
		return err
	}
	stop()
	return nil
}

func onceFuncMissed(work func() error) error {
	fin := make(chan struct{})
	stop := sync.OnceFunc(func() { close(fin) })
	go func() { <-fin }()
	if err := work(); err != nil {
		return err
	}
	stop()
	return nil
}

// A function literal that others call.
func handler(next http.Handler) http.Handler {
	if next == nil {
		next = http.NotFoundHandler()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		go func() {
			next.ServeHTTP(w, r)
			done <- struct{}{}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
		}
	})
}

// Room has users: their locks are taken in both orders.
type Room struct {
	mu    sync.Mutex
	users map[string]*User
}

// User is in a room.
type User struct {
	mu   sync.Mutex
	room *Room
	name string
}

// Join is correct by itself.
func (r *Room) Join(name string) {
	u := &User{room: r, name: name}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users[name] = u
}

func (r *Room) Broadcast(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, u := range r.users {
		u.deliver(text)
	}
}

func (u *User) deliver(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.name = text
}

func (u *User) Leave() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.room.remove(u.name)
}

func (r *Room) remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.users, name)
}

// settings: its exported methods are for an interface; one read-locks twice
type settings struct {
	mu   sync.RWMutex
	vals map[string]string
}

func (c *settings) lookup(k string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.vals[k]
}

func (c *settings) Dump() (out []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for k := range c.vals {
		out = append(out, c.lookup(k))
	}
	return out
}

// Put is correct by itself.
func (c *settings) Put(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vals[k] = v
}

// Bus: the loop takes the lock after a message, which is sent under the lock.
type Bus struct {
	mu   sync.Mutex
	subs map[int]chan string
	in   chan string
	quit chan struct{}
}

// NewBus is correct by itself.
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
				s <- m
			}
			b.mu.Unlock()
		case <-b.quit:
			return
		}
	}
}

func (b *Bus) Publish(m string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.subs) > 0 {
		b.in <- m
	}
}
