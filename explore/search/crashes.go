package search

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Crash identifies the end of a program. The numbers are the same in equivalent executions.
type Crash struct {
	Path string // of the process
	Past uint64 // the event before it
	Log  uint64 // the lines of the log that come before it
}

// MostCrashes bounds the crashes that are kept: beyond that, one may be run more than once.
var MostCrashes = 1 << 18

// Crashes are the crashes that have been run.
type Crashes map[Crash]bool

// Again reports whether the crash of x has been run before. It takes down that it has.
func (l Crashes) Again(x *trace.Execution, order *depend.Order) bool {
	c, ok := crashOf(x, order)
	if !ok {
		return false
	}
	known := l[c]
	if len(l) < MostCrashes {
		l[c] = true
	}
	return known
}

// crashOf identifies the crash that ended x, if one did. order is the order of x.
func crashOf(x *trace.Execution, order *depend.Order) (c Crash, ok bool) {
	last := int32(len(x.Events)) - 1
	if last < 0 || !Final(x) {
		return c, false
	}
	q := x.Events[last].Proc
	c.Path = x.Procs[q].Path
	prev := x.Procs[q].Born - 1
	for k := range last {
		if e := &x.Events[k]; e.Involves(q) {
			prev = k
		}
		if x.Events[k].Kind == trace.Log {
			c.Log += order.Past(k)
		}
	}
	if prev >= 0 {
		c.Past = order.Past(prev)
	}
	return c, true
}
