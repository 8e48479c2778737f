package adapt

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds on the times that a search begins again because it has learned of sections: of single
// ones, and then of all sections of a mutex.
const (
	maxRelearned = 4
	maxStruck    = 16
)

// Sections is a search's explore.Sections.
type Sections struct {
	may   func(bool)       // lets sections of the executions that follow commute, or not
	none  func(why string) // is told why all mutexes have become ordinary locks; nil: nobody is
	again func() explore.Strategy
	times int // that the search has begun again
	off   bool
	begun bool // some section has commuted, or might have, since the search has begun
}

// NewSections lets sections of mutexes commute, and returns a Sections that learns which do not;
// nil if the program has no sections. may switches commuting on or off for the executions that
// follow. none, unless nil, is told why all mutexes have become ordinary locks. again makes a
// strategy that has not begun.
func NewSections(may func(bool), none func(why string),
	again func() explore.Strategy) explore.Sections {
	may(true)
	if !hook.InSections() {
		return nil
	}
	return &Sections{may: may, none: none, again: again}
}

// Commute reports whether sections may have commuted in the search at work.
func (s *Sections) Commute() bool { return s.begun }

// Learn implements explore.Sections. A data race that appears only while sections have no order may
// be no race, or one that another order shows. So sections then get an order.
func (s *Sections) Learn(x *trace.Execution) bool {
	if s.off {
		return false
	}
	s.begun = s.begun || hook.SectionsCommute()
	news := hook.LearnSections(x, s.times >= maxRelearned)
	if len(x.Races) > 0 && hook.SectionsBegun() {
		// If there is news, sections that were taken to commute do not, and the next execution
		// shows whether the race is there.
		s.off = !news
		x.Races, news = nil, true
	}
	return news
}

// Again implements explore.Sections.
func (s *Sections) Again() explore.Strategy {
	s.begun = false
	s.times++
	s.off = s.off || s.times > maxStruck
	if s.off && s.none != nil {
		s.none("without an order of sections there would be a data race, " +
			"or what is learned of them has no end")
	}
	if s.off {
		s.may(false)
	} else {
		hook.ApplySections()
	}
	return s.again()
}

// Ordinary is the explore.Sections of a part of a search in which no section commutes. It ends the
// part when a section would commute, or when there is something new to learn of sections: other
// parts of the search would not know it.
type Ordinary struct{ End func() explore.Strategy }

// Learn implements explore.Sections.
func (o Ordinary) Learn(x *trace.Execution) bool {
	return hook.SectionsCommute() || hook.LearnSections(x, false)
}

// Again implements explore.Sections.
func (o Ordinary) Again() explore.Strategy { return o.End() }
