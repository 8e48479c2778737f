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

// change is a change of a file, as the system notes it, and when an execution has asked about it
// first, in virtual time.
type change struct {
	device, file uint64
	at, seen     int64
	next         *change
}

var (
	begun   = realTime()
	changes [256]*change // lists of them, by file
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

func init() { gate.Modified = modified }

// modified changes a table that processes share, one at a time. Go's race detector must not look at
// it, so the table is no map.
//
//go:norace
func modified(device, file uint64, at int64, now func() int64) int64 {
	if at < begun-coarse || at > realTime()+coarse {
		return at
	}
	c := find(device, file, at)
	if c == nil {
		seen := now() // others may ask meanwhile
		if c = find(device, file, at); c == nil {
			list := &changes[file%uint64(len(changes))]
			c = &change{device, file, at, seen, *list}
			*list = c
		}
	}
	return c.seen
}

// find returns a change about which somebody has asked; nil: nobody has.
//
//go:norace
func find(device, file uint64, at int64) *change {
	c := changes[file%uint64(len(changes))]
	for c != nil && (c.device != device || c.file != file || c.at != at) {
		c = c.next
	}
	return c
}

// ForgetChanges makes the next execution see all changes of files anew.
//
//go:norace
func ForgetChanges() { clear(changes[:]) }
