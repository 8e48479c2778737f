package main

import (
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var costly = flag.Int("costly", 900_000,
	"for BenchmarkRecording: how many `executions` an exploration has")

// BenchmarkRecording compares explorations with a page and without, in processor time of the
// binary that explores and of the command that makes the page. Each iteration is one of either,
// of about 10 s. The median of the ratios is what to look at on a machine that does other things,
// too.
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
	explore("1")                // builds
	explore("1", "-html="+page) // analyses the package for the page's map
	var plain, recorded time.Duration
	var ratios []float64
	for b.Loop() {
		p := explore(strconv.Itoa(*costly))
		r := explore(strconv.Itoa(*costly), "-html="+page)
		plain, recorded = plain+p, recorded+r
		ratios = append(ratios, r.Seconds()/p.Seconds())
	}
	slices.Sort(ratios)
	b.ReportMetric(plain.Seconds()/float64(b.N), "s-without")
	b.ReportMetric(recorded.Seconds()/float64(b.N), "s-with")
	b.ReportMetric(ratios[len(ratios)/2], "with/without")
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
