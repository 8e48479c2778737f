package hook

import (
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The functions of this file take the place of those that measure the process of the operating
// system, in which the explorer is, too. In an execution they return numbers that are plausible,
// and the same each time; that is among what is fixed.

func init() { gate.Statistic = statistic }

// statistic reports whether an execution runs that gets fixed numbers, and notes it.
func statistic(name string) bool {
	if world.W.Current() == nil || world.Setup.Statistics {
		return false
	}
	world.W.Fix(name)
	garbage.measured = true
	return true
}

// Measured reports whether the execution has got fixed numbers.
func Measured() bool { return garbage.measured }

// The numbers of collections that memory statistics begin with, and of the bytes of a small
// program.
const (
	collectedBefore = 4
	smallHeap       = 4 << 20
	smallSystem     = 16 << 20
	pause           = 100 * time.Microsecond
	lastCollection  = 1773239136 // the virtual clock's first second
)

// garbage is what an execution has asked of the garbage collector.
var garbage struct {
	measured    bool
	collections uint32
	finalizers  map[uintptr]bool // objects that have one
	cleanups    int
	weak        []unsafe.Pointer // objects for which the execution has made weak pointers

	mu     sync.Mutex
	before []unsafe.Pointer // objects for which weak pointers were made outside of executions
}

// weakPointers reports whether the execution may have weak pointers.
func weakPointers() bool {
	garbage.mu.Lock()
	defer garbage.mu.Unlock()
	return len(garbage.weak)+len(garbage.before) > 0
}

// ForgetGarbage begins an execution.
func ForgetGarbage() {
	garbage.collections, garbage.cleanups, garbage.measured, uncounted = 0, 0, false, ""
	clear(garbage.finalizers)
	clear(garbage.weak)
	garbage.weak = garbage.weak[:0]
}

// GC is runtime.GC. It collects nothing where statistics are fixed. A program without finalizers,
// cleanups and weak pointers sees no difference: a sync.Pool may keep its values.
func GC() {
	if world.W.Current() == nil {
		runtime.GC()
		return
	}
	if Finalizes() {
		guard("runtime.GC",
			"runtime.GC is not controlled: it would run the finalizers and cleanups that are set, which do not run under control; "+
				"call what they do in the test, or -trust runtime.GC lets it run as it is")
	}
	if weakPointers() {
		guard("runtime.GC",
			"runtime.GC is not controlled: it would clear weak pointers, and no order of the processes says which; "+
				"-trust runtime.GC lets it run, and the objects of all weak pointers are kept")
	}
	world.W.Fix("runtime.GC")
	garbage.collections++
	if world.Setup.Statistics {
		runtime.GC()
	}
}

// ReadMemStats is runtime.ReadMemStats.
func ReadMemStats(m *runtime.MemStats) {
	if !statistic("runtime.ReadMemStats") {
		runtime.ReadMemStats(m)
		return
	}
	n := collectedBefore + garbage.collections
	*m = runtime.MemStats{
		Alloc: smallHeap, TotalAlloc: 2 * smallHeap, Sys: smallSystem, Lookups: 0, Mallocs: 40000,
		Frees:     20000,
		HeapAlloc: smallHeap, HeapSys: 2 * smallHeap, HeapIdle: smallHeap / 2,
		HeapInuse: 3 * smallHeap / 2, HeapObjects: 20000,
		StackInuse: 1 << 19, StackSys: 1 << 19, MSpanInuse: 1 << 16, MSpanSys: 1 << 17,
		MCacheInuse: 1 << 14, MCacheSys: 1 << 14,
		BuckHashSys: 1 << 20, GCSys: 2 << 20, OtherSys: 1 << 20, NextGC: 2 * smallHeap,
		LastGC: uint64(lastGC().UnixNano()), PauseTotalNs: uint64(n) * uint64(pause),
		NumGC: n, GCCPUFraction: 0.001, EnableGC: true,
	}
	for i := range min(n, uint32(len(m.PauseNs))) {
		m.PauseNs[i], m.PauseEnd[i] = uint64(pause), m.LastGC
	}
}

// ReadGCStats is debug.ReadGCStats.
func ReadGCStats(s *debug.GCStats) {
	if !statistic("runtime/debug.ReadGCStats") {
		debug.ReadGCStats(s)
		return
	}
	n := int(collectedBefore + garbage.collections)
	s.LastGC, s.NumGC, s.PauseTotal = lastGC(), int64(n), time.Duration(n)*pause
	s.Pause, s.PauseEnd = slices.Repeat([]time.Duration{pause}, n),
		slices.Repeat([]time.Time{s.LastGC}, n)
	for i := range s.PauseQuantiles {
		s.PauseQuantiles[i] = pause
	}
}

// lastGC is later after each collection.
func lastGC() time.Time {
	return time.Unix(lastCollection, int64(garbage.collections)*int64(pause))
}

// NumCgoCall is runtime.NumCgoCall.
func NumCgoCall() int64 {
	if !statistic("runtime.NumCgoCall") {
		return runtime.NumCgoCall()
	}
	return 1
}

// AllocsPerRun is testing.AllocsPerRun, for a function that allocates nothing. It calls it as
// often. A test that fails after that may have wanted allocations: see Uncounted. If the user
// trusts it, it counts what the function allocates in this binary, where operations allocate, too.
func AllocsPerRun(runs int, f func()) float64 {
	const name = "testing.AllocsPerRun"
	f()
	trusted := ""
	if world.W.Current() != nil {
		trusted, _ = trustedOf(name, callers())
	}
	if trusted != "" {
		guard(name, "")
		return counted(runs, f)
	}
	if statistic(name) && uncounted == "" {
		uncounted = sched.Site()
	}
	for range runs {
		f()
	}
	return 0
}

// counted is the average number of allocations of f.
func counted(runs int, f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(runs))
}

