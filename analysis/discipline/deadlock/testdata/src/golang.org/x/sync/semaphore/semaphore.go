// Package semaphore has the declarations of golang.org/x/sync/semaphore. Its functions are not
// looked at: what they do is known by their names.
package semaphore

import (
	"context"
	"sync"
)

type Weighted struct {
	size, cur int64
	mu        sync.Mutex
}

func NewWeighted(n int64) *Weighted { return &Weighted{size: n} }

func (s *Weighted) Acquire(ctx context.Context, n int64) error { return ctx.Err() }

func (s *Weighted) TryAcquire(n int64) bool { return false }

func (s *Weighted) Release(n int64) {}
