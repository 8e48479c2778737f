package session

import (
	"bytes"
	"os"
	"strconv"
)

// peakMemory is the most memory of this process that has been resident, in bytes, where /proc says it; 0 elsewhere. What
// getrusage says counts the parent, too: the child of a fork has its memory until it executes the binary.
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
