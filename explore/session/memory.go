package session

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
)

// The search for one test must not take the memory of the whole machine. When the process has used
// what -memory allows, the test is given up, as when its time is up, and the next one begins with
// what is free then. An execution that goes on allocating, without coming to an operation that the
// explorer sees, ends the binary before the system does.

// How often to look, and how much more than is allowed ends the binary, in parts of what is
// allowed.
const (
	lookAtMemory = 100 * time.Millisecond
	farTooMuch   = 4
)

// watchMemory begins to look at the memory that the process uses. limit 0 is none.
func (w *watch) watchMemory(limit int64) {
	if limit <= 0 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/10)
	}
	w.memory = time.NewTicker(lookAtMemory)
	go func() {
		for range w.memory.C {
			used := usedMemory()
			if used > limit && w.full.Load() == nil { // it may be what nobody uses any more
				debug.FreeOSMemory()
				used = usedMemory()
			}
			w.lookAtMemory(used, limit)
		}
	}()
}

// lookAtMemory gives the test up if too much memory is used.
func (w *watch) lookAtMemory(used, limit int64) {
	if w.full.Load() == nil {
		w.looks = 0
	}
	w.looks++
	if used > limit {
		why := fmt.Sprintf("the memory of -memory %s is used up", options.Bytes(limit))
		w.full.CompareAndSwap(nil, &why)
	}
	if used > limit+limit/farTooMuch && w.looks > int(grace/lookAtMemory) && w.deaf() {
		fmt.Fprintf(w.stderr, "rehearse: %s, in one step of an execution%s\n", *w.full.Load(),
			stuckAt(w.places))
		os.Exit(Failure)
	}
}

// emptied forgets that memory was used up: the search for which it was has ended.
func (w *watch) emptied() {
	if w.full.Load() != nil {
		debug.FreeOSMemory()
		w.full.Store(nil)
	}
}

// usedMemory is what the process has from the system and has not given back, in bytes.
func usedMemory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// allowedMemory is what -memory says, or half of the machine's; 0: there is no limit, or nobody
// says what the machine has.
func allowedMemory(o *options.Options) int64 {
	if limit, ok := o.MemoryLimit(); ok {
		return limit
	}
	total := machineMemory("/proc/meminfo")
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil &&
			(total == 0 || n < total) {
			total = n
		}
	}
	return total / 2
}

// machineMemory finds the line "MemTotal:  24607512 kB" of a file; 0 if there is none.
func machineMemory(file string) int64 {
	text, _ := os.ReadFile(file)
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "MemTotal:" {
			n, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 if it is no number
			return n << 10
		}
	}
	return 0
}
