package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Bounds on how often a search begins again because of what it has learned of sections: of single
// ones, and then of mutexes.
const (
	maxRelearned = 4
	maxStruck    = 16
)

// sections is a search's explore.Sections.
type sections struct {
	*exploration
	again func() explore.Strategy
	times int // that the search has begun again
	off   bool
	early bool // in a search of early firings, which is not described
}

// newSections lets sections of mutexes commute, if the options allow it. again makes a strategy
// that has not begun.
func (e *exploration) newSections(o *options.Options,
	again func() explore.Strategy) explore.Sections {
	if !o.Independent("sections") {
		return nil
	}
	e.setSections(true)
	if !hook.InSections() {
		return nil
	}
	return &sections{exploration: e, again: again, early: e.result.Early != nil}
}

func (e *exploration) setSections(may bool) {
	e.suite.change(func(c *world.Config) { c.Sections = may })
}

// Learn implements explore.Sections. What is in a data race only as long as sections have no order
// may be in none, or in one that another order shows: so then they have one.
func (s *sections) Learn(x *trace.Execution) bool {
	if s.off {
		return false
	}
	news := hook.LearnSections(x, s.times >= maxRelearned)
	if len(x.Races) > 0 && hook.SectionsBegun() {
		// else what was taken to commute does not, and the next execution shows whether there is a
		// race
		s.off = !news
		x.Races, news = nil, true
	}
	return news
}

// Again implements explore.Sections.
func (s *sections) Again() explore.Strategy {
	s.times++
	if s.off = s.off || s.times > maxStruck; s.off && s.early {
		s.setSections(false)
	} else if s.off {
		s.noteSections(
			"without an order of sections there would be a data race, or what is learned of them has no end")
		s.setSections(false)
	} else {
		hook.ApplySections()
	}
	return s.again()
}

// noteSections describes the sections of a search. why says why all are ordinary locks, if they
// are.
func (e *exploration) noteSections(why ...string) {
	for _, l := range hook.Locks() {
		l.Ordinary = append(l.Ordinary, why...)
		e.result.Sections = append(e.result.Sections, report.Sections{Lock: l.Place, Loop: l.Loop,
			Count: l.Sections, Contended: l.Contended, Ordinary: l.Ordinary})
	}
}
