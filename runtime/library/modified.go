package library

import (
	"math"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// The system notes by its own clock when a file was changed, and programs compare that with the
// virtual one. So a file that was changed since the process has begun was changed, for the program,
// when an execution asks for that first.
//
// LIMITS: a change about which nobody asks before time has passed is later for the program than it
// was. Two changes within a few milliseconds of real time may be one for the system.

// change is a change of a file, as the system notes it.
type change struct {
	device, file uint64
	at           int64
}

var (
	begun = realTime()
	// when an execution has asked about changes first, in virtual time
	changes = map[change]int64{}
)

// realTime is the system's time. During package initialisation, time.Now has the virtual one.
func realTime() int64 {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		return math.MaxInt64 // no file has been changed since
	}
	return now.Nano()
}

// coarse is how much the system's clock for files may be late, at most.
const coarse = int64(10 * time.Millisecond)

func init() {
	gate.Modified = func(device, file uint64, at int64, now func() int64) int64 {
		if at < begun-coarse || at > realTime()+coarse {
			return at
		}
		c := change{device, file, at}
		seen, ok := changes[c]
		if !ok {
			seen = now()
			changes[c] = seen
		}
		return seen
	}
}

// ForgetChanges makes the next execution see all changes of files anew.
func ForgetChanges() { clear(changes) }
