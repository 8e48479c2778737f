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

// Spot is a specimen of a part, and how many executions the part had run before it.
type Spot struct {
	At   int
	Alts []trace.Alt
}

// specimensBehind returns specimens that have seen n executions, and know how many they have kept.
func specimensBehind(n int) specimens {
	each := 1
	for n > mostSpecimens*each {
		each *= 2
	}
	kept := (n + each - 1) / each
	return specimens{list: make([][]trace.Alt, kept), step: each - 1, skip: kept*each - n}
}

// gatherSpots takes the specimens of a part with n executions, as if s had seen the part's
// executions.
func (s *specimens) gatherSpots(n int, spots []Spot) {
	for at := range n {
		if !s.isNext() {
			continue
		}
		i := slices.IndexFunc(spots, func(p Spot) bool { return p.At == at })
		if i >= 0 {
			s.list = append(s.list, spots[i].Alts)
		}
	}
}

// mostSpecimens bounds their number; at least half as many are kept.
const mostSpecimens = 32

// longestSpecimen bounds the steps that are kept of each.
const longestSpecimen = 1 << 15

// see takes down x if it is its turn, and reports whether it was.
func (s *specimens) see(x *trace.Execution) bool {
	if x.End == trace.Cut || !s.isNext() {
		return false
	}
	s.keep(x)
	return true
}

// gather takes those of another search that it is the turn of.
func (s *specimens) gather(list [][]trace.Alt) {
	for _, alts := range list {
		if s.isNext() {
			s.list = append(s.list, alts)
		}
	}
}

// isNext reports whether it is the turn of an execution, and makes room for it.
func (s *specimens) isNext() bool {
	if s.skip > 0 {
		s.skip--
		return false
	}
	if len(s.list) == mostSpecimens {
		for i := range mostSpecimens / 2 {
			s.list[i] = s.list[2*i]
		}
		s.list = s.list[:mostSpecimens/2]
		s.step = 2*s.step + 1
	}
	s.skip = s.step
	return true
}

// longestSpecimens bounds the steps that a part of a search hands over, but for the first one.
const longestSpecimens = 1 << 12

// few are those that a part hands over.
func (s *specimens) few() [][]trace.Alt {
	steps := 0
	for i, alts := range s.list {
		if steps += len(alts); i > 0 && steps > longestSpecimens {
			return s.list[:i]
		}
	}
	return s.list
}

// last is the one that was kept last.
func (s *specimens) last() []trace.Alt { return s.list[len(s.list)-1] }

// keep takes down x.
func (s *specimens) keep(x *trace.Execution) {
	alts := Choices(x)
	if len(alts) > longestSpecimen {
		alts = slices.Clone(alts[:longestSpecimen])
	}
	s.list = append(s.list, alts)
}
