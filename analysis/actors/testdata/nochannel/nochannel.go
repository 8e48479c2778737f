// Package nochannel holds what takes messages or turns without a channel for a mailbox, and channels that are no
// mailboxes: P28, an actor without a goroutine of its own, which a compare-and-swap starts for each burst; P30,
// a consumer that waits for a condition variable; P31, channels as locks and semaphores; P32, reflect.Select over a set
// that is known at run time only; and goroutines that throw away what they receive. None of them is an actor in the
// sense of this package: they own no mailbox that is a channel and that the program shows.
package nochannel

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

type queueElem struct {
	msg  func()
	next unsafe.Pointer
}

type Inbox struct {
	head *queueElem
	tail unsafe.Pointer
	busy atomic.Bool
}

func (a *Inbox) Act(f func()) {
	e := &queueElem{msg: f}
	prev := (*queueElem)(atomic.SwapPointer(&a.tail, unsafe.Pointer(e)))
	if prev == nil {
		a.head = e
		go a.run()
	} else {
		atomic.StorePointer(&prev.next, unsafe.Pointer(e))
	}
}

func (a *Inbox) run() {
	for {
		a.head.msg()
		next := (*queueElem)(atomic.LoadPointer(&a.head.next))
		if next == nil {
			return
		}
		a.head = next
	}
}

type Queue struct {
	mu     sync.Mutex
	cond   *sync.Cond
	events []string
}

func NewQueue() *Queue {
	q := &Queue{}
	q.cond = sync.NewCond(&q.mu)
	go q.run()
	return q
}

func (q *Queue) run() {
	for {
		println(q.next())
	}
}

func (q *Queue) next() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.events) == 0 {
		q.cond.Wait()
	}
	e := q.events[0]
	q.events = q.events[1:]
	return e
}

type Feed struct {
	lock  chan struct{}
	cases []reflect.SelectCase
}

func NewFeed() *Feed {
	f := &Feed{lock: make(chan struct{}, 1)}
	f.lock <- struct{}{}
	go f.refresh()
	go f.forward()
	return f
}

func (f *Feed) refresh() {
	for {
		<-f.lock
		f.cases = nil
		f.lock <- struct{}{}
	}
}

func (f *Feed) forward() {
	for {
		i, v, _ := reflect.Select(f.cases)
		println(i, v.IsValid())
	}
}

func Listen(accept func() func()) {
	slots := make(chan struct{}, 3)
	for range 3 {
		slots <- struct{}{}
	}
	go func() {
		for {
			<-slots
			serve := accept()
			go func() {
				serve()
				slots <- struct{}{}
			}()
		}
	}()
}

func Ignore(errs <-chan error) {
	go func() {
		for range errs {
		}
	}()
}

// WANT:
// rejected Inbox.run serves a lock-free queue, a goroutine per burst: it has no channel for a mailbox
// rejected Queue.run waits for a sync.Cond: it has no channel for a mailbox
// rejected Feed.refresh takes a token and gives it back: the channel is a lock
// rejected Feed.forward receives with reflect.Select: its mailboxes are not known
// rejected Listen.func1 takes a token and gives it back: the channel is a lock
// rejected Ignore.func1 throws its messages away
// ! actor
