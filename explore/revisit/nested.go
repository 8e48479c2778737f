package revisit

import (
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// nested is the order of calls: an actor that has started others gets a message only when these are
// idle, and a task that has begun goes on as long as it can. Then two messages whose order makes no
// difference in the end are taken one right after the other, so that contexts see it at once. Equal
// ranks keep the usual order.
type nested struct {
	depth []int32 // of each process: one more than of the process that has started it
}

// See shows s to what has to see all states.
func (c *Contexts) See(s *trace.State) {
	if c.Look != nil {
		c.Nested.see(s)
	}
}

// see must be called with each state of an execution. It is the last one that Rank is about.
func (o *nested) see(s *trace.State) {
	if s.Depth == 0 {
		o.depth = o.depth[:0]
	}
	for len(o.depth) < len(s.Procs) {
		d := int32(0)
		if s.Last >= 0 {
			d = o.depth[s.Last] + 1
		}
		o.depth = append(o.depth, d)
	}
}

// Rank implements Order.
func (o *nested) Rank(s *trace.State, dst []int32) []int32 {
	idle := s.Depth > 0 && s.Events[s.Depth-1].Idle()
	for _, a := range s.Alts {
		r := -2 * o.depth[search.Receiver(a)]
		switch last := a.Involves(s.Last); {
		case last && idle: // it may poll
			r = 1
		case last && a.Takes.Number == 0:
			r = -1 << 30
		case last:
			r--
		}
		dst = append(dst, r)
	}
	return dst
}
