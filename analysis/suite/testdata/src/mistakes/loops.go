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
