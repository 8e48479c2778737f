package crowd

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestCount counts goroutines that may have ended or not.
func TestCount(t *testing.T) {
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go wg.Done()
	}
	wg.Wait()
	t.Log(runtime.NumGoroutine() - before)
}

// TestCountDown waits for the others to end.
func TestCountDown(t *testing.T) {
	before := runtime.NumGoroutine()
	go func() {}()
	if !Settle(before, 100) {
		t.Error("it has not ended")
	}
}

// TestLeft finds a goroutine that never ends.
func TestLeft(t *testing.T) {
	before, stop := runtime.NumGoroutine(), make(chan int)
	go func() { <-stop }()
	if Settle(before, 3) {
		t.Error("it has ended")
	}
	close(stop)
}

// TestTimer counts the goroutine of a timer's function, while it runs.
func TestTimer(t *testing.T) {
	before, stop := runtime.NumGoroutine(), make(chan int)
	time.AfterFunc(time.Second, func() { <-stop })
	none := runtime.NumGoroutine() - before
	time.Sleep(time.Minute)
	one := runtime.NumGoroutine() - before
	close(stop)
	t.Log(none, one)
}

// TestHere finds itself and the goroutine that runs the tests.
func TestHere(t *testing.T) {
	if n := runtime.NumGoroutine(); n != 2 {
		t.Error(n)
	}
	t.Run("sub", func(t *testing.T) {
		if n := runtime.NumGoroutine(); n != 3 {
			t.Error(n)
		}
	})
}
