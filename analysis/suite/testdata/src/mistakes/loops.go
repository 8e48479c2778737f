package mistakes

// Loops over functions whose code is not seen.

import (
	"strings"
	"sync"
)

type words struct {
	mu sync.Mutex
	n  int
}

func (w *words) leavesEarly(subject string) bool {
	w.mu.Lock()
	for t := range strings.SplitSeq(subject, ".") {
		if len(t) == 0 {
			return false
		}
		w.n++
	}
	w.mu.Unlock()
	return true
}

func leavesOpen(subject string, f func(string)) {
	ch := make(chan string)
	go func() {
		for x := range ch {
			f(x)
		}
	}()
	for t := range strings.SplitSeq(subject, ".") {
		if t == "" {
			return
		}
		ch <- t
	}
	close(ch)
}

func neverCloses(numbers func(yield func(int) bool)) (sum int) {
	c := make(chan int)
	go func() {
		for n := range numbers {
			c <- n
		}
	}()
	for n := range c {
		sum += n
	}
	return sum
}
