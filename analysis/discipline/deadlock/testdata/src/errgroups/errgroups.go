package errgroups

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
)

func work() error { return global }

var global error

// The group is waited for before its results are received.

func waitFirst(items []string) error {
	var g errgroup.Group
	out := make(chan int)
	for range items {
		g.Go(func() error {
			out <- 1
			return nil
		})
	}
	if err := g.Wait(); err != nil { // want `waitFirst waits here for ever for g`
		return err
	}
	<-out // want `waitFirst waits here for ever to receive from out, if the length of items <= 0`
	return nil
}

func receiveFirst(items []string) error {
	var g errgroup.Group
	out := make(chan int)
	for range items {
		g.Go(func() error {
			out <- 1
			return nil
		})
	}
	for range items {
		<-out
	}
	return g.Wait()
}

// A goroutine of the group asks for another place, and has the only one.

func nested() error {
	var g errgroup.Group
	g.SetLimit(1)
	g.Go(func() error {
		g.Go(func() error { return nil })
		return nil
	})
	return g.Wait() // want `nested waits here for ever for g`
}

func nestedTwo() error {
	var g errgroup.Group
	g.SetLimit(2)
	g.Go(func() error {
		g.Go(func() error { return nil })
		return nil
	})
	return g.Wait()
}

func nestedTry() error {
	var g errgroup.Group
	g.SetLimit(1)
	g.Go(func() error {
		g.TryGo(func() error { return nil })
		return nil
	})
	return g.Wait()
}

// The context of the group ends with the first error; here there is none.

func noError() error {
	g, ctx := errgroup.WithContext(context.Background())
	g.Go(func() error {
		<-ctx.Done()
		return ctx.Err()
	})
	g.Go(func() error { return nil })
	return g.Wait() // want `noError waits here for ever for g`
}

func oneError() error {
	g, ctx := errgroup.WithContext(context.Background())
	g.Go(func() error {
		<-ctx.Done()
		return ctx.Err()
	})
	g.Go(func() error { return errors.New("done") })
	return g.Wait()
}

func perhapsError(err error) error {
	g, ctx := errgroup.WithContext(context.Background())
	g.Go(func() error {
		<-ctx.Done()
		return ctx.Err()
	})
	g.Go(func() error { return err })
	return g.Wait() // want `perhapsError waits here for ever for g, if .*`
}

// A producer that nobody receives from after an error.

func producer(items []string) error {
	g, ctx := errgroup.WithContext(context.Background())
	out := make(chan string)
	g.Go(func() error {
		defer close(out)
		for _, s := range items {
			out <- s
		}
		return nil
	})
	g.Go(func() error {
		for range out {
			if err := work(); err != nil {
				return err
			}
		}
		return nil
	})
	_ = ctx
	return g.Wait() // want `producer waits here for ever for g, if .*`
}

func producerMended(items []string) error {
	g, ctx := errgroup.WithContext(context.Background())
	out := make(chan string)
	g.Go(func() error {
		defer close(out)
		for _, s := range items {
			select {
			case out <- s:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	g.Go(func() error {
		for range out {
			if err := work(); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// Workers with a limit.

func limited(items []string) error {
	var g errgroup.Group
	g.SetLimit(2)
	for range items {
		g.Go(work)
	}
	return g.Wait()
}
