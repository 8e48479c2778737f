package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Verdict says whether something is possible.
type Verdict uint8

// The verdicts.
const (
	Never   Verdict = iota
	Perhaps         // the events do not tell: time, and what was made before the execution
	Sure
)

// Set is the first From events of an execution and, of the later ones, those In, a bit for each
// event of the execution. The set contains all that happens before its events. Order has their
// effects; nothing else of the execution is asked.
type Set struct {
	Order *Order
	From  int32
	In    []uint64
}

// Cut is the state of execution X after a set of its events. Cut has a method for each kind of
// object that can enable or disable an operation.
type Cut struct {
	Set
	X *trace.Execution
}

// Has reports whether event k is in the cut.
func (s *Set) Has(k int32) bool { return k < s.From || s.In[k>>6]&(1<<(k&63)) != 0 }

func unless(cond bool) Verdict {
	if cond {
		return Never
	}
	return Sure
}

// isClosed reports whether a channel is closed, perhaps since before the execution.
func (s *Set) isClosed(obj int32) bool {
	return s.count(obj, closed) > 0 || len(s.lane(obj, closed)) == 0 && s.Order.foundClosed(obj)
}

// inherited reports whether a channel may have had values before the execution.
func (c *Cut) inherited(obj int32) bool {
	if slices.Contains(c.X.Static, obj) {
		return len(c.lane(obj, sent)) == 0 || len(c.lane(obj, received)) == 0
	}
	return false
}

// number returns the Seq of the next event with an effect that has a Seq.
func (c *Cut) number(obj int32, eff effect) int32 {
	n := c.count(obj, eff)
	if eff == sent && len(c.lane(obj, laid)) > 0 {
		return n + c.count(obj, laid) // the execution has made the channel
	}
	if l := c.lane(obj, eff); len(l) > 0 {
		n += c.X.Events[l[0].event()].Seq
	}
	return n
}

func (s *Set) lane(obj int32, eff effect) lane { return s.Order.lanes.of(obj, eff) }

// count counts the events of the cut with an effect on an object.
func (s *Set) count(obj int32, eff effect) (n int32) {
	l := s.lane(obj, eff)
	for i := len(l) - 1; i >= 0; i-- {
		if k := l[i].event(); k < s.From {
			return n + int32(i) + 1
		} else if s.Has(k) {
			n++
		}
	}
	return n
}

// last returns the last event of the cut with an effect on an object; nil if there is none.
func (c *Cut) last(obj int32, eff effect) *trace.Event { return c.event(c.lastOf(obj, eff)) }

// later returns the last event of the cut with one of two effects; nil if there is none.
func (c *Cut) later(obj int32, a, b effect) *trace.Event {
	return c.event(max(c.lastOf(obj, a), c.lastOf(obj, b)))
}

func (c *Cut) event(k int32) *trace.Event {
	if k < 0 {
		return nil
	}
	return &c.X.Events[k]
}

// lastOf returns the number of the last event of the cut with an effect on an object; -1 if there
// is none.
func (s *Set) lastOf(obj int32, eff effect) int32 {
	l := s.lane(obj, eff)
	for i := len(l) - 1; i >= 0; i-- {
		if k := l[i].event(); s.Has(k) {
			return k
		}
	}
	return -1
}
