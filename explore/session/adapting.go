package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// newPoints returns a search's accesses that are steps: none yet.
func (e *trial) newPoints(o *options.Options) *adapt.Points {
	return adapt.NewPoints(!o.Separates(), func(list []string) {
		e.suite.change(func(c *world.Config) { c.Points = list })
	})
}

// newSections lets sections of mutexes commute, if the options allow it. again makes a strategy
// that has not begun.
func (e *exploration) newSections(o *options.Options,
	again func() explore.Strategy) explore.Sections {
	if !o.Independent("sections") {
		return nil
	}
	none := func(why string) { e.noteSections(why) }
	if e.result.Early != nil { // a search of early firings is not described
		none = nil
	}
	return adapt.NewSections(e.setSections, none, again)
}

func (e *trial) setSections(may bool) {
	e.suite.change(func(c *world.Config) { c.Sections = may })
}

// noteSections describes the sections of a search. why says why all are ordinary locks, if they
// are.
func (m *remarks) noteSections(why ...string) {
	for _, l := range hook.Locks() {
		l.Ordinary = append(l.Ordinary, why...)
		m.result.Sections = append(m.result.Sections, report.Sections{Lock: l.Place, Loop: l.Loop,
			Count: l.Sections, Contended: l.Contended, Ordinary: l.Ordinary})
	}
}

// newJoining returns what lets sends of equal values commute by default; nil if the options say
// otherwise.
func (e *trial) newJoining(o *options.Options, s adapt.Searches) *adapt.Joining {
	if o.Independence != "auto" || o.Strategy != "auto" || o.Model != "go" || o.Isolate || o.Race ||
		o.WhySymmetry() {
		return nil
	}
	return adapt.NewJoining(s)
}

// noteRaces says what has become of the accesses of data races.
func (m *remarks) noteRaces(p *adapt.Points) {
	note, cut := p.Conclude()
	if note != "" {
		m.note("%s", note)
	}
	if cut != "" {
		m.result.CutShort(cut)
	}
}
