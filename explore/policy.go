package explore

import "github.com/rehearse-go/rehearse/runtime/trace"

// Onward is the choice where nothing else decides: the process that moved last goes on if it can, else the first one
// that can. Executions that go on in this way have the fewest switches.
func Onward(s *trace.State) int {
	for i, a := range s.Alts {
		if a.Involves(s.Last) {
			return i
		}
	}
	return 0
}

// Choices returns the alternatives that made x.
func Choices(x *trace.Execution) []trace.Alt {
	alts := make([]trace.Alt, len(x.Events))
	for i := range x.Events {
		alts[i] = x.Events[i].Alt
	}
	return alts
}

// Script makes given choices, and then lets the execution run on. It cuts the execution off where a choice is not
// possible.
type Script struct {
	Alts   []trace.Alt
	Missed int    // 1 + the depth at which the choice was not possible; 0 if there is none
	Got    string // what was possible there
}

// Choose implements trace.Chooser.
func (c *Script) Choose(s *trace.State) int {
	if s.Depth == 0 {
		c.Missed = 0
	}
	if s.Depth >= len(c.Alts) {
		return Onward(s)
	}
	i := index(s.Alts, c.Alts[s.Depth])
	if i < 0 {
		c.Missed, c.Got = s.Depth+1, possible(s)
	}
	return i
}

func index(alts []trace.Alt, a trace.Alt) int {
	for i := range alts {
		if alts[i] == a {
			return i
		}
	}
	return -1
}
