package executor

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// A program that ends leaves its files to the system. An execution that ends leaves them to the
// garbage collector. The collector may run long after the system has run out of descriptors: a user
// has 128 of inotify.

// descriptors knows how many descriptors are open, by the number that a new one gets.
type descriptors struct {
	known  bool
	before uintptr // the number at first, or after the last collection
}

// left is what executions of all tests have left.
var left descriptors

// mostLeft is how many descriptors executions may leave before garbage is collected.
const mostLeft = 32

// collect closes the files that executions have left behind, if there are many.
func (d *descriptors) collect() {
	switch n := lowestFree(); {
	case !d.known:
		d.known, d.before = true, n
	case n >= d.before+mostLeft:
		runtime.GC()
		for range 10 { // the files are closed by a goroutine
			if time.Sleep(time.Millisecond); lowestFree() < d.before+mostLeft/2 {
				break
			}
		}
		d.before = max(d.before, lowestFree())
	}
}

// lowestFree is the number of a descriptor that is opened now; 0 if none can be. It is asked for in
// each execution: an os.File costs several times as much.
func lowestFree() uintptr {
	d, err := syscall.Open(os.DevNull, os.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer syscall.Close(d)
	return uintptr(d)
}
