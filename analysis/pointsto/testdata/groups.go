// An errgroup calls what it is given on goroutines of its own; its Wait returns the errors.
package main

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
)

type job struct{ done chan int }

type refusal struct{ of *job }

func (r *refusal) Error() string { return "refused" }

func (j *job) run() error {
	j.done <- 1 //@ send
	return &refusal{j}
}

func (j *job) never() error {
	close(j.done)
	return nil
}

func main() {
	a := &job{make(chan int)} //@ a
	b := &job{make(chan int)} //@ b
	var g errgroup.Group
	g.Go(a.run)            //@ go
	g.TryGo(func() error { //@ try
		<-b.done //@ receive
		return nil
	})
	f := b.never
	_ = f
	err := g.Wait() //@ wait
	var r *refusal
	if errors.As(err, &r) {
		print(r.of) //@ of
	}
	h, ctx := errgroup.WithContext(context.Background())
	h.SetLimit(1)
	<-ctx.Done()
}

// WANT:
//
//	calls go: ~(job).run$bound ~(refusal).Error ~main$1
//	calls try: ~(job).run$bound ~(refusal).Error ~main$1
//	calls go: !~(job).never$bound
//	send: a
//	receive: b
//	of: a
//	unreached:
//	closers b:
