package pace

import (
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Statistics of memory and of the process (runtime.ReadMemStats) are fixed numbers, as the explorer
// is in that process, too. A test that fails may want other numbers:
//
//	runtime.ReadMemStats(&before); cache.fill(); runtime.ReadMemStats(&after)
//	if after.Alloc == before.Alloc { t.Fatal("nothing was allocated") }
//
// So the executor runs the order of such an execution once more, with the real numbers. If it does
// not fail then, or fails with another log, the failure depends on the numbers: it is doubted.
//
// LIMITS: crashes and deadlocks are not doubted, and failures with equal logs are tried once.

// doubt finds out whether the failure of x depends on statistics. It reports false if x has not
// failed after it had read statistics, or if the answer is known already; else x is no longer
// valid.
func (p *Executor) doubt(x *trace.Execution) bool {
	log := logOf(x)
	if _, known := p.doubted[log]; known || log == "" || p.Statistics == nil {
		return false
	}
	end, code := x.End, x.ExitCode
	p.Statistics(true)
	y := explore.Bound(p.ex, p.enough).Execute(&explore.Script{Alts: explore.Made(x)}, false)
	p.Statistics(false)
	y.Measured = true
	ended := y.End != trace.Cut && !y.Stuck
	p.doubted[log] = ended && (y.End != end || y.ExitCode != code || logOf(y) != log)
	return true
}

// logOf returns the log of x if x has failed after it had read statistics; else an empty text.
func logOf(x *trace.Execution) string {
	if !x.Measured || !x.Failed || x.End != trace.Quiet && x.End != trace.Exited {
		return ""
	}
	return strings.Join(append([]string{"fails"}, x.Log...), "\n")
}
