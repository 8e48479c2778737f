package idioms

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The goroutine gives up when done is closed.
func sigDone(work func() error) error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(c)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case s := <-c:
				fmt.Println(s)
			case <-done:
				return
			}
		}
	}()
	return work()
}

// Nobody stops the signals: one may come at any time.
func sigNever(work func() error) error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() {
		<-c
		os.Exit(1)
	}()
	return work()
}

// The loop waits for a signal or for the server.
func sigMain(ctx context.Context, srv func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGHUP)
	defer signal.Stop(c)
	errc := make(chan error, 1)
	go func() { errc <- srv(ctx) }()
	for {
		select {
		case s := <-c:
			switch s {
			case syscall.SIGHUP:
				continue
			case os.Interrupt:
				cancel()
				return <-errc
			}
		case err := <-errc:
			return err
		}
	}
}

// A second signal forces the exit.
func sigTwice(cancel func()) {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt)
	go func() {
		<-c
		cancel()
		<-c
		os.Exit(1)
	}()
}

// The channel is closed without Stop, so the goroutine ends.
func sigCloses(work func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() {
		for range c {
		}
	}()
	work()
	close(c)
}

// A signal that came before Stop is taken from the buffer.
func sigDrain(work func()) bool {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	work()
	signal.Stop(c)
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// The channel gets signals again after Stop.
func sigAgain(work func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	signal.Notify(c, syscall.SIGHUP)
	go func() { <-c }()
	work()
}

// Reset comes after the wait.
func sigReset() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	signal.Reset(os.Interrupt)
}

type signalApp struct {
	sigs chan os.Signal
	done chan struct{}
}

func newSignalApp() *signalApp {
	a := &signalApp{sigs: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(a.sigs, os.Interrupt)
	go a.loop()
	return a
}

func (a *signalApp) loop() {
	defer close(a.done)
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case _, ok := <-a.sigs:
			if !ok {
				return
			}
		case <-t.C:
		}
	}
}

func (a *signalApp) Close() {
	signal.Stop(a.sigs)
	close(a.sigs)
	<-a.done
}
