package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// specimens are schedules of executions that are spread over a search: the first ones, and then
// fewer and fewer. They show on which executions a search spends its time, as nothing may be noted
// while it runs.
type specimens struct {
	list [][]trace.Alt
	step int // every so many executions
	skip int // executions until the next one
}

// mostSpecimens bounds their number; at least half as many are kept.
const mostSpecimens = 32

// longestSpecimen bounds the steps that are kept of each.
const longestSpecimen = 1 << 15

// see takes down x if it is its turn.
func (s *specimens) see(x *trace.Execution) {
	if x.End == trace.Cut {
		return
	}
	if s.skip > 0 {
		s.skip--
		return
	}
	if len(s.list) == mostSpecimens {
		for i := range mostSpecimens / 2 {
			s.list[i] = s.list[2*i]
		}
		s.list = s.list[:mostSpecimens/2]
		s.step = 2*s.step + 1
	}
	s.keep(x)
	s.skip = s.step
}

// keep takes down x.
func (s *specimens) keep(x *trace.Execution) {
	alts := Choices(x)
	if len(alts) > longestSpecimen {
		alts = slices.Clone(alts[:longestSpecimen])
	}
	s.list = append(s.list, alts)
}
