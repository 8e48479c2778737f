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
func collectRarely() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(mostGrowth)
	afterCollection(func() { debug.SetGCPercent(growthFor(inUse())) })
}

// The growth between two collections, in percent. Up to maxHeap bytes it is large, since the
// searches of package blocking leave much garbage; beyond that it is at least leastGrowth. A limit
// of the memory would be no substitute: just above what is in use, it makes the collector run all
// the time. That took more than half of the CPU on nats-server's largest package.
const (
	maxHeap     = 896 << 20
	mostGrowth  = 400
	leastGrowth = 70
)

// growthFor is the growth for so many bytes in use.
func growthFor(used int64) int {
	return int(min(max((maxHeap-used)*100/max(used, 1), leastGrowth), mostGrowth))
}

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
