package broker

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// patience is the time for which a broker may be gone, or refuse requests.
const patience = time.Minute

// doubt watches over what is tried again and again.
type doubt struct{ since time.Time }

// long reports whether all has failed for long. err is the result of the latest attempt.
func (d *doubt) long(err error) bool {
	switch {
	case err == nil:
		d.since = time.Time{}
	case d.since.IsZero():
		d.since = time.Now()
	}
	return err != nil && time.Since(d.since) > patience
}

// patiently does what a broker that is gone for a moment may be in the way of.
func (c *Carrier) patiently(do func(context.Context) error) (err error) {
	for begun := time.Now(); time.Since(begun) < patience && c.ctx.Err() == nil; {
		ctx, cancel := context.WithTimeout(c.ctx, patience/2)
		err = do(ctx)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(300 * time.Millisecond)
	}
	return err
}

// sendAgain publishes all open orders, as a broker that comes back may have lost some.
func (c *Carrier) sendAgain() {
	ctx, cancel := context.WithTimeout(c.ctx, Silence)
	defer cancel()
	c.work.Purge(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsent = c.unsent[:0]
	for name := range c.orders {
		c.unsent = append(c.unsent, name)
	}
	c.changed.Broadcast()
}

// room reports why nothing can be written where the broker keeps what it has: then workers try in
// vain to answer.
func (c *Carrier) room() error {
	const some = 64 << 10
	path := filepath.Join(c.dir, "room")
	defer os.Remove(path)
	return os.WriteFile(path, make([]byte, some), 0o600)
}

// dismiss ends the keeper, if there is one.
func (c *Carrier) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.brought != nil {
		c.brought.Close()
		c.brought = nil
	}
}

// Quiet waits until all that a keeper which has ended has said was heard, but not for long.
func (c *Carrier) Quiet() {
	const most, step = time.Second, 10 * time.Millisecond
	for begun := time.Now(); time.Since(begun) < most; time.Sleep(step) {
		c.mu.Lock()
		heard := c.brought == nil
		c.mu.Unlock()
		if heard {
			return
		}
	}
}
