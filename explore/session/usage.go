package session

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"time"
)

// collectRarely lets the heap grow further than usual between collections, unless the environment
// says what it wants. What is kept of an execution is little, and what it leaves behind is a
// kilobyte or two: with Go's usual value a tenth of the time was for collections of a heap of four
// megabytes.
func collectRarely() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// peakMemory is the most memory of this process that has been resident, in bytes, where /proc says
// it; 0 elsewhere. What getrusage says counts the parent, too: the child of a fork has its memory
// until it executes the binary.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakIn(status)
}

// peakIn finds the line "VmHWM:  5120 kB".
func peakIn(status []byte) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	number, ok := bytes.CutSuffix(line, []byte(" kB"))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
	if !ok || err != nil {
		return 0
	}
	return n << 10
}

// tick is the unit of the times in /proc.
const tick = 10 * time.Millisecond

// processorTime is how long this process has run on processors, where /proc says it; 0 elsewhere.
func processorTime() time.Duration {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	return processorTimeIn(stat)
}

// processorTimeIn adds up the 14th and the 15th field, utime and stime. The second one is a name in
// parentheses, which may have spaces.
func processorTimeIn(stat []byte) (sum time.Duration) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	for _, i := range []int{14, 15} {
		if at := i - 3; at < len(fields) {
			n, _ := strconv.ParseInt(string(fields[at]), 10, 64) // 0 if it is no number
			sum += time.Duration(n) * tick
		}
	}
	return sum
}
