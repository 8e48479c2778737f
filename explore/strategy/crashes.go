package strategy

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// crash identifies the end of a program. The numbers are the same in equivalent executions.
type crash struct {
	path string // of the process
	past uint64 // the event before it
	log  uint64 // the lines of the log that come before it
}

// mostCrashes bounds those that are kept: beyond that, one may be run more than once.
var mostCrashes = 1 << 18

// crashes are those that have been run.
type crashes map[crash]bool

// again reports whether the crash of x has been run before. It takes down that it has.
func (l crashes) again(x *trace.Execution, order *depend.Order) bool {
	c, ok := crashOf(x, order)
	if !ok {
		return false
	}
	known := l[c]
	if len(l) < mostCrashes {
		l[c] = true
	}
	return known
}

// crashOf identifies the crash that x ended in, if it did. order is that of x.
func crashOf(x *trace.Execution, order *depend.Order) (c crash, ok bool) {
	last := int32(len(x.Events)) - 1
	if last < 0 || !final(x) {
		return c, false
	}
	q := x.Events[last].Proc
	c.path = x.Procs[q].Path
	prev := x.Procs[q].Born - 1
	for k := range last {
		if e := &x.Events[k]; e.Involves(q) {
			prev = k
		}
		if x.Events[k].Kind == trace.Log {
			c.log += order.Past(k)
		}
	}
	if prev >= 0 {
		c.past = order.Past(prev)
	}
	return c, true
}
