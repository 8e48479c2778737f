package prog

import (
	"os"
	"sync"
	"testing"
	"time"
)

// A trace in which a goroutine is held up, and another one crashes: in the trace's earliest order, the crash comes before what the first
// one logs. So that order says nothing of the delay that the outcome needs.
// Never: 20ms
func TestCrashBeforeLateLogTimed(t *testing.T) {
	start := time.Now()
	var wg sync.WaitGroup
	go func() { t.Log(time.Since(start)) }()
	go wg.Done()
	time.Sleep(20 * ms)
}

// The first execution shows that operations on files have to do with each other. A strategy that refuses the program says so.
func TestFilesThatClash(t *testing.T) {
	dir := begun(t, "")
	go func() { t.Log(plain(size(at(dir, "d")))) }()
	os.Mkdir(at(dir, "d"), 0o777)
}
