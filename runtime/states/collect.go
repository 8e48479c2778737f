package states

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A search that compares states collects garbage between executions. A collection within an
// execution would separate small variables that share a block of memory (see viewer.Resumed), at a
// time that is not under control. Then equal states would sometimes differ.

const (
	interval = 16 << 20 // bytes that are allocated between two collections, at least
	// bytes from which on garbage is collected during an execution, if the program sets no limit
	ceiling = 1 << 30
)

// collector decides when garbage is collected.
var collector struct {
	on   bool
	next uint64 // bytes that will have been allocated
}

// Collect collects garbage if states are compared and it is time for that.
func Collect() {
	if !Compared() {
		return
	}
	if !collector.on {
		collector.on = true
		debug.SetGCPercent(-1)
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			debug.SetMemoryLimit(ceiling)
		}
	}
	if allocated, _ := heap(); allocated >= collector.next {
		runtime.GC()
		allocated, live := heap()
		collector.next = allocated + max(interval, live)
	}
}

// heap returns the number of bytes allocated so far, and the number that the last collection has
// left.
func heap() (allocated, live uint64) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64(), sample[1].Value.Uint64()
}
