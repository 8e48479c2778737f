package m

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
)

// run waits for SIGHUP, with a channel of some room.
func run(t *testing.T, room int) {
	c := make(chan os.Signal, room)
	signal.Notify(c, syscall.SIGHUP)
	defer signal.Stop(c)
	var wg sync.WaitGroup
	wg.Go(func() { syscall.Kill(os.Getpid(), syscall.SIGHUP) })
	<-c
	wg.Wait()
}

func TestBad(t *testing.T)  { run(t, 0) }
func TestGood(t *testing.T) { run(t, 1) }
