package lockpath

import "sync"

// A lock is unlocked twice, or in another way than it was locked: that ends the program.

func (s *store) put(key string, f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock() // want `store.put unlocks s.mu here, which it has unlocked at unlock.go:\d+: that ends the program, if what f returns is an error`
	if err := f(); err != nil {
		s.mu.Unlock()
		return err
	}
	s.vals[key] = ""
	return nil
}

// The lock is taken again before the function returns.
func (s *store) putMended(key string, f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.Unlock()
	err := f()
	s.mu.Lock()
	if err != nil {
		return err
	}
	s.vals[key] = ""
	return nil
}

func (s *store) peek(key string) string {
	s.rw.RLock()
	defer s.rw.Unlock() // want `store.peek unlocks s.rw here in another way than it has locked it at unlock.go:\d+, which ends the program`
	return s.vals[key]
}

// A variable tells whether the lock is held.
func (s *store) flagged(f func() bool) {
	s.mu.Lock()
	locked := true
	defer func() {
		if locked {
			s.mu.Unlock()
		}
	}()
	if f() {
		s.mu.Unlock()
		locked = false
	}
}

// A panic comes while the lock is not held: the program ends one way or the other.
func (s *store) panics(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.Unlock()
	if n > 0 {
		panic("too many")
	}
	s.mu.Lock()
}

// Another goroutine has the lock by then.
func handover(f func()) {
	var mu sync.Mutex
	mu.Lock()
	done := make(chan bool)
	go func() {
		f()
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	<-done
	mu.Unlock()
}

// The same in a function that unlocks for its callers.

type handed struct{ mu sync.Mutex }

func (s *handed) release() {
	s.mu.Unlock() // want `handed.release unlocks s.mu here, which it has unlocked at unlock.go:\d+: that ends the program, if n > 0`
}

func (s *handed) releases(n int) {
	s.mu.Lock()
	if n > 0 {
		s.mu.Unlock()
	}
	s.release()
}

// A caller holds the lock.
func (s *handed) pause(f func()) {
	s.mu.Unlock()
	f()
	s.mu.Lock()
}

func (s *handed) paused(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pause(f)
}
