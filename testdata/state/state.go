// Package state keeps everything in package-level variables: a number, a log, an index, a registry of subscribers, a
// queue, and a channel that is closed when all is done. Each execution must find them as the binary, and TestMain, have
// made them; otherwise a second execution sees the visits of the first, or closes a closed channel.
//
// # Counts
//
// Two subscribers are told by two processes that lock the registry one after the other: 2 orders of the locks. The
// number of the visit is 1 in every execution, and the log has what TestMain wrote and two entries.
package state

import (
	"fmt"
	"sync"
)

type subscriber struct {
	name string
	got  []string
}

var (
	mu       sync.Mutex
	once     sync.Once
	visits   int
	Log      []string
	index    = map[string]*subscriber{"a": {name: "a"}, "b": {name: "b"}}
	queue    = make(chan string, 4)
	finished = make(chan struct{})
	prices   = map[string]int{"a": 1, "b": 2} // only read
)

// Tell adds one entry to the log, as the first or the second.
func Tell(name string) {
	mu.Lock()
	defer mu.Unlock()
	s := index[name]
	s.got = append(s.got, fmt.Sprint(prices[name]))
	Log = append(Log, name)
	queue <- name
	if len(Log) == 3 {
		delete(index, name)
	}
}

// Visit tells both subscribers and returns what can be seen.
func Visit() string {
	visits++
	once.Do(func() { queue <- "once" })
	var wg sync.WaitGroup
	wg.Add(2)
	for _, name := range []string{"a", "b"} {
		go func() {
			Tell(name)
			wg.Done()
		}()
	}
	wg.Wait()
	close(finished)
	<-finished
	return fmt.Sprint(visits, Log, len(index), <-queue, len(queue))
}
