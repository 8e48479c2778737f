package watch

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
)

// The search for one test must not take the memory of the whole machine. When the process has used
// the memory that -memory allows, the test is given up, as when its time is up. The next one begins
// with the memory that is free then. An execution may go on allocating without reaching an
// operation that the explorer sees. Then it is given up in the middle of its step, and the other
// tests are left to a new process. If that takes too long, the watch ends the binary before the
// system does.

const (
	lookAtMemory = 100 * time.Millisecond // the time between two looks
	farTooMuch   = 4                      // the excess that ends a step: a divisor of the limit
	// looks, until the work on a step that was given up must have ended
	patience = int(5 * time.Second / lookAtMemory)
)

// LimitMemory begins to look at the memory that the process uses. limit 0 is none.
func (w *Watch) LimitMemory(limit int64) {
	if limit <= 0 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/10)
	}
	w.memory = time.NewTicker(lookAtMemory)
	go func() {
		for range w.memory.C {
			used := process.UsedMemory()
			if used > limit && w.full.Load() == nil { // it may be what nobody uses any more
				debug.FreeOSMemory()
				used = process.UsedMemory()
			}
			w.lookAtMemory(used, limit)
		}
	}()
}

// lookAtMemory gives the test up if too much memory is used.
func (w *Watch) lookAtMemory(used, limit int64) {
	if w.full.Load() == nil {
		w.looks = 0
	}
	w.looks++
	if used > limit {
		why := usedUp(limit)
		w.full.CompareAndSwap(nil, &why)
	}
	if w.spilled > 0 {
		w.spilled++
	}
	switch {
	case w.spilled > patience && used > 2*limit:
	case w.spilled > 0 || used <= limit+limit/farTooMuch || w.looks <= int(grace/lookAtMemory) ||
		!w.deaf():
		return
	default:
		if p := w.pulse.Load(); p != nil && p.leave() {
			w.spilled = 1
			w.running.Store(false)
			return
		}
	}
	fmt.Fprintf(w.stderr, "rehearse: %s, in one step of an execution%s\n", usedUp(limit),
		stuckAt(w.places))
	os.Exit(process.Failure)
}

func usedUp(limit int64) string {
	return fmt.Sprintf("the memory of -memory %s is used up", options.Bytes(limit))
}

// Emptied forgets that memory was used up: the search for which it was has ended.
func (w *Watch) Emptied() {
	if w.full.Load() != nil {
		debug.FreeOSMemory()
		w.full.Store(nil)
	}
}
