package mistakes

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// No signal comes after Stop: the goroutine ranges over its channel for ever.
func sigDeferred(work func() error) error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(c)
	go func() {
		for range c {
			fmt.Println("again")
		}
	}()
	return work()
}

// The goroutine waits for a signal, and no signal comes after Stop.
func sigOnce(work func()) {
	c := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(c, os.Interrupt)
	go func() {
		defer close(done)
		s := <-c
		fmt.Println(s)
	}()
	work()
	signal.Stop(c)
	<-done
}
