// Package bubbles has tests in bubbles of testing/synctest, right ones and wrong ones, and tests that count goroutines.
package bubbles

import (
	"context"
	"sync"
	"time"
)

// Cache forgets what it was told after a while.
type Cache struct {
	mu   sync.Mutex
	m    map[string]string
	life time.Duration
}

// NewCache makes a cache whose entries live for d.
func NewCache(d time.Duration) *Cache { return &Cache{m: map[string]string{}, life: d} }

// Put keeps a value for a while.
func (c *Cache) Put(key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[key] = value
	time.AfterFunc(c.life, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.m, key)
	})
}

// Has reports whether the cache has a value.
func (c *Cache) Has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.m[key]
	return ok
}

// Poll calls f every d until the context ends, and returns how often.
func Poll(ctx context.Context, d time.Duration, f func()) (n int) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			f()
			n++
		case <-ctx.Done():
			return n
		}
	}
}
