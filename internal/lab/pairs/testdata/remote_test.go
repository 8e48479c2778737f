package remote

import (
	"sync"
	"testing"
)

// TestBatch takes a batch from a full queue that is shut down.
func TestBatch(t *testing.T) {
	q := newQueue(2, 2)
	for i := 0; i < 3; i++ { // one batch in the queue, which has room for no other, and half of one
		q.Append(sampleOrExemplar{})
	}
	var both sync.WaitGroup
	both.Add(2)
	go func() {
		defer both.Done()
		q.FlushAndShutdown(make(chan struct{}))
	}()
	go func() {
		defer both.Done()
		q.Batch()
		for range q.Chan() {
		}
	}()
	both.Wait()
}
