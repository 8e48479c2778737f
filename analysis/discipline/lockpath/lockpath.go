// Package lockpath reports locks that are never unlocked, unlocked twice, or taken in a ring.
package lockpath

import "github.com/rehearse-go/rehearse/analysis/blocking"

// Analyzer is the check.
var Analyzer = blocking.Check("lockpath", `check that a lock is unlocked once on every path, and not taken twice or in two orders

A process that locks a mutex that it has locked itself waits for ever; so do two that each have what the other one wants.
A path that returns with the lock leaves it to nobody. A second unlock ends the program, and so does Unlock after RLock:
no recover helps. How such an order is found, rehearse vet -explain leak says.

Example:

	func (s *Store) Get(key string) (string, error) {
		s.mu.Lock()
		v, err := s.read(key)
		if err != nil {
			return "", err // s.mu stays locked
		}
		s.mu.Unlock()
		return v, nil
	}

The same shape: a method that locks calls another one that locks, too, be it by a function value or an interface; RLock
twice with a Lock of another goroutine in between; Unlock before a return, and again in a defer; two mutexes that two
goroutines, or two exported methods, lock in different orders; a recovered panic between Lock and
Unlock.

Fix: defer the Unlock; give the inner function a form for callers that hold the lock; lock in one order everywhere.

Not reported: a function whose name says that it locks, or that returns a function; a lock that somebody unlocks who has
not locked it. With -possible, findings are also printed that are not sure, with the reason.

Law: none: actors of the theory share no state, and have no locks.`)
