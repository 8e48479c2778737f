// Package vault hands on what it has locked of another package.
package vault

import (
	"errors"
	"sync"

	"example.org/bank"
)

var _ sync.Locker

type handle struct{ a *bank.Account }

func open(a *bank.Account, n int) (*handle, error) {
	a.Lock()
	if n < 0 {
		a.Unlock()
		return nil, errors.New("negative")
	}
	return &handle{a}, nil
}

func (h *handle) close() { h.a.Unlock() }
