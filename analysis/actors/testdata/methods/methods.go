// Package methods is pattern P11: the mailbox is what a method returns, of the program's own type, of an interface, or
// of another package. All of them are actors: their mailboxes are channels that they alone receive from.
package methods

import (
	"context"
	"os"
	"os/signal"
)

type Subscription struct{ out chan string }

func (s *Subscription) Out() <-chan string { return s.out }

func (s *Subscription) Publish(m string) { s.out <- m }

func Follow(s *Subscription, seen map[string]bool) {
	go func() {
		for m := range s.Out() {
			seen[m] = true
		}
	}()
}

func NewSubscription() *Subscription { return &Subscription{make(chan string, 3)} }

type Queue interface {
	ChanOut() <-chan int
	Quit() <-chan struct{}
}

type queue struct {
	out  chan int
	quit chan struct{}
}

func (q *queue) ChanOut() <-chan int   { return q.out }
func (q *queue) Quit() <-chan struct{} { return q.quit }

func Start(q Queue) {
	total := 0
	go func() {
		for {
			select {
			case n := <-q.ChanOut():
				total += n
			case <-q.Quit():
				return
			}
		}
	}()
}

func New() Queue {
	q := &queue{make(chan int, 2), make(chan struct{})}
	Start(q)
	q.out <- 1
	return q
}

// A channel that another package fills.
func Signals(ctx context.Context, log func(string)) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch)
	go func() {
		for {
			select {
			case s := <-ch:
				log(s.String())
			case <-ctx.Done():
				return
			}
		}
	}()
}

// WANT:
// actor Follow.func1 range
// mailbox Follow.func1 Subscription.Out() data string 3
// sent Follow.func1 Subscription.Out() in (*Subscription).Publish by env
// state Follow.func1 seen captured rw
// actor Start.func1 select
// mailbox Start.func1 Queue.ChanOut() data int 2
// sent Start.func1 Queue.ChanOut() in New by env
// mailbox Start.func1 Queue.Quit() control struct{} 0
// actor Signals.func1 select
// mailbox Signals.func1 ch data os.Signal 1
// mailbox Signals.func1 Context.Done() control struct{} unknown
// ! rejected