// uncounted is where the execution has been told that a function allocates nothing.
var uncounted string

// Finalizes reports whether the execution has set a finalizer or a cleanup that is still there.
func Finalizes() bool { return len(garbage.finalizers)+garbage.cleanups > 0 }

// Uncounted makes an execution uncontrolled that has failed after it was told that a function
// allocates nothing.
func Uncounted(x *trace.Execution) {
	if uncounted == "" || !x.Failed || !x.MainDone ||
		x.End != trace.Quiet && x.End != trace.Exited {
		return
	}
	x.End = trace.Uncontrolled
	x.Crash = &trace.Crash{Site: uncounted,
		Text: "testing.AllocsPerRun is not controlled: it returns 0, " +
			"and the test fails after that; -trust testing.AllocsPerRun lets it run as it is"}
}

// Getrusage is syscall.Getrusage.
func Getrusage[R any](f func(who int, r *R) error) func(who int, r *R) error {
	return func(who int, r *R) error {
		err := f(who, r)
		if err == nil && statistic("syscall.Getrusage") {
			*r = *new(R)
			setInt(r, 1, "Utime", "Sec")
			setInt(r, 100000, "Stime", "Usec")
			setInt(r, smallSystem>>10, "Maxrss")
		}
		return err
	}
}

// Gettimeofday is syscall.Gettimeofday, by the virtual clock.
func Gettimeofday[T any](f func(t *T) error) func(t *T) error {
	return func(t *T) error {
		if world.W.Current() == nil {
			return f(t)
		}
		now := time.Now()
		setInt(t, now.Unix(), "Sec")
		setInt(t, int64(now.Nanosecond()/1000), "Usec")
		return nil
	}
}

// Time is syscall.Time, by the virtual clock.
func Time[T ~int32 | ~int64](f func(t *T) (T, error)) func(t *T) (T, error) {
	return func(t *T) (T, error) {
		if world.W.Current() == nil {
			return f(t)
		}
		now := T(time.Now().Unix())
		if t != nil {
			*t = now
		}
		return now, nil
	}
}

// setInt sets a field of the struct at p, if it has one of this name.
func setInt(p any, n int64, path ...string) {
	v := reflect.ValueOf(p).Elem()
	for _, name := range path {
		if v = v.FieldByName(name); !v.IsValid() {
			return
		}
	}
	if v.CanInt() {
		v.SetInt(n)
	}
}

// Kill is syscall.Kill. A signal to the program itself reaches the receivers that wait for it.
func Kill[S ~int](f func(pid int, sig S) error) func(pid int, sig S) error {
	return func(pid int, sig S) error {
		var s any = sig
		if sent, ok := s.(os.Signal); ok && sig != 0 && pid == os.Getpid() && raise(sent) {
			return nil
		}
		if world.W.Current() != nil && sig != 0 {
			guard("syscall.Kill",
				"syscall.Kill is not controlled: it sends a signal that signal.Notify was not called for, or to another process; "+
					"-trust syscall.Kill lets it run as it is")
		}
		return f(pid, sig)
	}
}
