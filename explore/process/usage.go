// Package process has the services of the operating-system process to the runner of a controlled
// test binary: its use of memory and processor time, its terminal, and a standard output to which
// only the runner writes.
//
// Numbers that the system does not give are 0.
package process

import (
	"bytes"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"
)

// CollectRarely lets the heap grow further than usual between collections, unless the environment
// sets GOGC. An execution keeps little, and leaves a kilobyte or two of garbage. With Go's usual
// value, collections of a heap of four megabytes took a tenth of the time.
func CollectRarely() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// PeakMemory is the most memory of this process that has been resident, in bytes, if /proc says it;
// else 0. The number of getrusage counts the parent, too: the child of a fork has the parent's
// memory until it executes the binary.
func PeakMemory() int64 {
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

// ProcessorTime is how long this process has run on processors, where /proc says it; 0 elsewhere.
func ProcessorTime() time.Duration {
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

// UsedMemory is what the process has from the system and has not given back, in bytes.
func UsedMemory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// MachineMemory is the memory that this process may have at most, in bytes: the limit of its
// control group, or the memory of the machine; 0 if both are unknown.
func MachineMemory() int64 {
	info, _ := os.ReadFile("/proc/meminfo")
	total := totalIn(info)
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil &&
			(total == 0 || n < total) {
			total = n
		}
	}
	return total
}

// totalIn finds the line "MemTotal:  24607512 kB"; 0 if there is none.
func totalIn(info []byte) int64 {
	for line := range bytes.Lines(info) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "MemTotal:" {
			n, _ := strconv.ParseInt(string(fields[1]), 10, 64) // 0 if it is no number
			return n << 10
		}
	}
	return 0
}
