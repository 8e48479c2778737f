// Package teller locks what another package has made.
package teller

import (
	"errors"
	"sync"

	"example.org/bank"
)

var audit sync.Mutex

func twice(a *bank.Account) {
	a.Lock()
	a.Lock() // want `twice waits here for ever for the lock a, which it has locked itself at teller.go:\d+`
}

func within(a *bank.Account) {
	a.Begin()
	defer a.End()
	a.Add(1) // want `within waits here for ever for the lock a, which it has locked itself at teller.go:\d+`
}

func early(a *bank.Account, n int) error {
	a.Lock()
	if n < 0 {
		return errors.New("negative") // want `early returns here with a locked, if n < 0`
	}
	a.Unlock()
	return nil
}

func right(a *bank.Account, n int) error {
	a.Lock()
	defer a.Unlock()
	if n < 0 {
		return errors.New("negative")
	}
	return nil
}

func loop(all []*bank.Account) {
	for _, a := range all {
		a.Lock()
		audit.Lock()
		audit.Unlock()
		a.Unlock()
	}
}

func transfer(from, to *bank.Account) {
	from.Add(-1)
	to.Add(1)
}

func both(from, to *bank.Account) {
	from.Begin()
	to.Begin()
	to.End()
	from.End()
}

func nested(a *bank.Account) {
	a.With(func() {
		a.Add(1) // want `nested.func1 waits here for ever for the lock a, which it has locked itself at teller.go:\d+`
	})
}

func other(a, b *bank.Account) {
	a.With(func() {
		b.Add(1)
	})
}

// lockAll is to be undone by its caller.
func lockAll(all []*bank.Account) {
	for _, a := range all {
		a.Lock()
	}
}

// counted takes a lock, and counts with one of the same name.
func counted() {
	audit.Lock()
	bank.Count()
}

func uncounted() {
	unlock := audit.Unlock
	unlock()
}
