package suite

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collectRarely lets the heap grow further than usual between collections, unless the environment
// says what it wants. A process is one package: syntax, types and SSA, nearly all of which is in
// use until it ends. A third of the time on a large package was for collections that found little.
// The searches of package blocking leave much behind them: above maxHeap the collector runs.
func collectRarely() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(maxHeap)
		afterCollection(func() { debug.SetMemoryLimit(limitFor(inUse())) })
	}
}

// maxHeap is above what is in use for most packages.
const maxHeap = 896 << 20

// limitFor is the limit for so many bytes in use. A limit that is hardly above them makes the
// collector run all the time, to no avail: of nats-server's largest package, with 1.0 GB in use, it
// took three quarters of the CPU.
func limitFor(used int64) int64 { return max(maxHeap, used+used/2) }

// inUse is how many bytes the last collection has found in use.
func inUse() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

// afterCollection calls f after each collection.
func afterCollection(f func()) {
	type mark struct{ _ [16]byte } // small objects without pointers share their memory
	runtime.SetFinalizer(new(mark), func(*mark) {
		f()
		afterCollection(f)
	})
}
