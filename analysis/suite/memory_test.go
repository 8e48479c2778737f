package suite

import (
	"runtime"
	"testing"
	"time"
)

// TestAfterCollection sees that the limit follows what is in use.
func TestAfterCollection(t *testing.T) {
	seen := make(chan int64, 100)
	afterCollection(func() {
		select {
		case seen <- inUse():
		default:
		}
	})
	for range 2 {
		runtime.GC()
		select {
		case n := <-seen:
			if n <= 0 {
				t.Errorf("%d bytes in use", n)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("nothing is called after a collection")
		}
	}
	if got := limitFor(1 << 30); got != 3<<29 {
		t.Errorf("limit %d for 1 GB", got)
	}
	if got := limitFor(1 << 20); got != maxHeap {
		t.Errorf("limit %d for 1 MB", got)
	}
}
