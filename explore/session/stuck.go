package session

import (
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/explore/report"
)

// stuckAt says where the process is that has the processor and does not reach a visible operation: ": f at file:1", or
// nothing if it cannot be found.
func stuckAt(at *report.Places) string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for g := range strings.SplitSeq(string(buf), "\n\n") {
		if !controlled(g) || parked(g) {
			continue
		}
		if calls := report.UserCalls([]byte(g), at); len(calls) > 0 {
			return ": " + calls[0].Text + " at " + calls[0].Pos
		}
	}
	return ""
}

// controlled reports whether the goroutine with this stack runs a process.
func controlled(stack string) bool { return strings.Contains(stack, "runtime/sched.(*Sched).runBody") }

// parked reports whether it waits for the scheduler.
func parked(stack string) bool {
	return strings.Contains(stack, "runtime/sched.(*Sched).switchTo") || strings.Contains(stack, "runtime/sched.(*Sched).dispatch")
}
