package idioms

import (
	"sync"
	"time"
)

type scanDaemon struct {
	wg       sync.WaitGroup
	poolSize int
	max      int
	exit     chan int
	topics   map[string]func() bool
}

// It ends or starts workers, which poolSize counts.
func (n *scanDaemon) resize(num int, work chan func() bool, resp chan bool, closeCh chan int) {
	ideal := int(float64(num) * 0.25)
	if ideal < 1 {
		ideal = 1
	} else if ideal > n.max {
		ideal = n.max
	}
	for {
		if ideal == n.poolSize {
			break
		} else if ideal < n.poolSize {
			closeCh <- 1
			n.poolSize--
		} else {
			n.wg.Go(func() { n.worker(work, resp, closeCh) })
			n.poolSize++
		}
	}
}

func (n *scanDaemon) worker(work chan func() bool, resp chan bool, closeCh chan int) {
	for {
		select {
		case f := <-work:
			resp <- f()
		case <-closeCh:
			return
		}
	}
}

// The pool is resized from time to time.
func (n *scanDaemon) Loop(t *time.Ticker) {
	work := make(chan func() bool, n.max)
	resp := make(chan bool, n.max)
	closeCh := make(chan int)
	n.resize(len(n.topics), work, resp, closeCh)
	for {
		select {
		case <-t.C:
			n.resize(len(n.topics), work, resp, closeCh)
		case <-n.exit:
			close(closeCh)
			return
		}
		for _, f := range n.topics {
			work <- f
		}
		for range n.topics {
			<-resp
		}
	}
}

// Nobody has been started before.
func (n *scanDaemon) Run() {
	quit := make(chan int)
	for n.poolSize > n.max {
		quit <- 1
		n.poolSize--
	}
	for n.poolSize < n.max {
		n.poolSize++
		go func() { <-quit }()
	}
	close(quit)
}

// The count is of those that wait for done.
func (n *scanDaemon) Grow(jobs chan int) {
	done := make(chan int)
	defer close(done)
	for n.poolSize < n.max {
		go func() { <-done }()
		n.poolSize++
	}
	for n.poolSize > 0 {
		done <- 1
		n.poolSize--
	}
}
