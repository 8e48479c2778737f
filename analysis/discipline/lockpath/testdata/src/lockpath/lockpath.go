package lockpath

import (
	"errors"
	"fmt"
	"sync"
)

type store struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	vals map[string]string
	next *store
}

// A path returns with the lock.

func (s *store) get(key string) (string, error) {
	s.mu.Lock()
	v, ok := s.vals[key]
	if !ok {
		return "", errors.New("none") // want `store.get returns here with s.mu locked, if .*`
	}
	s.mu.Unlock()
	return v, nil
}

func (s *store) getMended(key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.vals[key]
	if !ok {
		return "", errors.New("none")
	}
	return v, nil
}

func (s *store) getBoth(key string) (string, error) {
	s.mu.Lock()
	v, ok := s.vals[key]
	if !ok {
		s.mu.Unlock()
		return "", errors.New("none")
	}
	s.mu.Unlock()
	return v, nil
}

// A method that locks is called under the lock.

func (s *store) size() int {
	s.rw.Lock() // want `store.size waits here for ever for the lock s.rw, which it has locked itself at lockpath.go:\d+`
	defer s.rw.Unlock()
	return len(s.vals)
}

func (s *store) report() int {
	s.rw.Lock()
	defer s.rw.Unlock()
	return s.size() + 1
}

func (s *store) sizeLocked() int { return len(s.vals) }

func (s *store) reportMended() int {
	s.rw.Lock()
	defer s.rw.Unlock()
	return s.sizeLocked() + 1
}

func (s *store) twice(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := func() {
		s.mu.Lock() // want `waits here for ever for the lock s.mu, which it has locked itself`
		defer s.mu.Unlock()
	}
	g()
}

// Another object of the type has another lock.

func (s *store) both() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		s.next.mu.Lock()
		defer s.next.mu.Unlock()
	}
}

// Two orders.

func orders() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		a.Lock()
		b.Lock() // want `orders.func1 waits here for ever for the lock b, which orders.func2 has locked at lockpath.go:\d+, and waits itself at`
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		defer wg.Done()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
}

func oneOrder() {
	var a, b sync.Mutex
	for range 2 {
		go func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		}()
	}
}

// A read lock twice, and a writer in between.

func readTwice() {
	var rw sync.RWMutex
	go func() {
		rw.RLock()
		rw.RLock() // want `readTwice.func1 waits here for ever for the lock rw, which it has locked itself`
		rw.RUnlock()
		rw.RUnlock()
	}()
	go func() {
		rw.Lock()
		rw.Unlock()
	}()
}

func readOnce() {
	var rw sync.RWMutex
	go func() {
		rw.RLock()
		rw.RUnlock()
	}()
	go func() {
		rw.Lock()
		rw.Unlock()
	}()
}

// Locks that are handed on.

type drawer struct {
	mu   sync.Mutex
	open bool
}

func (d *drawer) lock() { d.mu.Lock() }

func (d *drawer) unlock() { d.mu.Unlock() }

func (d *drawer) pull(hard bool) bool {
	d.mu.Lock()
	if hard {
		d.open = true
		return true // the caller calls unlock
	}
	d.mu.Unlock()
	return false
}

func (s *store) Acquire(ok bool) bool {
	s.mu.Lock()
	if !ok {
		s.mu.Unlock()
		return false
	}
	return true
}

type unlocker struct{ mu sync.Mutex }

func (u *unlocker) guard() func() {
	u.mu.Lock()
	return u.mu.Unlock
}

// The lock is given up and taken again.

func (s *store) wait(f func()) {
	s.rw.Lock()
	defer s.rw.Unlock()
	s.rw.Unlock()
	f()
	s.rw.Lock()
}

func (s *store) releases() {
	s.rw.Unlock()
	println()
	s.rw.Lock()
}

// Once in itself.

var once sync.Once

func recursive() {
	var o sync.Once
	var f func()
	f = func() {
		o.Do(f) // want `waits here for ever for o.Do, which is under way`
	}
	o.Do(f)
}

// Only sometimes does it have the lock where it returns: nothing is to be mended there.

func (s *store) perhaps(lock, bad bool) error {
	if lock {
		s.mu.Lock()
	}
	if bad {
		return errors.New("bad") // want `store.perhaps returns here with s.mu locked, if .*`
	}
	if lock {
		s.mu.Unlock()
	}
	return nil
}

// What is returned is guarded by the lock: it is for the reader to mend that.

func (s *store) guarded(bad bool) map[string]string {
	s.mu.Lock()
	if bad {
		return s.vals // want `store.guarded returns here with s.mu locked, if .*`
	}
	s.mu.Unlock()
	return nil
}

// Another variable has the name by then.

func (s *store) other(bad bool) error {
	s.mu.Lock()
	if s := s.next; bad && s != nil {
		return nil // want `store.other returns here with s.mu locked, if .*`
	}
	s.mu.Unlock()
	return nil
}

func (s *store) formatted(bad bool, n int) error {
	s.rw.RLock()
	if bad {
		return fmt.Errorf("bad %d", n) // want `store.formatted returns here with s.rw locked, if .*`
	}
	s.rw.RUnlock()
	return nil
}
