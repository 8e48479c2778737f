// Package bank has types with locks that other packages use.
package bank

import "sync"

// Account is locked by its users, or by its methods.
type Account struct {
	mu  sync.Mutex
	sum int
}

func (a *Account) Lock()   { a.mu.Lock() }
func (a *Account) Unlock() { a.mu.Unlock() }

// Begin locks the account, End unlocks it.
func (a *Account) Begin() { a.mu.Lock() }
func (a *Account) End()   { a.mu.Unlock() }

// Add locks by itself.
func (a *Account) Add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sum += n
}

// With calls f with the account locked.
func (a *Account) With(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// Count counts by itself.
func Count() {
	audit.Lock()
	count++
	audit.Unlock()
}

var (
	audit sync.Mutex
	count int
)
