package suite

import (
	"runtime"
	"testing"
	"time"
)

// TestAfterCollection sees that the growth follows what is in use.
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
	for used, want := range map[int64]int{0: 400, 1 << 20: 400, 448 << 20: 100, 1 << 30: 70} {
		if got := growthFor(used); got != want {
			t.Errorf("%d bytes in use: a growth of %d %%, want %d", used, got, want)
		}
	}
}
