package main

import (
	"flag"
	"io"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var costly = flag.Int("costly", 900_000,
	"for BenchmarkRecording: how many `executions` an exploration has")

// BenchmarkRecording compares explorations with a page and without, in processor time of the
// binary that explores and of the command that makes the page. Each iteration is one of either,
// of about 10 s.
func BenchmarkRecording(b *testing.B) {
	b.Chdir(filepath.Join(subjectDir, "nsenders"))
	page := filepath.Join(b.TempDir(), "r.html")
	flags := []string{"-run=TestNSenders8", "-strategy=random", "-timeout=0", "-p=1"}
	explore := func(executions string, more ...string) time.Duration {
		before := processorTime(b)
		runTest(append(append(flags, "-max-executions="+executions), append(more, ".")...),
			io.Discard, io.Discard)
		return processorTime(b) - before
	}
	explore("1") // builds
	var plain, recorded time.Duration
	for b.Loop() {
		plain += explore(strconv.Itoa(*costly))
		recorded += explore(strconv.Itoa(*costly), "-html="+page)
	}
	b.ReportMetric(plain.Seconds()/float64(b.N), "s-without")
	b.ReportMetric(recorded.Seconds()/float64(b.N), "s-with")
	b.ReportMetric(recorded.Seconds()/plain.Seconds(), "with/without")
}

// processorTime is that of this process and of those that it has waited for.
func processorTime(b *testing.B) (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Skip(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
