package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// script makes given choices and then lets the execution run on.
type script struct {
	alts   []trace.Alt
	missed int           // depth at which the choice was not possible, -1 if there is none
	record bool          // keep what was possible
	could  [][]trace.Alt // what was possible at each depth; empty where there was one alternative
}

func newScript(alts []trace.Alt) *script { return &script{alts: alts, missed: -1} }

// Choose implements trace.Chooser.
func (c *script) Choose(s *trace.State) int {
	if c.record {
		c.note(s)
	}
	if s.Depth >= len(c.alts) {
		return onward(s)
	}
	i := slices.Index(s.Alts, c.alts[s.Depth])
	if i < 0 {
		c.missed = s.Depth
	}
	return i
}

func (c *script) note(s *trace.State) {
	var alts []trace.Alt
	if len(s.Alts) > 1 {
		alts = slices.Clone(s.Alts)
	}
	c.could = append(c.could, alts)
}

// onward is the choice where nothing else decides: the process that moved last goes on if it can, else the first.
func onward(s *trace.State) int {
	i := slices.IndexFunc(s.Alts, func(a trace.Alt) bool { return a.Proc == s.Last })
	return max(i, 0)
}

// altsOf are the choices that made x.
func altsOf(x *trace.Execution) []trace.Alt {
	alts := make([]trace.Alt, len(x.Events))
	for i := range x.Events {
		alts[i] = x.Events[i].Alt
	}
	return alts
}
