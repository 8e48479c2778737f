package mistakes

import "sync"

type pendingLimit struct {
	mu      sync.Mutex
	pending int
	max     int
}

// The field pending is not a count of the goroutines that wait.
func (l *pendingLimit) Do(f func() error) error {
	c := make(chan error)
	go func() { c <- f() }()
	l.mu.Lock()
	if l.pending >= l.max {
		l.mu.Unlock()
		return nil
	}
	l.pending++
	l.mu.Unlock()
	err := <-c
	l.mu.Lock()
	l.pending--
	l.mu.Unlock()
	return err
}
